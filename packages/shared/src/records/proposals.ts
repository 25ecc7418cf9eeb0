/**
 * Every proposal and every consolidation from the moment it came until it is answered, in `memory.db`: what makes the
 * promise good that nothing proposed is lost. Danger: a method has returned only when its change is on the disk, so that
 * nobody decides about what a power cut could take; and a change is made only in the state, and by the owner, that it is
 * meant for, since several processes share the file and any of them may take over what a dead one left.
 */
import { randomBytes, randomUUID } from 'node:crypto';
import { AppError } from '../errors.ts';
import type { Logger } from '../log.ts';
import { PROPOSAL_INDEXES, PROPOSAL_READS, REMOVE_OLD_ANSWERS } from './proposal-reads.ts';
import {
  PROPOSAL_COLUMNS,
  type Proposal,
  type ProposalRow,
  readProposalRow,
  type StoredObject,
} from './proposal-rows.ts';
import type { Claim, Claimant, NewProposal, Offer, ProposalCounts, ProposalStore } from './proposal-store.ts';
import { createPruning, type Pruning } from './pruning.ts';
import { openRecord, type RecordDatabase, type RecordSchema } from './versioned-database.ts';

export interface ProposalOptions {
  /** As whom this process has rows in hand: its locks' owner. */
  readonly owner: string;
  readonly logger: Logger;
  /** Clock in milliseconds; tests pass their own. */
  readonly now?: () => number;
  /** How long a change waits for other processes, in milliseconds. Default 5 000. */
  readonly waitMs?: number;
}

/** `VMME`. */
const APPLICATION_ID = 0x564d4d45;
const WAIT_MS = 5_000;
const TOKEN_BYTES = 24;
/** How long an answer stays good for a token or an idempotency key that comes again. */
const ANSWERS_KEPT_DAYS = 30;

export const PROPOSAL_SCHEMA: RecordSchema = {
  applicationId: APPLICATION_ID,
  upgrades: [
    `CREATE TABLE proposal (
       id TEXT PRIMARY KEY,
       kind TEXT NOT NULL CHECK (kind IN ('propose', 'consolidate')),
       state TEXT NOT NULL CHECK (state IN ('deciding', 'open', 'writing', 'done')),
       owner TEXT,
       agent TEXT NOT NULL,
       source TEXT,
       candidate_hash TEXT NOT NULL,
       request TEXT,
       seen TEXT,
       token TEXT UNIQUE,
       reruns INTEGER NOT NULL DEFAULT 0,
       created_ms INTEGER NOT NULL,
       expires_ms INTEGER,
       settled_ms INTEGER,
       idempotency_key TEXT,
       intent TEXT,
       answer TEXT,
       UNIQUE (agent, idempotency_key)
     );
     ${PROPOSAL_INDEXES}`,
  ],
};

/**
 * Opens the proposals of a data folder, `<dataPath>/memory.db`.
 *
 * @throws RecordOpenError when it is a newer version's, damaged, or cannot be written: the start has to fail then
 */
export function openProposals(path: string, options: ProposalOptions): ProposalStore {
  return new SqliteProposals(connectToProposals(path, options.waitMs), options);
}

/** @throws like openProposals */
export function connectToProposals(path: string, waitMs = WAIT_MS): RecordDatabase {
  const db = openRecord(path, PROPOSAL_SCHEMA);
  // What a method has written down, no power cut may take; and text that is forgotten leaves no trace in the file, once what
  // SQLite keeps beside it (-wal) is folded in, at the latest when the last program closes it.
  db.pragma('synchronous = FULL');
  db.pragma('secure_delete = ON');
  db.pragma(`busy_timeout = ${waitMs}`);
  return db;
}

class SqliteProposals implements ProposalStore {
  readonly #db: RecordDatabase;
  readonly #owner: string;
  readonly #now: () => number;
  readonly #pruning: Pruning;

  constructor(db: RecordDatabase, { owner, logger, now = Date.now }: ProposalOptions) {
    this.#db = db;
    this.#owner = owner;
    this.#now = () => Math.round(now());
    const removeSome = db.prepare(REMOVE_OLD_ANSWERS);
    this.#pruning = createPruning(
      { what: 'answers to proposals', removeSome: (before, limit) => removeSome.run({ before, limit }).changes },
      { retentionDays: ANSWERS_KEPT_DAYS, logger, now: this.#now },
    );
    this.#pruning.whenDue();
  }

  begin({ kind, agent, source, candidateHash, request, idempotencyKey }: NewProposal) {
    const given = {
      ...{ id: randomUUID(), kind, agent, source: source ?? null, candidateHash, request: JSON.stringify(request) },
      ...{ owner: this.#owner, nowMs: this.#now(), key: idempotencyKey ?? null },
    };
    return this.#exclusively(() => {
      const fresh =
        this.#run(
          `INSERT INTO proposal (id, kind, state, owner, agent, source, candidate_hash, request, created_ms, idempotency_key)
           VALUES (@id, @kind, 'deciding', @owner, @agent, @source, @candidateHash, @request, @nowMs, @key)
           ON CONFLICT (agent, idempotency_key) DO NOTHING`,
          given,
        ) === 1;
      const where = fresh ? 'id = @id' : 'agent = @agent AND idempotency_key = @key';
      const row = this.#one(where, fresh ? { id: given.id } : { agent, key: given.key });
      if (row === undefined) throw new Error('a proposal that was just written is not there');
      return { row: row ?? unreadable('idempotency key', 'with another key'), fresh };
    });
  }

  get(id: string): Proposal | null {
    return this.#asked(() => this.#one('id = @id', { id })) ?? null;
  }

  offer(id: string, { seen, expiresMs, again = false }: Offer): string {
    const token = randomBytes(TOKEN_BYTES).toString('base64url');
    this.#change(
      id,
      ['deciding'],
      "state = 'open', owner = NULL, token = @token, seen = @seen, expires_ms = @expiresMs, reruns = reruns + @again",
      {
        ...{ token, seen: JSON.stringify(seen), expiresMs: Math.round(expiresMs), again: again ? 1 : 0 },
      },
    );
    return token;
  }

  claim(token: string, { agent, candidateHash, source }: Claimant): Claim {
    return this.#exclusively((): Claim => {
      const proposal = this.#one('token = @token', { token });
      if (proposal === null) return unreadable('token', 'without a token');
      if (proposal === undefined || proposal.agent !== agent) return { outcome: 'unknown' };
      if (proposal.candidateHash !== candidateHash) return { outcome: 'other_candidate' };
      if (proposal.answer !== null) return { outcome: 'done', proposal, answer: proposal.answer };
      if (proposal.state !== 'open') return { outcome: 'taken', proposal };
      if ((proposal.expiresMs ?? 0) <= this.#now()) return { outcome: 'expired', proposal };
      const taken = this.#take(proposal, source);
      return taken === null ? { outcome: 'taken', proposal } : { outcome: 'claimed', proposal: taken };
    });
  }

  takeOver(proposal: Proposal): Proposal | null {
    return this.#exclusively(() => this.#take(proposal));
  }

  release(id: string): void {
    this.#change(
      id,
      ['deciding', 'writing'],
      "state = 'open', owner = NULL, intent = NULL",
      {},
      'AND token IS NOT NULL',
    );
  }

  plan(id: string, intent: object): void {
    this.#change(id, ['deciding', 'writing'], "state = 'writing', intent = @intent", {
      intent: JSON.stringify(intent),
    });
  }

  finish(id: string, answer: object): void {
    const forgotten = 'owner = NULL, request = NULL, seen = NULL, intent = NULL';
    this.#change(id, ['deciding', 'writing'], `state = 'done', answer = @answer, settled_ms = @nowMs, ${forgotten}`, {
      ...{ answer: JSON.stringify(answer), nowMs: this.#now() },
    });
    this.#pruning.whenDue();
  }

  forgetKey(id: string): void {
    this.#asked(() =>
      this.#run("UPDATE proposal SET idempotency_key = NULL WHERE id = @id AND state = 'done'", { id }),
    );
  }

  unsettled(): Proposal[] {
    return this.#all('unsettled', {});
  }

  expired(nowMs: number): Proposal[] {
    return this.#all('expired', { nowMs });
  }

  surplus(agent: string, keep: number): Proposal[] {
    return this.#all('surplus', { agent, keep });
  }

  answersSince(sinceMs: number): StoredObject[] {
    return this.#all('answersSince', { sinceMs }).flatMap(({ answer }) => (answer === null ? [] : [answer]));
  }

  counts(): ProposalCounts {
    const counts = { open: 0, unsettled: 0, damaged: 0 };
    this.#asked(() => {
      for (const row of this.#read('unanswered').iterate({})) {
        const proposal = readProposalRow(row);
        if (proposal === null) counts.damaged++;
        else counts[proposal.state === 'open' ? 'open' : 'unsettled']++;
      }
    });
    return counts;
  }

  close(): void {
    this.#pruning.stop();
    this.#db.close();
  }

  /** Within a transaction: by the state and owner that the row was read with. */
  #take({ id, state, owner }: Proposal, source: string | null = null): Proposal | null {
    if (state === 'done') return null;
    const taken = this.#run(
      `UPDATE proposal SET owner = @ours, source = coalesce(@source, source), state = iif(state = 'open', 'deciding', state)
       WHERE id = @id AND state = @state AND owner IS @owner`,
      { id, state, owner, source, ours: this.#owner },
    );
    return taken === 1 ? (this.#one('id = @id', { id }) ?? null) : null;
  }

  /** Changes a row that is in our hands. */
  #change(id: string, from: readonly Proposal['state'][], set: string, values: object, and = ''): void {
    const states = from.map((state) => `'${state}'`).join(', ');
    const changed = this.#asked(() =>
      this.#run(`UPDATE proposal SET ${set} WHERE id = @id AND owner = @ours AND state IN (${states}) ${and}`, {
        ...{ ...values, id, ours: this.#owner },
      }),
    );
    if (changed !== 1)
      throw new Error(`the proposal ${id} is not in the hands of this process, or not ${from.join(' or ')}`);
  }

  #run(sql: string, values: object): number {
    return this.#db.prepare<object>(sql).run(values).changes;
  }

  #read(which: keyof typeof PROPOSAL_READS) {
    return this.#db.prepare<object, ProposalRow>(PROPOSAL_READS[which]);
  }

  /** Undefined when there is none, null when it is damaged. */
  #one(where: string, values: object): Proposal | null | undefined {
    const one = `SELECT ${PROPOSAL_COLUMNS} FROM proposal WHERE ${where}`;
    const row = this.#db.prepare<object, ProposalRow>(one).get(values);
    return row === undefined ? undefined : readProposalRow(row);
  }

  /** Without damaged ones. */
  #all(which: keyof typeof PROPOSAL_READS, values: object): Proposal[] {
    return this.#asked(() => this.#read(which).all(values)).flatMap((row) => readProposalRow(row) ?? []);
  }

  #exclusively<T>(work: () => T): T {
    return this.#asked(() => this.#db.transaction(work).immediate());
  }

  #asked<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      throw refusalOf(error);
    }
  }
}

function unreadable(by: string, how: string): never {
  const message = `What this ${by} stands for cannot be read any more: send the candidate again ${how}.`;
  throw new AppError('invalid_request', message);
}

/** What the database failed with, in a caller's terms. */
function refusalOf(error: unknown): unknown {
  const code = String((error as { code?: unknown }).code);
  if (code.startsWith('SQLITE_FULL')) {
    const message = "The disk that holds the server's data is full, so nothing was changed: free some space.";
    return new AppError('insufficient_storage', message, { cause: error });
  }
  if (code.startsWith('SQLITE_BUSY')) {
    const message = 'Other programs keep the proposals busy, so nothing was changed: try again.';
    return new AppError('locked', message, { cause: error });
  }
  return error;
}
