/**
 * Takes up what a crash, or a call that failed midway, left of proposals: finished where it had begun to write, put away where
 * nobody had decided, given back to its agent where it has a token. Danger: it is the other half of the promise that nothing is
 * lost, and runs beside live calls: it touches no row that somebody is at work on.
 */
import { AppError } from '@vault-mcp/shared/errors';
import type { DiscardKind } from '@vault-mcp/shared/records/discard-lines';
import type { Proposal } from '@vault-mcp/shared/records/proposal-rows';
import type { ProposalStore } from '@vault-mcp/shared/records/proposal-store';
import type { GatePorts } from '../ports.ts';
import type { SimilarNote } from '../types.ts';
import { settle, shelve } from './carry-out.ts';
import { inHands, isLeft, takeInHand } from './in-hand.ts';
import { readCandidate, readIntent } from './intent.ts';
import { performIntent } from './perform.ts';
import type { Subject } from './plan.ts';

export interface Recovery {
  /** Carried out to the end. */
  readonly completed: number;
  /** Put into the discard log: nobody had decided, or nobody in time. */
  readonly shelved: number;
  /** Tried and not brought to an end: they stay where they are. */
  readonly failed: number;
}

type Kept = 'completed' | 'shelved' | 'opened';

/** Taken up by a call that somebody waits for; a start and doctor take up everything. */
const AT_ONCE = 20;
/** How long a call passes over what could not be completed: each try may wait for a lock. */
const PASSED_OVER_MS = 60_000;

const failures = new WeakMap<ProposalStore, Map<string, number>>();

/**
 * Takes up what is left, and puts away what nobody decided in time.
 *
 * @param ports those of the whole vault
 * @param options.briefly only some of it, and nothing that has just failed
 */
export async function recoverProposals(
  ports: GatePorts,
  { briefly = false }: { readonly briefly?: boolean } = {},
): Promise<Recovery> {
  const counts = { completed: 0, shelved: 0, opened: 0, failed: 0 };
  if (ports.config.readOnly) return counts;
  const now = ports.now().getTime();
  const failed = failures.get(ports.proposals) ?? new Map<string, number>();
  failures.set(ports.proposals, failed);
  const isDue = ({ id }: Proposal) => !briefly || now - (failed.get(id) ?? 0) >= PASSED_OVER_MS;
  const left = [...ports.proposals.unsettled(), ...ports.proposals.expired(now)].filter(
    (row) => isLeft(ports, row) && isDue(row),
  );
  for (const row of briefly ? left.slice(0, AT_ONCE) : left) {
    try {
      const kept = await recoverRow(ports, row);
      failed.delete(row.id);
      if (kept !== null) counts[kept]++;
    } catch (error) {
      counts.failed++;
      failed.set(row.id, now);
      ports.log.error({ err: error, proposal: row.id }, 'a proposal that was left half done could not be completed');
    }
  }
  return counts;
}

/** @returns null when somebody else has it */
export async function recoverRow(ports: GatePorts, row: Proposal): Promise<Kept | null> {
  if (!isLeft(ports, row)) return null;
  takeInHand(ports.proposals, row.id);
  return inHands(ports.proposals, row.id, async () => {
    const taken = ports.proposals.takeOver(row);
    return taken === null ? null : takeUp(ports, taken, row.state === 'open');
  });
}

/** An agent's open ones beyond what it may have. */
export async function shelveSurplus(ports: GatePorts, agent: string, keep: number): Promise<void> {
  for (const row of ports.proposals.surplus(agent, keep)) {
    if (!isLeft(ports, row)) continue;
    takeInHand(ports.proposals, row.id);
    await inHands(ports.proposals, row.id, async () => {
      const taken = ports.proposals.takeOver(row);
      if (taken !== null) await shelve(ports, subjectOf(taken), 'expired');
    });
  }
}

/** What a row is about, for what is done without whoever sent it. */
export function subjectOf({ id, request, agent, source, seen }: Proposal): Subject {
  return {
    ...{ id, agent, candidate: readCandidate(request), source: source ?? undefined },
    // As the gate itself wrote it.
    seen: (seen ?? []) as unknown as readonly SimilarNote[],
    decision: null,
  };
}

async function takeUp(ports: GatePorts, row: Proposal, wasOpen: boolean): Promise<Kept> {
  const subject = subjectOf(row);
  if (row.state === 'writing') {
    const performed = await performIntent(ports, subject, readIntent(row.intent));
    if (performed === 'changed') throw new AppError('locked', 'Another program changes what an intent is about.');
    await settle(ports, subject, performed, row.kind);
    return performed.path === null ? 'shelved' : 'completed';
  }
  const isGood = row.token !== null && (row.expiresMs ?? 0) > ports.now().getTime();
  if (isGood && !wasOpen) {
    ports.proposals.release(row.id);
    return 'opened';
  }
  const kind: DiscardKind = row.token === null ? 'interrupted' : 'expired';
  await shelve(ports, subject, kind);
  return 'shelved';
}
