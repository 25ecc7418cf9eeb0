/**
 * `POST /memory/consolidate`: finds notes that say nearly the same and, asked to write, makes each group of them one note; for
 * the operator. Danger: with a chat model it takes minutes, and goes on when whoever asked has left.
 */
import { consolidate, consolidateInput } from '../../operations/consolidate.ts';
import { parseInput } from '../../operations/input.ts';
import { consolidationText } from '../../rendering/consolidation-text.ts';
import { callOf } from '../audited.ts';
import { readJson } from '../body.ts';
import { refuseConditions } from '../if-match.ts';
import { type RoutedApp, resource } from '../methods.ts';
import { wantsJson } from '../negotiation.ts';
import { readQuery } from '../query.ts';
import { writeRequest } from '../write-request.ts';

/** As many merges as one call takes, each as long as the gate takes a text, with room for what JSON escapes. */
const MAX_BYTES = 8 * 1024 * 1024;

export function consolidateRoute(app: RoutedApp): void {
  resource(app, '/memory/consolidate', 'operator', {
    POST: async (c, context) => {
      readQuery(c, {});
      refuseConditions(
        (name) => c.req.header(name),
        'A consolidation is of many notes, each with the etag beside its path',
      );
      const request = writeRequest(c);
      const input = parseInput(consolidateInput, await readJson(c, { maxBytes: MAX_BYTES }));
      const answer = await consolidate(context, callOf(c, 'consolidate', input), request);
      return wantsJson(c) ? c.json(answer) : c.text(consolidationText(answer));
    },
  });
}
