/**
 * `GET /frontmatter`: notes by a value of their frontmatter. As JSON the answer is the list alone, which automations take
 * apart into items, so a header says how many notes could not be asked; the text names them.
 */
import { findByFrontmatter, findByFrontmatterInput } from '../../operations/find-by-frontmatter.ts';
import { parseInput } from '../../operations/input.ts';
import { foundByFrontmatterText } from '../../rendering/frontmatter-text.ts';
import { callOf } from '../audited.ts';
import { type RoutedApp, resource } from '../methods.ts';
import { wantsJson } from '../negotiation.ts';
import { readQuery } from '../query.ts';

export function frontmatterRoute(app: RoutedApp): void {
  resource(app, '/frontmatter', 'agents', {
    GET: async (c, context) => {
      const query = readQuery(c, { key: 'text', value: 'text', dir: 'text' });
      const input = callOf(c, 'find-by-frontmatter', parseInput(findByFrontmatterInput, query));
      const found = await findByFrontmatter(context, input);
      c.header('X-Vault-Left-Out', String(found.left_out.length));
      return wantsJson(c) ? c.json(found.notes) : c.text(foundByFrontmatterText(found));
    },
  });
}
