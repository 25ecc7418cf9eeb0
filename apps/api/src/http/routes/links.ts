/** `GET /links`: what links to what, of one file or of the whole vault. */
import { findLinks, findLinksInput } from '../../operations/find-links.ts';
import { parseInput } from '../../operations/input.ts';
import { linksText } from '../../rendering/links-text.ts';
import { callOf } from '../audited.ts';
import { type RoutedApp, resource } from '../methods.ts';
import { wantsJson } from '../negotiation.ts';
import { readQuery } from '../query.ts';

export function linksRoute(app: RoutedApp): void {
  resource(app, '/links', 'agents', {
    GET: async (c, context) => {
      const query = readQuery(c, { path: 'text', limit: 'integer', cursor: 'text' });
      const input = callOf(c, 'find-links', parseInput(findLinksInput, query));
      const found = await findLinks({ ...context, log: c.get('log') }, input);
      return wantsJson(c) ? c.json(found) : c.text(linksText(found));
    },
  });
}
