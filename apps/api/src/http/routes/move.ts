/** `POST /move`: a note, document, attachment or folder to another place, its links with it. */
import { parseInput } from '../../operations/input.ts';
import { moveEntry, moveEntryInput } from '../../operations/move-entry.ts';
import { callOf } from '../audited.ts';
import { readJson } from '../body.ts';
import { conditionsOf } from '../if-match.ts';
import { type RoutedApp, resource } from '../methods.ts';
import { readQuery } from '../query.ts';
import { sendWritten } from '../write-answer.ts';
import { OUTCOME_QUERY, withOptions } from '../write-options.ts';
import { writeRequest } from '../write-request.ts';

export function moveRoute(app: RoutedApp): void {
  resource(app, '/move', 'agents', {
    POST: async (c, context) => {
      const query = readQuery(c, OUTCOME_QUERY);
      const conditions = conditionsOf((name) => c.req.header(name));
      const request = writeRequest(c);
      const said = withOptions(parseInput(moveEntryInput, await readJson(c)), { ...query, ...conditions });
      const input = callOf(c, 'move-entry', parseInput(moveEntryInput, said));
      return sendWritten(c, await moveEntry(context, input, request));
    },
  });
}
