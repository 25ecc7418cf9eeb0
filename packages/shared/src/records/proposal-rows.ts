/**
 * What a row of memory.db means, and how it is read. What the gate puts into it (the candidate, what was shown, what is
 * about to be written) is the gate's own business: here it is JSON objects that are kept as they came. Danger: a row that
 * cannot be read any more is kept as it stands, since it may hold the only copy of somebody's text.
 */
import { z } from 'zod';

/** Of a shape that its writer knows. */
export type StoredObject = Readonly<Record<string, unknown>>;

/** A note that whoever decides was shown. */
export interface SeenNote extends StoredObject {
  readonly path: string;
  readonly etag: string;
}

export type ProposalKind = 'propose' | 'consolidate';

/**
 * `deciding`: in the hands of its owner, nothing is written yet. `open`: waits for its agent, by a token. `writing`: its
 * intent stands, and some of it may be in the vault. `done`: answered; what it held of anybody's text is gone.
 */
export type ProposalState = 'deciding' | 'open' | 'writing' | 'done';

export interface Proposal {
  readonly id: string;
  readonly kind: ProposalKind;
  readonly state: ProposalState;
  /** Who has it in hand, as its locks say (PathLocks.owner); null while it is open or done. */
  readonly owner: string | null;
  readonly agent: string;
  readonly source: string | null;
  readonly candidateHash: string;
  /** What was asked for, whole; null once it is done. */
  readonly request: StoredObject | null;
  /** What was shown with the token. */
  readonly seen: readonly SeenNote[] | null;
  readonly token: string | null;
  /** How often it was shown anew because what it was compared with had changed. */
  readonly reruns: number;
  /** Milliseconds since 1970, like the others. */
  readonly createdMs: number;
  /** Until when the token is good. */
  readonly expiresMs: number | null;
  readonly settledMs: number | null;
  readonly idempotencyKey: string | null;
  /** All that it takes to do it, or to do it again after a crash. */
  readonly intent: StoredObject | null;
  readonly answer: StoredObject | null;
}

/** As the database has it. */
export interface ProposalRow extends Omit<Proposal, 'request' | 'seen' | 'intent' | 'answer'> {
  readonly request: string | null;
  readonly seen: string | null;
  readonly intent: string | null;
  readonly answer: string | null;
}

export const PROPOSAL_COLUMNS = `id, kind, state, owner, agent, source, candidate_hash AS candidateHash, request, seen, token,
  reruns, created_ms AS createdMs, expires_ms AS expiresMs, settled_ms AS settledMs, idempotency_key AS idempotencyKey,
  intent, answer`;

const object = z.record(z.string(), z.unknown());
const seenNotes = z.array(z.looseObject({ path: z.string(), etag: z.string() }));

/** @returns null for a row that cannot be read: damaged */
export function readProposalRow(row: ProposalRow): Proposal | null {
  const request = readJson(row.request, object);
  const seen = readJson(row.seen, seenNotes);
  const intent = readJson(row.intent, object);
  const answer = readJson(row.answer, object);
  if (request === undefined || seen === undefined || intent === undefined || answer === undefined) return null;
  const proposal = { ...row, request, seen, intent, answer };
  return isWhole(proposal) ? proposal : null;
}

/** Each state has what it needs to be taken on from there. */
function isWhole({ state, owner, request, token, expiresMs, intent, answer }: Proposal): boolean {
  if (state === 'done') return answer !== null;
  if (request === null) return false;
  if (state === 'open') return token !== null && expiresMs !== null;
  return owner !== null && (state === 'deciding' || intent !== null);
}

/** @returns undefined when it is no JSON of that shape */
function readJson<T>(text: string | null, schema: z.ZodType<T>): T | null | undefined {
  if (text === null) return null;
  try {
    return schema.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}
