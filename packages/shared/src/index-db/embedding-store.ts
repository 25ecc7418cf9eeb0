/**
 * Embedding state inside the index: which contents wait for a vector, which have one, which failed and why. Part of the
 * writer's connection. Danger: a stored vector is only meaningful in the space it was made in; `useSpace` drops all of
 * them when the space changes, and `storeVectors` refuses what cannot be compared with the others.
 */
import type { NoteVectorStore } from './note-vector-store.ts';
import type { Sqlite } from './open.ts';
import { unusable } from './signature.ts';
import { SignatureStore } from './signature-store.ts';
import { toBlob } from './vector-blob.ts';

/** A content that waits for its vector, with what its embedded text is rebuilt from. */
export interface PendingEmbedding {
  /** The content key. */
  readonly textHash: string;
  readonly title: string;
  readonly description: string;
  readonly breadcrumb: string;
  readonly text: string;
  readonly attempts: number;
}

export class EmbeddingStore {
  readonly #db: Sqlite;
  readonly #notes: NoteVectorStore;
  readonly #signatures: SignatureStore;
  readonly #sql: ReturnType<typeof prepareStatements>;

  constructor(db: Sqlite, notes: NoteVectorStore) {
    this.#db = db;
    this.#notes = notes;
    this.#signatures = new SignatureStore(db);
    this.#sql = prepareStatements(db);
  }

  /**
   * Counts one more chunk for each of these contents, which are made as pending when new. Inside a transaction.
   * @returns their row ids, in order
   */
  refer(textHashes: readonly string[]): number[] {
    const chunks = { pending: 0, embedded: 0, failed: 0 };
    const ids = textHashes.map((textHash) => {
      // Two plain statements, no upsert: one that may have to be undone by itself makes FTS5 write out what it gathered
      // in the transaction so far (measured: five times the time to store a chunk).
      const known = this.#sql.find.get(textHash);
      chunks[known?.state ?? 'pending']++;
      if (!known) return Number(this.#sql.insert.run(textHash).lastInsertRowid);
      this.#sql.refer.run(known.id);
      return known.id;
    });
    for (const state of STATES) if (chunks[state] > 0) this.#tally(state, chunks[state]);
    return ids;
  }

  /** Counts one chunk of this content less; the last one takes the content along. Inside a transaction. */
  release(id: number): void {
    const row = this.#sql.release.get(id) as Referred;
    this.#tally(row.state, -1);
    if (row.refs === 0) this.#sql.drop.run(id);
  }

  /** Whether a chunk has this content, whatever became of its vector. */
  holds(textHash: string): boolean {
    return this.#sql.find.get(textHash) !== undefined;
  }

  /** The space the stored vectors belong to; null before the first. */
  space(): string | null {
    return this.#sql.getMeta.get('space')?.value ?? null;
  }

  /**
   * Makes `space` the one vectors are stored in. Another space than before drops every vector and turns every
   * embedding back to pending; chunks stay. Returns whether anything was dropped.
   */
  useSpace(space: string): boolean {
    const before = this.space();
    if (before === space) return false;
    this.#db.transaction(() => {
      this.#sql.dropVectors.run();
      this.#signatures.clear();
      this.#notes.clear();
      this.#sql.resetStates.run();
      this.#sql.allPending.run('embedded');
      this.#sql.allPending.run('failed');
      this.#sql.setMeta.run('space', space);
      this.#sql.nextGeneration.run();
    })();
    return before !== null;
  }

  /**
   * Up to `limit` contents whose next try has come, those in `exclude` left out. Newest first: what somebody just
   * wrote is found by meaning at once, however long the first build still takes.
   */
  pending(limit: number, nowMs: number, exclude: ReadonlySet<string>): PendingEmbedding[] {
    const rows = this.#sql.pending.all(nowMs, limit + exclude.size);
    return rows.filter((row) => !exclude.has(row.textHash)).slice(0, limit);
  }

  /** When the next waiting content may be tried, in milliseconds since the epoch; null when none waits. */
  nextTryMs(): number | null {
    return this.#sql.nextTry.get()?.next ?? null;
  }

  /**
   * Stores vectors of the current space. Unknown contents (their chunk is gone) are passed over. A vector that is no
   * direction (zeros, NaN), or has not as many numbers as the others, is not stored, and its content fails with the reason.
   * @returns how many were stored
   */
  storeVectors(vectors: ReadonlyMap<string, Float32Array>): number {
    return this.#db.transaction(() => {
      const stored: number[] = [];
      const generation = Number(this.#sql.getMeta.get('generation')?.value) + 1;
      const [first] = vectors.values();
      const dims = this.#signatures.dims() ?? first?.length ?? 0;
      for (const [textHash, vector] of vectors) {
        const reason = unusable(vector, dims);
        if (reason !== null) this.fail(new Map([[textHash, reason]]));
        const known = reason === null ? this.#sql.find.get(textHash) : undefined;
        if (!known) continue;
        this.#sql.putVector.run(known.id, toBlob(vector));
        this.#signatures.put(known.id, vector, generation);
        this.#sql.setState.run('embedded', null, 0, known.id);
        this.#move(known, 'embedded');
        stored.push(known.id);
      }
      this.#notes.refreshWith(stored);
      if (stored.length > 0) this.#sql.nextGeneration.run();
      return stored.length;
    })();
  }

  /** Marks contents as failed for good (until their text, or the space, changes), with the reason. */
  fail(reasons: ReadonlyMap<string, string>): void {
    this.#db.transaction(() => {
      for (const [textHash, reason] of reasons) {
        const known = this.#sql.find.get(textHash);
        // A late answer for what has its vector by now changes nothing.
        if (known?.state !== 'pending') continue;
        this.#sql.fail.run(reason, known.id);
        this.#move(known, 'failed');
      }
    })();
  }

  /** Leaves contents pending, to be tried again at `nextTryMs`, with the reason of the last failure. */
  postpone(textHashes: Iterable<string>, reason: string, nextTryMs: number): void {
    this.#db.transaction(() => {
      for (const textHash of textHashes) this.#sql.postpone.run(reason, nextTryMs, textHash);
    })();
  }

  /** Makes every postponed content due now: the embedder is back. */
  retryNow(): void {
    this.#sql.retryNow.run();
  }

  /** Gives every failed content another chance. Returns how many. */
  retryFailed(): number {
    return this.#db.transaction(() => {
      const { changes } = this.#sql.retryFailed.run();
      this.#sql.allPending.run('failed');
      return changes;
    })();
  }

  #move(known: Referred, state: EmbeddingState): void {
    this.#tally(known.state, -known.refs);
    this.#tally(state, known.refs);
  }

  #tally(state: EmbeddingState, chunks: number): void {
    this.#sql.tally.run(chunks, state);
  }
}

const STATES = ['pending', 'embedded', 'failed'] as const;
type EmbeddingState = (typeof STATES)[number];

interface Referred {
  readonly id: number;
  readonly state: EmbeddingState;
  /** Chunks of this content. */
  readonly refs: number;
}

function prepareStatements(db: Sqlite) {
  const moveToPending = db.prepare(
    "UPDATE tally SET value = value + (SELECT value FROM tally WHERE name = ?) WHERE name = 'pending'",
  );
  const empty = db.prepare('UPDATE tally SET value = 0 WHERE name = ?');
  return {
    find: db.prepare<[string], Referred>('SELECT id, state, refs FROM embedding WHERE text_hash = ?'),
    insert: db.prepare('INSERT INTO embedding (text_hash, refs) VALUES (?, 1)'),
    refer: db.prepare('UPDATE embedding SET refs = refs + 1 WHERE id = ?'),
    release: db.prepare<[number], Referred>(
      'UPDATE embedding SET refs = refs - 1 WHERE id = ? RETURNING id, state, refs',
    ),
    drop: db.prepare('DELETE FROM embedding WHERE id = ?'),
    tally: db.prepare('UPDATE tally SET value = value + ? WHERE name = ?'),
    // All chunks of one state become pending: pending first, since the second statement empties what it adds.
    allPending: {
      run(state: EmbeddingState) {
        moveToPending.run(state);
        empty.run(state);
      },
    },
    pending: db.prepare<[number, number], PendingEmbedding>(
      `SELECT e.text_hash AS textHash, e.attempts, f.title, f.description, c.breadcrumb, c.text
       FROM (SELECT id, text_hash, attempts, next_try_ms FROM embedding INDEXED BY embedding_waiting
             WHERE state = 'pending' AND next_try_ms <= ? ORDER BY next_try_ms, id DESC LIMIT ?) e
       JOIN chunk c ON c.id = (SELECT min(id) FROM chunk WHERE embedding_id = e.id)
       JOIN file f ON f.id = c.file_id
       ORDER BY e.next_try_ms, e.id DESC`,
    ),
    nextTry: db.prepare<[], { next: number | null }>(
      "SELECT min(next_try_ms) AS next FROM embedding INDEXED BY embedding_waiting WHERE state = 'pending'",
    ),
    putVector: db.prepare('INSERT OR REPLACE INTO embedding_vector VALUES (?, ?)'),
    setState: db.prepare('UPDATE embedding SET state = ?, reason = ?, next_try_ms = ? WHERE id = ?'),
    fail: db.prepare(
      "UPDATE embedding SET state = 'failed', reason = ?, attempts = attempts + 1, next_try_ms = 0 WHERE id = ?",
    ),
    postpone: db.prepare(
      "UPDATE embedding SET reason = ?, attempts = attempts + 1, next_try_ms = ? WHERE text_hash = ? AND state = 'pending'",
    ),
    retryNow: db.prepare("UPDATE embedding SET next_try_ms = 0 WHERE state = 'pending' AND next_try_ms > 0"),
    retryFailed: db.prepare(
      "UPDATE embedding SET state = 'pending', reason = NULL, attempts = 0, next_try_ms = 0 WHERE state = 'failed'",
    ),
    dropVectors: db.prepare('DELETE FROM embedding_vector'),
    resetStates: db.prepare(
      "UPDATE embedding SET state = 'pending', reason = NULL, attempts = 0, next_try_ms = 0 WHERE state <> 'pending' OR next_try_ms > 0",
    ),
    getMeta: db.prepare<[string], { value: string }>('SELECT value FROM meta WHERE key = ?'),
    setMeta: db.prepare('INSERT INTO meta VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value'),
    nextGeneration: db.prepare("UPDATE meta SET value = CAST(value AS INTEGER) + 1 WHERE key = 'generation'"),
  };
}
