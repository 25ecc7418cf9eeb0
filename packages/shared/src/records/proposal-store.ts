/**
 * The store of proposals as its users see it. Danger: a method has returned only when its change is on the disk, so that
 * nobody decides about what a power cut could take; whoever stands in for it in a test owes that order.
 */
import type { Proposal, ProposalKind, StoredObject } from './proposal-rows.ts';

export interface NewProposal {
  readonly kind: ProposalKind;
  readonly agent: string;
  readonly source?: string | undefined;
  /** Tells whether what comes with a token, or under an idempotency key, is the same again. */
  readonly candidateHash: string;
  /** What is stored is what JSON makes of it. */
  readonly request: object;
  /** One per agent: the second time it gives the row that is there. */
  readonly idempotencyKey?: string | undefined;
}

export interface Offer {
  /** What the agent is shown. */
  readonly seen: readonly { readonly path: string; readonly etag: string }[];
  /** Until when the token is good, in milliseconds since 1970. */
  readonly expiresMs: number;
  /** It is shown anew, because what it was compared with had changed: counted. */
  readonly again?: boolean;
}

/** Who comes with a token, and what for. */
export type Claimant = Pick<NewProposal, 'agent' | 'candidateHash' | 'source'>;

/** What a token is good for. */
export type Claim =
  /** In our hands now. */
  | { readonly outcome: 'claimed'; readonly proposal: Proposal }
  /** Answered before; `answer` is what it was answered with. */
  | { readonly outcome: 'done'; readonly proposal: Proposal; readonly answer: StoredObject }
  /** Too late. It is still open: `expired()` gives it to whoever puts such candidates away. */
  | { readonly outcome: 'expired'; readonly proposal: Proposal }
  /** In the hands of `proposal.owner`, who may be dead: then `takeOver` may have it. */
  | { readonly outcome: 'taken'; readonly proposal: Proposal }
  /** It was given for another text. */
  | { readonly outcome: 'other_candidate' }
  /** Never given, given to another agent, replaced by a newer one, or forgotten. */
  | { readonly outcome: 'unknown' };

export interface ProposalCounts {
  /** Wait for their agent. */
  readonly open: number;
  /** In somebody's hands, who may be dead. */
  readonly unsettled: number;
  /** Not answered yet, and cannot be read any more: kept, for a person to look at. */
  readonly damaged: number;
}

/**
 * All methods: @throws AppError `insufficient_storage`; `locked` when other processes kept the file busy. Nothing is
 * changed then. What concerns a row that is not in the caller's hands, or not in that state, throws an Error: a defect.
 */
export interface ProposalStore {
  /**
   * Writes a proposal down, in our hands (`deciding`).
   *
   * @returns `fresh` false: the agent's idempotency key is there already, and `row` is what stands under it, as it stands
   * @throws AppError `invalid_request` when what stands under that key cannot be read any more
   */
  begin(proposal: NewProposal): { readonly row: Proposal; readonly fresh: boolean };
  /** Null when there is none, or it is damaged. */
  get(id: string): Proposal | null;
  /** deciding → open, in nobody's hands. @returns the new token; one given before is good for nothing any more */
  offer(id: string, offer: Offer): string;
  /**
   * open → deciding, in our hands, if the token is good: of several who try, one has it.
   *
   * @param by.source what the deciding call was written from: takes the place of what the first call said, where it says so
   * @throws AppError `invalid_request` when what stands under that token cannot be read any more
   */
  claim(token: string, by: Claimant): Claim;
  /**
   * Takes a row that was read before into our hands: of a dead owner, or an open one that is to be put away. It keeps its
   * state, but open becomes deciding.
   *
   * @returns null when it has changed hands or state since it was read
   */
  takeOver(proposal: Proposal): Proposal | null;
  /** deciding or writing → open, with the token it had: nothing of it is in the vault. */
  release(id: string): void;
  /** deciding or writing → writing: on the disk before the first byte of the vault changes. */
  plan(id: string, intent: object): void;
  /** → done: request, what was shown and intent are forgotten; the answer is kept for 30 days. */
  finish(id: string, answer: object): void;
  /** Of one that is done: what comes with that key from now on is a proposal of its own. */
  forgetKey(id: string): void;
  /** Everything in somebody's hands, oldest first; damaged ones left out. */
  unsettled(): Proposal[];
  /** Open ones whose time is over, oldest first. */
  expired(nowMs: number): Proposal[];
  /** An agent's open ones beyond the newest `keep`, oldest first. */
  surplus(agent: string, keep: number): Proposal[];
  /** What was answered at or after a time, newest first. */
  answersSince(sinceMs: number): StoredObject[];
  counts(): ProposalCounts;
  /** Idempotent. */
  close(): void;
}
