/**
 * Keeps a table of signatures as the index has it, by reading what is new alone: vectors by the generation that stored them,
 * chunks by id, which are never used twice. Danger: only what is read within one transaction is of one moment, so a table is
 * current only inside the transaction in which `advance` said so; and of what has gone nothing is told, whoever meets it drops it.
 */
import type { Sqlite } from './open.ts';
import { SCALE_BYTES } from './signature.ts';
import { FILES_KEPT, SignatureTable } from './signature-table.ts';

/** When it has grown to so many times what it was, it is seen how much of it is gone. */
const LOOK_AGAIN = 1.5;
/** It may hold so many times what there is before it is made anew. */
const MOST_GONE = 1.25;
/** Not worth looking for less. */
const FEW = 4096;

interface NewSignature {
  readonly id: number;
  readonly generation: number;
  readonly signature: Buffer;
  readonly firstFile: number | null;
  readonly lastFile: number | null;
}

/** Which database, with vectors of which space: of another, nothing that is known holds. */
interface Origin {
  readonly incarnation: string;
  readonly space: string;
}

export class SignatureFeed {
  readonly #sql: ReturnType<typeof prepareStatements>;
  #table: SignatureTable | null = null;
  #origin: Origin = { incarnation: '', space: '' };
  #generation = -1;
  /** The last signature taken, by the order they are read in, and the last chunk. */
  #at = { generation: -1, id: 0 };
  #chunk = 0;
  #sizeBefore = 0;

  constructor(db: Sqlite) {
    this.#sql = prepareStatements(db);
  }

  /** What has been read so far; null without any vector. */
  get table(): SignatureTable | null {
    return this.#table;
  }

  /**
   * Reads up to `most` rows that are new. Inside a transaction.
   * @returns whether the table is as the index is now
   * @throws RangeError when there is no memory for it
   */
  advance(most: number): boolean {
    const generation = Number(this.#meta('generation'));
    if (generation === this.#generation) return true;
    const origin = { incarnation: this.#meta('incarnation'), space: this.#meta('space') };
    const isSame = origin.incarnation === this.#origin.incarnation && origin.space === this.#origin.space;
    if (!isSame || generation < this.#generation || this.#isMostlyGone()) this.#startAgain(origin);
    const signatures = this.#sql.signatures.all(this.#at.generation, this.#at.generation, this.#at.id, most);
    for (const row of signatures) this.#take(row);
    const chunks = this.#sql.chunks.all(this.#chunk, most);
    for (const { embeddingId } of chunks) {
      if (this.#table?.has(embeddingId)) this.#table.moved(embeddingId, this.#filesOf(embeddingId));
    }
    this.#chunk = chunks.at(-1)?.id ?? this.#chunk;
    if (signatures.length === most || chunks.length === most) return false;
    this.#generation = generation;
    return true;
  }

  #take({ id, generation, signature, firstFile, lastFile }: NewSignature): void {
    this.#table ??= new SignatureTable((signature.length - SCALE_BYTES) / 8, this.#sizeBefore);
    const files = firstFile === lastFile ? [firstFile ?? 0] : this.#filesOf(id);
    this.#table.put(id, signature, files);
    this.#at = { generation, id };
  }

  #filesOf(embeddingId: number): number[] {
    return this.#sql.files.all(embeddingId).map(({ fileId }) => fileId);
  }

  #startAgain(origin: Origin): void {
    this.#origin = origin;
    this.#table = null;
    this.#generation = -1;
    this.#at = { generation: -1, id: 0 };
    // Which files the contents stand in now is read with their signatures.
    this.#chunk = this.#sql.lastChunk.get()?.seq ?? 0;
    this.#sizeBefore = this.#total();
  }

  #isMostlyGone(): boolean {
    const size = this.#table?.size ?? 0;
    if (size < this.#sizeBefore * LOOK_AGAIN + FEW) return false;
    this.#sizeBefore = size;
    return size > this.#total() * MOST_GONE + FEW;
  }

  #total(): number {
    return this.#sql.total.get()?.total ?? 0;
  }

  #meta(name: string): string {
    return this.#sql.meta.get(name)?.value ?? '';
  }
}

function prepareStatements(db: Sqlite) {
  return {
    meta: db.prepare<[string], { value: string }>('SELECT value FROM meta WHERE key = ?'),
    signatures: db.prepare<[number, number, number, number], NewSignature>(
      `SELECT s.embedding_id AS id, s.generation, s.signature,
         (SELECT min(file_id) FROM chunk c WHERE c.embedding_id = s.embedding_id) AS firstFile,
         (SELECT max(file_id) FROM chunk c WHERE c.embedding_id = s.embedding_id) AS lastFile
       FROM embedding_signature s INDEXED BY embedding_signature_by_generation
       WHERE s.generation >= ? AND (s.generation > ? OR s.embedding_id > ?)
       ORDER BY s.generation, s.embedding_id LIMIT ?`,
    ),
    total: db.prepare<[], { total: number }>('SELECT count(*) AS total FROM embedding_signature'),
    chunks: db.prepare<[number, number], { id: number; embeddingId: number }>(
      'SELECT id, embedding_id AS embeddingId FROM chunk WHERE id > ? ORDER BY id LIMIT ?',
    ),
    files: db.prepare<[number], { fileId: number }>(
      `SELECT DISTINCT file_id AS fileId FROM chunk INDEXED BY chunk_by_embedding WHERE embedding_id = ? LIMIT ${FILES_KEPT + 1}`,
    ),
    lastChunk: db.prepare<[], { seq: number }>("SELECT seq FROM sqlite_sequence WHERE name = 'chunk'"),
  };
}
