/**
 * Nearest chunks to a vector. Few vectors are compared one by one; of many, signatures in memory name some hundred that are
 * compared in full, from their rows. Danger: whichever way is gone, the answer has the same form and order, and what a filter
 * leaves out takes no place in it; where the signatures cannot say so, everything is compared.
 */
import { AppError } from '../errors.ts';
import { filterSql } from './filter.ts';
import type { Sqlite } from './open.ts';
import { PassingFiles } from './passing-files.ts';
import type { ReaderConnection } from './reader-connection.ts';
import { narrowedDenseSql, type ReadStatements, type SquaredHit } from './reads.ts';
import { RescoredChunks } from './rescored-chunks.ts';
import type { DenseCandidate, SearchFilter } from './rows.ts';
import { signatureWords, unusable } from './signature.ts';
import { SignatureFeed } from './signature-feed.ts';
import type { NearestContents } from './signature-table.ts';

/**
 * Chunks up to which every vector is compared. At 2 000 both take the same (2 ms of processor time), at 4 000 signatures 2.6 and
 * comparing all 11, since the vectors then no longer fit what SQLite keeps of the file in memory (`npm run bench:scale`).
 */
const COMPARED_ALL = 2_000;
/** New rows that a search reads for itself, some 5 ms of them; more are read in the background, and it compares everything. */
const READ_AT_ONCE = 2_000;
/** Rows a step in the background: some 3 ms. */
const READ_A_STEP = 1_000;
/** Between two steps. */
const REST_MS = 1;
/**
 * Contents compared in full for each chunk wanted; and looked at more closely for each of these. Of 50 wanted among 200 000, 4 finds
 * .96, 8 .998 and 10 .999, and more than 4 looked at for each of them add nothing; twice as many, since at a million it is less.
 */
const KEPT_FOR_EACH = 10;
const WEIGHED_FOR_EACH = 8;

/**
 * Vectors that are less like their signs than this are all compared. Sentence models' are .79 to .86, and of the 50 nearest among 8 250
 * texts all were found; the `lexical` embedder's, most of whose numbers are next to nothing, .36 to .46, and half were.
 */
const LEAST_LIKENESS = 0.65;

export interface DenseLimits {
  /** Chunks up to which every vector is compared. */
  readonly comparedAll: number;
  readonly keptForEach: number;
}

interface Followed {
  readonly db: Sqlite;
  readonly feed: SignatureFeed;
  readonly files: PassingFiles;
  readonly chunks: RescoredChunks;
  /** Whether memory ran out: then everything is compared, until another file is opened. */
  full: boolean;
}

export class DenseSearch {
  readonly #connection: ReaderConnection;
  readonly #limits: DenseLimits;
  #followed: Followed | null = null;
  #step: NodeJS.Timeout | null = null;

  /** @param limits other than the measured ones, for tests */
  constructor(connection: ReaderConnection, limits: Partial<DenseLimits> = {}) {
    this.#connection = connection;
    this.#limits = { comparedAll: COMPARED_ALL, keptForEach: KEPT_FOR_EACH, ...limits };
  }

  /**
   * @param vector of unit length, of the stored space
   * @throws AppError `invalid_request` for a vector that can be compared with nothing
   */
  candidates(vector: Float32Array, filter: SearchFilter, limit: number): DenseCandidate[] {
    return this.#connection.use((db, sql) =>
      db.transaction(() => {
        refuseUnusable(sql, vector);
        const narrowing = filterSql(filter, sql.anySuperseded.get() !== undefined);
        const hits = this.#bySignatures(db, sql, { vector, narrowing, limit });
        return (hits ?? compareAll(db, sql, { vector, narrowing, limit })).map(toCandidate);
      })(),
    );
  }

  /** Begins to read what a search in a large vault needs, so that the first one does not have to. Never throws. */
  prepare(): void {
    try {
      this.#connection.use((db, sql) => {
        if (isMany(sql, this.#limits)) this.#readOn(this.#follow(db));
      });
    } catch {
      // There is no index yet, or none that can be read: whoever searches will be told.
    }
  }

  /** Of the signatures, in bytes; 0 while none are kept. */
  byteLength(): number {
    return this.#followed?.feed.table?.byteLength() ?? 0;
  }

  close(): void {
    if (this.#step) clearTimeout(this.#step);
    this.#step = null;
    this.#followed = null;
  }

  /** Null where all have to be compared. */
  #bySignatures(db: Sqlite, sql: ReadStatements, { vector, narrowing, limit }: Asked): SquaredHit[] | null {
    if (!isMany(sql, this.#limits)) return null;
    const followed = this.#follow(db);
    if (followed.full) return null;
    if (!this.#advance(followed, READ_AT_ONCE)) {
      this.#readOn(followed);
      return null;
    }
    const { table } = followed.feed;
    if (table === null || table.words !== signatureWords(vector.length)) return null;
    if (table.likeness(vector.length) < LEAST_LIKENESS) return null;
    const now = { incarnation: sql.meta.get('incarnation')?.value ?? '', lastId: sql.lastFileId.get()?.seq ?? 0 };
    const bits = narrowing.where === '' ? null : followed.files.bits(db, narrowing, now);
    const kept = limit * this.#limits.keptForEach;
    const near: NearestContents = table.nearest(vector, bits, { weighed: kept * WEIGHED_FOR_EACH, kept });
    const { hits, gone } = followed.chunks.nearest(vector, near.ids, narrowing, limit);
    for (const id of gone) table.drop(id);
    // Fewer than there may be: files that are gone, or that share contents, took the places of others.
    return hits.length < limit && !near.complete ? null : hits;
  }

  /** Another file was put in its place, or none was read yet: begins anew. */
  #follow(db: Sqlite): Followed {
    if (this.#followed?.db !== db) {
      const parts = { feed: new SignatureFeed(db), files: new PassingFiles(), chunks: new RescoredChunks(db) };
      this.#followed = { db, ...parts, full: false };
    }
    return this.#followed;
  }

  #advance(followed: Followed, most: number): boolean {
    try {
      return followed.feed.advance(most);
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      followed.full = true;
      return false;
    }
  }

  /** Reads step by step, each in a transaction of its own, so that requests are answered in between. */
  #readOn(followed: Followed): void {
    if (this.#step !== null || followed.full) return;
    this.#step = setTimeout(() => {
      this.#step = null;
      if (this.#readStep(followed)) this.#readOn(followed);
    }, REST_MS);
    // A program that has nothing else to do may end. (An immediate of this kind would not run until something else does.)
    this.#step.unref();
  }

  /** Whether there is more. What is wrong with the file the next search will say. */
  #readStep(followed: Followed): boolean {
    try {
      return this.#connection.use((db) => {
        if (db !== followed.db || this.#followed !== followed) return false;
        return !db.transaction(() => this.#advance(followed, READ_A_STEP))();
      });
    } catch {
      return false;
    }
  }
}

interface Asked {
  readonly vector: Float32Array;
  readonly narrowing: { readonly where: string; readonly parameters: readonly string[] };
  readonly limit: number;
}

/** The one place that decides: a chunk more is a vector more at most. */
function isMany(sql: ReadStatements, { comparedAll }: DenseLimits): boolean {
  return (sql.tally.get('embedded')?.value ?? 0) > comparedAll;
}

function compareAll(db: Sqlite, sql: ReadStatements, { vector, narrowing, limit }: Asked): SquaredHit[] {
  const { where, parameters } = narrowing;
  const blob = Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength);
  return where
    ? db.prepare<unknown[], SquaredHit>(narrowedDenseSql(where)).all(blob, ...parameters, limit)
    : sql.dense.all(blob, limit, limit);
}

function refuseUnusable(sql: ReadStatements, vector: Float32Array): void {
  const dims = sql.vectorDims.get()?.dims;
  const reason = unusable(vector, dims ?? vector.length);
  if (reason === null) return;
  const next = 'The embedder that questions go to has to be the one that the notes were embedded by.';
  throw new AppError('invalid_request', `${reason} ${next}`);
}

/** Stored vectors and the query are unit-length, so cosine distance follows from the Euclidean one: d² / 2. */
function toCandidate({ chunkId, fileId, l2 }: SquaredHit): DenseCandidate {
  return { chunkId, fileId, distance: (l2 * l2) / 2 };
}
