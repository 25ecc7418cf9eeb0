/** `POST /wiki/append`: one fact onto the wiki page it belongs to. */
import { parseInput } from '../../operations/input.ts';
import { wikiAppend, wikiAppendInput } from '../../operations/wiki-append.ts';
import { callOf } from '../audited.ts';
import { readJson } from '../body.ts';
import { refuseConditions } from '../if-match.ts';
import { type RoutedApp, resource } from '../methods.ts';
import { readQuery } from '../query.ts';
import { sendWritten } from '../write-answer.ts';
import { OUTCOME_QUERY, withOptions } from '../write-options.ts';
import { writeRequest } from '../write-request.ts';

export function wikiAppendRoute(app: RoutedApp): void {
  resource(app, '/wiki/append', 'agents', {
    POST: async (c, context) => {
      const query = readQuery(c, OUTCOME_QUERY);
      refuseConditions((name) => c.req.header(name), 'A fact goes onto its page whatever else stands there by now');
      const request = writeRequest(c);
      const said = withOptions(parseInput(wikiAppendInput, await readJson(c)), query);
      const input = callOf(c, 'wiki-append', parseInput(wikiAppendInput, said));
      return sendWritten(c, await wikiAppend(context, input, request));
    },
  });
}
