/**
 * The write gate: a candidate comes, is compared with the notes that say something similar, and becomes what its decider says of
 * it. Danger: from the moment it is recorded it must not be lost, whatever fails; and until then nothing may have been done.
 */
import { AppError } from '@vault-mcp/shared/errors';
import { reasonOf } from '@vault-mcp/shared/log';
import type { Proposal } from '@vault-mcp/shared/records/proposal-rows';
import { excludedBy, indexedPaths } from '@vault-mcp/shared/vault/indexed-paths';
import { shown } from '@vault-mcp/shared/vault/path';
import type { GatePorts } from '../ports.ts';
import type { Candidate, DecideAnswer, Decision, DoneAnswer } from '../types.ts';
import { act } from './act.ts';
import { type BodyLimit, type CandidateInput, candidateHash, parseCandidate } from './candidate.ts';
import { createNote, shelve } from './carry-out.ts';
import { type Ceilings, requireCeilings } from './ceilings.ts';
import { parseDecision } from './decision.ts';
import { degradedRemarks } from './degraded-words.ts';
import { freePath, notePath, slugOf } from './free-path.ts';
import { inHands, takeInHand } from './in-hand.ts';
import { BegunError } from './perform.ts';
import { noteText, type Subject } from './plan.ts';
import { shelveSurplus, subjectOf } from './recover.ts';
import { settleByModel } from './settle-by-model.ts';
import { findSimilar, requireIndex, type Similar } from './similar.ts';
import { claimToken, decideAnswer, standing } from './standing.ts';

/** How long a token is good. */
const TOKEN_MS = 30 * 60_000;
/** Of one agent; older ones go to the discard log. */
const MAX_OPEN = 1_000;

export interface ProposeInput extends CandidateInput {
  readonly token?: string | undefined;
  readonly decision?: unknown;
  readonly idempotency_key?: string | undefined;
}

/** A candidate that may be filed, and what it is compared by. */
export interface Admitted {
  readonly candidate: Candidate;
  readonly ceilings: Ceilings;
}

/**
 * @throws AppError `invalid_value`, `invalid_path`, `note_too_large`, `out_of_scope`, `invalid_request`, `not_ready`: not
 * recorded then, its caller has it; and whatever carrying it out fails with: it is kept then, and the message says where
 */
export async function propose(
  ports: GatePorts,
  input: ProposeInput,
  limit?: BodyLimit,
): Promise<DecideAnswer | DoneAnswer> {
  const admitted = await admit(ports, input, limit);
  const { token, decision, idempotency_key: key } = input;
  if (token !== undefined) return second(ports, admitted, token, decision);
  if (decision !== undefined) {
    throw refused('A decision goes with the token of the answer that showed the similar notes: send both.');
  }
  requireIndex(ports);
  return begun(ports, admitted, key);
}

async function begun(
  ports: GatePorts,
  admitted: Admitted,
  key: string | undefined,
): Promise<DecideAnswer | DoneAnswer> {
  const { agent, source } = ports.caller;
  for (;;) {
    const { row, fresh } = ports.proposals.begin({
      ...{ kind: 'propose', agent, source, request: { ...admitted.candidate } },
      ...{ candidateHash: candidateHash(admitted.candidate), idempotencyKey: key },
    });
    if (fresh) {
      takeInHand(ports.proposals, row.id);
      return first(ports, admitted, row);
    }
    const there = await again(ports, admitted, row);
    if (there !== 'failed') return there;
    ports.proposals.forgetKey(row.id);
  }
}

/** Everything that can be told before it is recorded. @throws AppError */
export async function admit(ports: GatePorts, input: CandidateInput, limit?: BodyLimit): Promise<Admitted> {
  const { config, vault, caller, embedder } = ports;
  const candidate = parseCandidate(input, config, limit);
  if (excludedBy([config.wikiDir])(candidate.namespace)) {
    throw new AppError('invalid_path', 'Wiki pages grow by wiki_append: send the fact there.');
  }
  const first = notePath(candidate.namespace, slugOf(candidate.title));
  const { docSuffixes } = vault;
  if (!indexedPaths({ docSuffixes, excludeDirs: config.indexExcludeDirs, ignore: config.indexIgnore })(first)) {
    const place = shown(candidate.namespace);
    const message = `"${place}" is left out of the index, so nothing there could be compared with: choose another namespace.`;
    throw new AppError('invalid_path', message);
  }
  const ceilings = requireCeilings(config, embedder);
  // Whatever the writer would refuse a new note there for.
  const text = noteText(ports, { candidate, agent: caller.agent, source: caller.source }, []);
  await freePath(ports, candidate.namespace, slugOf(candidate.title), text);
  return { candidate, ceilings };
}

/** @param row in hand, and nothing of it done yet */
function first(ports: GatePorts, { candidate, ceilings }: Admitted, row: Proposal): Promise<DecideAnswer | DoneAnswer> {
  const find = () => findSimilar(ports, candidate, ceilings);
  return keeping(ports, row, async (subject) => {
    const found = await find();
    // Nothing to decide, so nobody is asked.
    if (found.similar.length === 0) return createNote(ports, subject, null, degradedRemarks(found.degraded));
    if (ports.chat !== null) return settleByModel(ports, ports.chat, subject, found, find);
    return offer(ports, row, found, false);
  });
}

async function second(
  ports: GatePorts,
  { candidate, ceilings }: Admitted,
  token: string,
  given: unknown,
): Promise<DecideAnswer | DoneAnswer> {
  if (ports.chat !== null) throw refused('On this server a chat model decides (gate.model): send no token.');
  if (given === undefined) {
    throw new AppError('invalid_value', 'A token goes with a decision about the notes that were shown: send both.');
  }
  const decision = parseDecision(given);
  const claimed = await claimToken(ports, token, candidateHash(candidate));
  if ('answer' in claimed) return claimed.answer;
  const { row } = claimed;
  return keeping(ports, row, (subject) => decide(ports, ceilings, row, subject, decision));
}

async function decide(
  ports: GatePorts,
  ceilings: Ceilings,
  row: Proposal,
  undecided: Subject,
  decision: Decision,
): Promise<DecideAnswer | DoneAnswer> {
  const subject = { ...undecided, decision };
  const outcome = await act(ports, subject, 'agent');
  if (outcome !== 'changed') return outcome;
  if (row.reruns > 0) return createNote(ports, subject, 'target_changed');
  const found = await findSimilar(ports, subject.candidate, ceilings);
  if (found.similar.length === 0) return createNote(ports, subject, 'target_changed');
  return offer(ports, row, found, true);
}

async function offer(ports: GatePorts, row: Proposal, found: Similar, isAgain: boolean): Promise<DecideAnswer> {
  const expiresMs = ports.now().getTime() + TOKEN_MS;
  const seen = found.similar.map((note) => ({ ...note }));
  const token = ports.proposals.offer(row.id, { seen, expiresMs, again: isAgain });
  await shelveSurplus(ports.whole(), row.agent, MAX_OPEN).catch((error: unknown) => {
    ports.log.warn({ reason: reasonOf(error) }, 'the oldest of an agent’s undecided proposals could not be put away');
  });
  return decideAnswer({ token, expiresMs, similar: found.similar, degraded: found.degraded });
}

/** What an idempotency key stands for already. @throws AppError */
async function again(
  ports: GatePorts,
  admitted: Admitted,
  row: Proposal,
): Promise<DecideAnswer | DoneAnswer | 'failed'> {
  if (row.candidateHash !== candidateHash(admitted.candidate)) {
    throw refused('This idempotency key was sent with another candidate: use a new key for each proposal.');
  }
  const there = await standing(ports, row);
  if (there === 'failed') return there;
  return 'answer' in there ? there.answer : first(ports, admitted, there.left);
}

/**
 * Works on a row that is in hand so that whatever fails, the candidate is in a note, in the discard log, or open for its agent.
 *
 * @throws what the work throws, with where the candidate is
 */
function keeping<T>(ports: GatePorts, row: Proposal, work: (subject: Subject) => Promise<T>): Promise<T> {
  return inHands(ports.proposals, row.id, async () => {
    const subject = subjectOf(row);
    try {
      return await work(subject);
    } catch (error) {
      throw await keptAfter(ports, row, subject, error);
    }
  });
}

async function keptAfter(
  ports: GatePorts,
  { id, token }: Proposal,
  subject: Subject,
  error: unknown,
): Promise<unknown> {
  if (error instanceof BegunError) return withNote(error.cause, 'What was begun is completed by the next call.');
  try {
    if (token !== null) {
      ports.proposals.release(id);
      return withNote(error, 'The token stays good.');
    }
    const { discard } = await shelve(ports, subject, 'unplaceable');
    return withNote(error, `What you proposed is kept as discard ${discard}.`);
  } catch (problem) {
    ports.log.error(
      { err: problem, proposal: id },
      'a proposal that failed stays in memory.db, until it can be put away',
    );
    return withNote(error, 'What you proposed is kept, and put into the discard log when that can be written.');
  }
}

function withNote(error: unknown, note: string): unknown {
  if (!(error instanceof AppError)) return error;
  return new AppError(error.code, `${error.message} ${note}`, { cause: error });
}

function refused(message: string): AppError {
  return new AppError('invalid_request', message);
}
