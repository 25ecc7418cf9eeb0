/**
 * How many rows of terms the full-text index has and how many terms in all, as its ranks count them. FTS5 keeps both in one
 * record of its own (the averages record of fts5_index.c: row 1 of the data table, varints). Danger: rows that were deleted from
 * a contentless table stay counted there, and its ranks go by that; so these are for working out ranks, never for telling how
 * much there is. Nothing was put in yet: zeros.
 */
import type { Sqlite } from './open.ts';

export interface TermStatistics {
  /** Of notes' chunks and of documents'. */
  readonly rows: number;
  /** Terms of all rows together. */
  readonly terms: number;
}

export function readTermStatistics(db: Sqlite): TermStatistics {
  const record = db.prepare<[], { block: Buffer }>('SELECT block FROM chunk_terms_data WHERE id = 1').get();
  const [rows = 0, terms = 0] = record === undefined ? [] : varintsOf(record.block);
  return { rows, terms };
}

/** Seven bits a byte, the highest first, all but the last with the eighth bit set: numbers below 2^53 alone are met here. */
function varintsOf(block: Buffer): number[] {
  const numbers: number[] = [];
  let value = 0;
  for (const byte of block) {
    value = value * 128 + (byte & 127);
    if (byte >= 128) continue;
    numbers.push(value);
    value = 0;
  }
  return numbers;
}
