/**
 * Embedding state inside the index: which contents wait for a vector, which have one, which failed and why. Part of the
 * writer's connection. Danger: a stored vector is only meaningful in the space it was made in; `useSpace` drops all of
 * them when the space changes, and `storeVector` refuses what does not fit.
 */
import type { Sqlite } from './open.ts';

/** A content that waits for its vector, with what its embedded text is rebuilt from. */
export interface PendingEmbedding {
  readonly textHash: string;
  readonly title: string;
  readonly description: string;
  readonly breadcrumb: string;
  readonly text: string;
  readonly attempts: number;
}

export class EmbeddingStore {
  readonly #db: Sqlite;
  readonly #sql: ReturnType<typeof prepareStatements>;

  constructor(db: Sqlite) {
    this.#db = db;
    this.#sql = prepareStatements(db);
  }

  /** Row id for this content, made as pending when new. */
  idFor(textHash: string): number {
    const known = this.#sql.find.get(textHash);
    return known ? known.id : Number(this.#sql.insert.run(textHash).lastInsertRowid);
  }

  /** The space the stored vectors belong to; null before the first. */
  space(): string | null {
    return this.#sql.getMeta.get('space')?.value ?? null;
  }

  /**
   * Makes `space` the one vectors are stored in. Another space than before drops every vector and turns every
   * embedding back to pending; chunks stay. Returns whether anything was dropped.
   */
  useSpace(space: string, dims: number): boolean {
    const before = this.space();
    if (before === space) return false;
    this.#db.transaction(() => {
      this.#sql.dropVectors.run();
      this.#sql.resetStates.run();
      this.#sql.setMeta.run('space', space);
      this.#sql.setMeta.run('dims', String(dims));
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
   * Stores vectors of the current space. Unknown contents (their chunk is gone) are passed over.
   * @returns how many were stored
   */
  storeVectors(vectors: ReadonlyMap<string, Float32Array>): number {
    return this.#db.transaction(() => {
      let stored = 0;
      for (const [textHash, vector] of vectors) {
        const known = this.#sql.find.get(textHash);
        if (!known) continue;
        this.#sql.putVector.run(known.id, Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength));
        this.#sql.setState.run('embedded', null, 0, known.id);
        stored++;
      }
      if (stored > 0) this.#sql.nextGeneration.run();
      return stored;
    })();
  }

  /** Marks contents as failed for good (until their text, or the space, changes), with the reason. */
  fail(reasons: ReadonlyMap<string, string>): void {
    this.#db.transaction(() => {
      for (const [textHash, reason] of reasons) this.#sql.fail.run(reason, textHash);
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
    return this.#sql.retryFailed.run().changes;
  }

  /** Deletes contents no chunk refers to any more. */
  dropUnused(): void {
    this.#sql.dropUnused.run();
  }
}

function prepareStatements(db: Sqlite) {
  return {
    find: db.prepare<[string], { id: number }>('SELECT id FROM embedding WHERE text_hash = ?'),
    insert: db.prepare('INSERT INTO embedding (text_hash) VALUES (?)'),
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
      "UPDATE embedding SET state = 'failed', reason = ?, attempts = attempts + 1, next_try_ms = 0 WHERE text_hash = ?",
    ),
    postpone: db.prepare(
      "UPDATE embedding SET reason = ?, attempts = attempts + 1, next_try_ms = ? WHERE text_hash = ? AND state = 'pending'",
    ),
    retryNow: db.prepare("UPDATE embedding SET next_try_ms = 0 WHERE state = 'pending' AND next_try_ms > 0"),
    retryFailed: db.prepare(
      "UPDATE embedding SET state = 'pending', reason = NULL, attempts = 0, next_try_ms = 0 WHERE state = 'failed'",
    ),
    dropUnused: db.prepare('DELETE FROM embedding WHERE refs = 0'),
    dropVectors: db.prepare('DELETE FROM embedding_vector'),
    resetStates: db.prepare(
      "UPDATE embedding SET state = 'pending', reason = NULL, attempts = 0, next_try_ms = 0 WHERE state <> 'pending' OR next_try_ms > 0",
    ),
    getMeta: db.prepare<[string], { value: string }>('SELECT value FROM meta WHERE key = ?'),
    setMeta: db.prepare('INSERT INTO meta VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value'),
    nextGeneration: db.prepare("UPDATE meta SET value = CAST(value AS INTEGER) + 1 WHERE key = 'generation'"),
  };
}
