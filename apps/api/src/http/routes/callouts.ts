/** `GET` and `POST /callouts`: the callouts of all notes, narrowed by a query string or the same as JSON. */
import type { ServedContext } from '../../context.ts';
import { parseInput } from '../../operations/input.ts';
import { listCallouts, listCalloutsInput } from '../../operations/list-callouts.ts';
import { calloutsText } from '../../rendering/callouts-text.ts';
import { callOf } from '../audited.ts';
import { readJson } from '../body.ts';
import type { HttpContext } from '../env.ts';
import { type RoutedApp, resource } from '../methods.ts';
import { wantsJson } from '../negotiation.ts';
import { readQuery } from '../query.ts';
import { unchangedJson } from '../unchanged-json.ts';

export function calloutsRoute(app: RoutedApp): void {
  const answer = async (c: HttpContext, context: ServedContext, request: unknown) => {
    const input = callOf(c, 'list-callouts', parseInput(listCalloutsInput, request));
    const list = await listCallouts(context, input, c.req.raw.signal);
    return wantsJson(c) ? unchangedJson(c, list) : c.text(calloutsText(list));
  };
  resource(app, '/callouts', 'agents', {
    GET: (c, context) => answer(c, context, readQuery(c, { dir: 'text', type: 'text' })),
    POST: async (c, context) => {
      readQuery(c, {});
      return answer(c, context, await readJson(c, { optional: true }));
    },
  });
}
