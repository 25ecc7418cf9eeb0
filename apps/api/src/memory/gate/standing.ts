/**
 * What stands under a token or an idempotency key: a row that may be open, answered, or in the hands of another call, another
 * process, or of nobody any more. Danger: of several that come with one token, one acts and all get its answer; so whoever finds
 * it taken waits, and whoever finds it left behind completes it first.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { AppError } from '@vault-mcp/shared/errors';
import type { Proposal, StoredObject } from '@vault-mcp/shared/records/proposal-rows';
import type { GatePorts } from '../ports.ts';
import type { DecideAnswer, DoneAnswer, SimilarNote } from '../types.ts';
import { isLeft, takeInHand } from './in-hand.ts';
import { recoverRow } from './recover.ts';

/** As long as a call waits for a path (lock.ts). */
const WAIT_MS = 30_000;
const POLL_MS = 50;

type Answered = { readonly answer: DecideAnswer | DoneAnswer };

export function decideAnswer(offered: {
  readonly token: string;
  readonly expiresMs: number;
  readonly similar: readonly SimilarNote[];
  readonly degraded: DecideAnswer['degraded'];
}): DecideAnswer {
  const { token, expiresMs, similar, degraded } = offered;
  return { status: 'decide', token, expires_at: new Date(expiresMs).toISOString(), similar, degraded };
}

/**
 * @returns the row, taken in hand, or the answer that was given for it
 * @throws AppError `invalid_request` for a token that is good for nothing; `locked` while another call has it
 */
export async function claimToken(
  ports: GatePorts,
  token: string,
  candidateHash: string,
): Promise<{ readonly row: Proposal } | Answered> {
  const { agent, source } = ports.caller;
  for (;;) {
    const claim = ports.proposals.claim(token, { agent, source, candidateHash });
    switch (claim.outcome) {
      case 'claimed':
        takeInHand(ports.proposals, claim.proposal.id);
        return { row: claim.proposal };
      case 'done':
        return { answer: storedAnswer(claim.answer) };
      case 'taken':
        await settled(ports, claim.proposal);
        break;
      case 'expired':
        throw await tooLate(ports, claim.proposal);
      case 'other_candidate':
        throw refused(
          'This token was given for another candidate: send the same title, type, namespace, body and keys.',
        );
      case 'unknown':
        throw refused(
          'This token is unknown: it was never given to you, or a newer one has taken its place. Propose anew.',
        );
    }
  }
}

/**
 * What an idempotency key stands for.
 *
 * @returns `left`: taken in hand now, since whoever had it is gone and had not got to anything; `failed`: the discard log has
 * it, since it could not be filed, so that it is to be tried anew
 * @throws AppError `locked` while another call has it
 */
export async function standing(
  ports: GatePorts,
  row: Proposal,
): Promise<{ readonly left: Proposal } | Answered | 'failed'> {
  const isUndecided = row.state === 'deciding' && row.token === null;
  const taken = isUndecided && isLeft(ports, row) ? ports.proposals.takeOver(row) : null;
  if (taken !== null) {
    takeInHand(ports.proposals, taken.id);
    return { left: taken };
  }
  const there = await settled(ports, row);
  if (there.answer !== null) return isFailed(there.answer) ? 'failed' : { answer: storedAnswer(there.answer) };
  const { token, expiresMs, seen } = there;
  if (token === null || expiresMs === null) throw new Error(`the proposal ${row.id} is open without a token`);
  if (expiresMs <= ports.now().getTime()) throw await tooLate(ports, there);
  // As the gate itself wrote it; but a caller may be allowed to read less by now.
  const shown = (seen ?? []) as unknown as readonly SimilarNote[];
  const similar = shown.filter(({ path }) => ports.vault.access.mayRead(path));
  return { answer: decideAnswer({ token, expiresMs, similar, degraded: [] }) };
}

/** Waits until nobody is at work on it. @returns the row, open or done */
async function settled(ports: GatePorts, row: Proposal): Promise<Proposal> {
  const deadline = performance.now() + WAIT_MS;
  for (let there: Proposal | null = row; there !== null; there = ports.proposals.get(row.id)) {
    if (there.state === 'open' || there.state === 'done') return there;
    if (isLeft(ports, there)) {
      if ((await recoverRow(ports.whole(), there)) !== null) continue;
    }
    if (performance.now() >= deadline || ports.caller.signal?.aborted) {
      throw new AppError('locked', 'Another call is still at work on this proposal: try again in a moment.');
    }
    await pause(POLL_MS);
  }
  throw refused('What this stands for cannot be read any more: propose anew.');
}

/** Puts it away, if nobody has yet. */
async function tooLate(ports: GatePorts, row: Proposal): Promise<AppError> {
  await recoverRow(ports.whole(), row);
  return expired(ports.proposals.get(row.id)?.answer ?? {});
}

function expired({ discard: n }: StoredObject): AppError {
  const place = typeof n === 'number' ? ` What you proposed is kept as discard ${n}.` : '';
  return refused(`The time to decide is over.${place} Propose it anew, with another key where you send one.`);
}

/** As the gate itself wrote it (carry-out). @throws AppError `invalid_request` for what nobody decided in time */
function storedAnswer(stored: StoredObject): DoneAnswer {
  const { shelved, ...answer } = stored;
  if (shelved === 'expired') throw expired(stored);
  return answer as unknown as DoneAnswer;
}

/** Neither somebody's decision nor somebody's silence. */
function isFailed({ shelved }: StoredObject): boolean {
  return shelved === 'unplaceable' || shelved === 'interrupted';
}

function refused(message: string): AppError {
  return new AppError('invalid_request', message);
}
