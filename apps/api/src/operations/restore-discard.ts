/**
 * Has something that was discarded proposed again: it goes through the gate as anybody's candidate does, so it may be shown
 * what is similar by now. Danger: the entry is marked only once a note holds its text, and stays in the log either way.
 */
import { AppError } from '@vault-mcp/shared/errors';
import { reasonOf } from '@vault-mcp/shared/log';
import type { Discard } from '@vault-mcp/shared/records/discard-lines';
import { excludedBy } from '@vault-mcp/shared/vault/indexed-paths';
import { shown } from '@vault-mcp/shared/vault/path';
import { z } from 'zod';
import { discardedCandidate } from '../memory/discarded-candidate.ts';
import type { DecideAnswer, DoneAnswer } from '../memory/types.ts';
import type { MemoryContext } from './gate-ports.ts';
import { parseInput } from './input.ts';
import { propose, proposeInput } from './propose.ts';
import { showDiscard, showDiscardInput } from './show-discard.ts';
import { refuseWhenReadOnly, type WriteRequest } from './write-context.ts';

export const restoreDiscardInput = z.strictObject({
  n: showDiscardInput.shape.n,
  token: proposeInput.shape.token,
  decision: proposeInput.shape.decision,
  again: z.boolean().optional().describe('Also what was restored before. Default false.'),
});

/** The gate's answer, and which entry it is about. */
export type RestoreAnswer = (DecideAnswer | DoneAnswer) & { readonly restores: number };

/**
 * @throws AppError `not_found`; `already_exists` for one that was restored before; `invalid_path` for text of a wiki page; `invalid_value` for text that the gate
 * cannot take; and what `propose` throws
 */
export async function restoreDiscard(
  context: MemoryContext,
  { n, token, decision, again = false }: z.infer<typeof restoreDiscardInput>,
  request: WriteRequest,
): Promise<RestoreAnswer> {
  refuseWhenReadOnly(context);
  const discard = await showDiscard(context, { n });
  // Who has a token was told of it before, and may send it once more.
  if (discard.restored !== null && !again && token === undefined) {
    const message = `Discard ${n} was restored as "${shown(discard.restored)}": read that, or ask with "again" for one more.`;
    throw new AppError('already_exists', message);
  }
  refuseFacts(context, discard);
  const candidate = discardedCandidate(discard, context.config.notes.timestamp_key);
  const input = parseInput(proposeInput, { ...candidate, ...(token !== undefined && { token }), decision });
  // It is no dry run; and only text of a note can be longer than a proposal.
  const answer = (await propose(context, input, request, 'of-a-note')) as DecideAnswer | DoneAnswer;
  if (answer.status !== 'done' || answer.path === null || answer.path === discard.restored) {
    return { ...answer, restores: n };
  }
  return { ...(await marked(context, n, answer, answer.path)), restores: n };
}

/** Wiki pages grow by facts, so the gate files nothing among them. @throws AppError `invalid_path` */
function refuseFacts({ config }: Pick<MemoryContext, 'config'>, { n, note }: Discard): void {
  if (note === undefined || !excludedBy([config.wiki.dir])(note.path)) return;
  const message = `Discard ${n} stood on the wiki page "${shown(note.path)}", and those grow by wiki_append: send the fact there, with the text that showing the discard gives.`;
  throw new AppError('invalid_path', message);
}

/** A note that is there must not become an error: what could not be marked is told. */
async function marked(
  { discards, log }: Pick<MemoryContext, 'discards' | 'log'>,
  n: number,
  answer: DoneAnswer,
  path: string,
): Promise<DoneAnswer> {
  try {
    await discards.markRestored(n, path);
    return answer;
  } catch (error) {
    log.error({ err: error, discard: n }, 'a discard that was restored could not be marked');
    const remark = `Discard ${n} could not be marked as restored: ${reasonOf(error)}`;
    return { ...answer, remarks: [...(answer.remarks ?? []), remark] };
  }
}
