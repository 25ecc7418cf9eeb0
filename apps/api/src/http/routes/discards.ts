/**
 * `GET /memory/discards` and `GET /memory/discards/{n}`: what was proposed and is in no note, for the operator; `POST
 * /memory/discards/{n}/restore`: has it proposed again.
 */
import { parseInput } from '../../operations/input.ts';
import { listDiscards, listDiscardsInput } from '../../operations/list-discards.ts';
import { putAwayExpired } from '../../operations/put-away-expired.ts';
import { restoreDiscard, restoreDiscardInput } from '../../operations/restore-discard.ts';
import { showDiscard, showDiscardInput } from '../../operations/show-discard.ts';
import { discardsText, discardText } from '../../rendering/discards-text.ts';
import { callOf } from '../audited.ts';
import { readJson } from '../body.ts';
import type { HttpContext } from '../env.ts';
import { refuseConditions } from '../if-match.ts';
import { type RoutedApp, resource } from '../methods.ts';
import { wantsJson } from '../negotiation.ts';
import { readQuery } from '../query.ts';
import { sendWritten } from '../write-answer.ts';
import { writeRequest } from '../write-request.ts';

/** The number stands in the path. */
const restoreBody = restoreDiscardInput.omit({ n: true });

export function discardsRoute(app: RoutedApp): void {
  resource(app, '/memory/discards', 'operator', {
    GET: async (c, context) => {
      const query = readQuery(c, { limit: 'integer', cursor: 'text' });
      const input = callOf(c, 'list-discards', parseInput(listDiscardsInput, query));
      await putAwayExpired(context);
      const list = await listDiscards(context, input);
      return wantsJson(c) ? c.json(list) : c.text(discardsText(list));
    },
  });
  resource(app, '/memory/discards/:n', 'operator', {
    GET: async (c, context) => {
      readQuery(c, {});
      const input = callOf(c, 'show-discard', parseInput(showDiscardInput, { n: numberOf(c) }));
      await putAwayExpired(context);
      const discard = await showDiscard(context, input);
      return wantsJson(c) ? c.json(discard) : c.text(discardText(discard));
    },
  });
  resource(app, '/memory/discards/:n/restore', 'operator', {
    POST: async (c, context) => {
      readQuery(c, {});
      refuseConditions(
        (name) => c.req.header(name),
        'What is restored is compared with every note, and is about no version of one',
      );
      const request = writeRequest(c);
      const body = parseInput(restoreBody, await readJson(c, { optional: true }));
      const said = parseInput(restoreDiscardInput, { ...body, n: numberOf(c) });
      const answer = await restoreDiscard(context, callOf(c, 'restore-discard', said), request);
      return answer.status === 'done' ? sendWritten(c, answer) : c.json(answer);
    },
  });
}

/** What is no number stays text, which the operation refuses. */
function numberOf(c: HttpContext): number | string {
  const sent = c.req.param('n') ?? '';
  return /^\d{1,15}$/.test(sent) ? Number(sent) : sent;
}
