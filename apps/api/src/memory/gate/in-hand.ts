/**
 * Which proposals this process is at work on. Danger: a row that is ours by its owner and not in here was left behind by a call
 * that failed midway, and is taken up again like a dead process's; so whoever works on one enters it first.
 */
import type { Proposal } from '@vault-mcp/shared/records/proposal-rows';
import type { ProposalStore } from '@vault-mcp/shared/records/proposal-store';
import type { GatePorts } from '../ports.ts';

const inHand = new WeakMap<ProposalStore, Set<string>>();

function handsOf(store: ProposalStore): Set<string> {
  const hands = inHand.get(store) ?? new Set();
  inHand.set(store, hands);
  return hands;
}

/** From here on nobody else in this process takes it up: to be called in the same turn that it came into our hands. */
export function takeInHand(store: ProposalStore, id: string): void {
  const hands = handsOf(store);
  if (hands.has(id)) throw new Error(`the proposal ${id} is being worked on already`);
  hands.add(id);
}

/** Works on a proposal that was taken in hand, and lets go of it. */
export async function inHands<T>(store: ProposalStore, id: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } finally {
    handsOf(store).delete(id);
  }
}

/** Whether nobody works on it any more, although it is in somebody's hands. */
export function isLeft({ locks, proposals }: Pick<GatePorts, 'locks' | 'proposals'>, { id, owner }: Proposal): boolean {
  if (handsOf(proposals).has(id)) return false;
  return owner === null || owner === locks.owner || !locks.isAlive(owner);
}
