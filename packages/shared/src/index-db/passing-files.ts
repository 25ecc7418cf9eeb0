/**
 * Which files pass a filter, one bit an id, remembered. A file's row is never changed in what a filter asks, but replaced under a
 * higher id, so only new ones are ever asked about again. Danger: bits of files that are gone stay set; and all of it is of one
 * incarnation of the database, so it goes when that does.
 */
import type { FilterSql } from './filter.ts';
import type { Sqlite } from './open.ts';
import type { FileBits } from './signature-table.ts';

/** Filters remembered, the last ones asked for: agents' scopes, and the folders people search in. */
const REMEMBERED = 16;

interface Known {
  readonly bits: FileBits;
  readonly lastId: number;
}

export class PassingFiles {
  readonly #known = new Map<string, Known>();
  #incarnation = '';

  /**
   * Inside a transaction.
   * @param now the database's incarnation, and the highest id that a file was ever given in it
   */
  bits(db: Sqlite, { where, parameters }: FilterSql, now: { incarnation: string; lastId: number }): FileBits {
    const { incarnation, lastId } = now;
    if (incarnation !== this.#incarnation) this.#known.clear();
    this.#incarnation = incarnation;
    const key = JSON.stringify([where, parameters]);
    const before = this.#known.get(key);
    const known = before?.lastId === lastId ? before : extended(db, { where, parameters }, before, lastId);
    // Last in the map is last asked for.
    this.#known.delete(key);
    this.#known.set(key, known);
    const [oldest] = this.#known.keys();
    if (this.#known.size > REMEMBERED && oldest !== undefined) this.#known.delete(oldest);
    return known.bits;
  }
}

function extended(db: Sqlite, { where, parameters }: FilterSql, before: Known | undefined, lastId: number): Known {
  const bits = new Uint8Array((lastId >> 3) + 1);
  if (before !== undefined) bits.set(before.bits);
  // At first whatever index suits the filter, afterwards the few new rows.
  const isNew = before === undefined ? '+f.id > 0' : `f.id > ${before.lastId}`;
  const passing = db.prepare<unknown[], number>(`SELECT f.id FROM file f WHERE ${isNew} AND ${where}`).pluck();
  for (const id of passing.all(...parameters)) bits[id >> 3] = (bits[id >> 3] as number) | (1 << (id & 7));
  return { bits, lastId };
}
