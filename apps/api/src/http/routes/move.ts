/** `POST /move`: a note, document, attachment or folder to another place, its links with it. */
import type { Hono } from 'hono';
import type { WriteContext } from '../../context.ts';
import { parseInput } from '../../operations/input.ts';
import { moveEntry, moveEntryInput } from '../../operations/move-entry.ts';
import { callOf } from '../audited.ts';
import { readJson } from '../body.ts';
import type { HttpEnv } from '../env.ts';
import { conditionsOf } from '../if-match.ts';
import { resource } from '../methods.ts';
import { readQuery } from '../query.ts';
import { sendWritten } from '../write-answer.ts';
import { OUTCOME_QUERY, withOptions } from '../write-options.ts';
import { writeRequest } from '../write-request.ts';

export function moveRoute(app: Hono<HttpEnv>, context: WriteContext): void {
  resource(app, '/move', {
    POST: async (c) => {
      const query = readQuery(c, OUTCOME_QUERY);
      const conditions = conditionsOf((name) => c.req.header(name));
      const request = writeRequest(c);
      const said = withOptions(parseInput(moveEntryInput, await readJson(c)), { ...query, ...conditions });
      const input = callOf(c, 'move-entry', parseInput(moveEntryInput, said));
      return sendWritten(c, await moveEntry(context, input, request));
    },
  });
}
