/**
 * The chunks of some contents by their vectors' distance, from the rows. Danger: the filter is applied here once more, since
 * whoever names the contents may name some that no longer stand in a file that passes; and equal distances go by the chunk's id,
 * as in a comparison of all.
 */
import type { Statement } from 'better-sqlite3';
import type { FilterSql } from './filter.ts';
import type { Sqlite } from './open.ts';
import type { SquaredHit } from './reads.ts';
import { toBlob } from './vector-blob.ts';

interface Rescored {
  readonly id: number;
  readonly l2: number;
}

interface ContentChunk {
  readonly chunkId: number;
  readonly fileId: number;
  readonly id: number;
}

export interface RescoredHits {
  /** Nearest first, at most as many as were wanted. */
  readonly hits: SquaredHit[];
  /** Of the contents those without a vector. */
  readonly gone: number[];
}

export class RescoredChunks {
  readonly #db: Sqlite;
  readonly #distances: Statement<[Buffer, string], Rescored>;

  constructor(db: Sqlite) {
    this.#db = db;
    this.#distances = db.prepare(
      `SELECT v.embedding_id AS id, vec_distance_l2(v.vector, ?) AS l2
       FROM json_each(?) j CROSS JOIN embedding_vector v ON v.embedding_id = j.value`,
    );
  }

  /** Inside a transaction. */
  nearest(vector: Float32Array, ids: Uint32Array, filter: FilterSql, limit: number): RescoredHits {
    // In the order of the table: neighbours are often on one page of the file.
    const wanted = ids.toSorted();
    const rescored = this.#distances.all(toBlob(vector), JSON.stringify([...wanted]));
    const gone = rescored.length === wanted.length ? [] : missing(wanted, rescored);
    rescored.sort((a, b) => a.l2 - b.l2 || a.id - b.id);
    return { hits: this.#firstChunks(rescored, filter, limit), gone };
  }

  #firstChunks(rescored: readonly Rescored[], { where, parameters }: FilterSql, limit: number): SquaredHit[] {
    const chunks = this.#db.prepare<unknown[], ContentChunk>(
      `SELECT c.id AS chunkId, c.file_id AS fileId, c.embedding_id AS id
       FROM json_each(?) j CROSS JOIN chunk c INDEXED BY chunk_by_embedding ON c.embedding_id = j.value
       ${where && `CROSS JOIN file f ON f.id = c.file_id WHERE ${where}`}`,
    );
    const hits: SquaredHit[] = [];
    for (let from = 0; from < rescored.length && hits.length < limit; ) {
      const to = endOfTies(rescored, from + limit);
      const part = new Map(rescored.slice(from, to).map(({ id, l2 }) => [id, l2]));
      const found = chunks.all(JSON.stringify([...part.keys()]), ...parameters);
      const near = found.map(({ chunkId, fileId, id }) => ({ chunkId, fileId, l2: part.get(id) as number }));
      hits.push(...near.sort((a, b) => a.l2 - b.l2 || a.chunkId - b.chunkId).slice(0, limit - hits.length));
      from = to;
    }
    return hits;
  }
}

/** The first from `end` on that is farther than the one before it. */
function endOfTies(rescored: readonly Rescored[], end: number): number {
  let to = Math.min(end, rescored.length);
  while (to < rescored.length && rescored[to]?.l2 === rescored[to - 1]?.l2) to++;
  return to;
}

function missing(wanted: Uint32Array, rescored: readonly Rescored[]): number[] {
  const there = new Set(rescored.map(({ id }) => id));
  return [...wanted].filter((id) => !there.has(id));
}
