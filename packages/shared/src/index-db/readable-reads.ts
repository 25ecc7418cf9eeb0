/**
 * What the reader counts and names of the files that a caller may read. Danger: whatever is counted of the others tells that
 * they are there; each statement goes through the rows, so it is for who may not read everything.
 */
import type { ReadRules } from '../vault/access.ts';
import { readableSql, UNDER, under } from './filter.ts';
import type { Sqlite } from './open.ts';

/** Chunks of readable files: all, or those whose vector is still missing. */
export function countReadableChunks(db: Sqlite, rules: ReadRules, which: 'all' | 'pending'): number {
  if (which === 'pending') return countWaitingChunks(db, rules, '');
  const { where, parameters } = readableSql(rules);
  const count = db.prepare<unknown[], { total: number }>(
    `SELECT count(*) AS total FROM file f CROSS JOIN chunk c ON c.file_id = f.id WHERE ${where}`,
  );
  return count.get(...parameters)?.total ?? 0;
}

/** Chunks of readable files that could not be embedded, and are not tried again until after that time. */
export function countPostponedChunks(db: Sqlite, rules: ReadRules, untilMs: number): number {
  return countWaitingChunks(db, rules, 'AND e.next_try_ms > ?', untilMs);
}

/** Every search asks, and mostly nothing waits: so it goes by what does, and never through all chunks. */
function countWaitingChunks(db: Sqlite, rules: ReadRules, condition: string, ...values: readonly number[]): number {
  const { where, parameters } = readableSql(rules);
  const count = db.prepare<unknown[], { total: number }>(
    `SELECT count(*) AS total FROM embedding e INDEXED BY embedding_waiting
     CROSS JOIN chunk c ON c.embedding_id = e.id CROSS JOIN file f ON f.id = c.file_id
     WHERE e.state = 'pending' ${condition} AND ${where}`,
  );
  return count.get(...values, ...parameters)?.total ?? 0;
}

/** How many chunks of readable files an expression finds, up to `atMost`. */
export function countTermHolders(db: Sqlite, match: string, rules: ReadRules, atMost: number): number {
  const { where, parameters } = readableSql(rules);
  const count = db.prepare<unknown[], { total: number }>(
    `SELECT count(*) AS total FROM (
       SELECT 1 FROM chunk_terms CROSS JOIN chunk c ON c.id = chunk_terms.rowid CROSS JOIN file f ON f.id = c.file_id
       WHERE chunk_terms MATCH ? AND ${where} LIMIT ?)`,
  );
  return count.get(match, ...parameters, atMost)?.total ?? 0;
}

/** @param rules null: every file is readable */
export function hasFilesUnder(db: Sqlite, prefix: string, rules: ReadRules | null): boolean {
  const { where, parameters } = readableSql(rules ?? WHOLE);
  const found = db.prepare(`SELECT 1 FROM file f WHERE f.state = 'indexed' AND (${UNDER}) AND ${where} LIMIT 1`);
  return found.get(...under(prefix), ...parameters) !== undefined;
}

/** Folders that hold indexed files, sorted, at most `limit`. */
export function readFolders(db: Sqlite, limit: number, rules: ReadRules | null): string[] {
  const { where, parameters } = readableSql(rules ?? WHOLE);
  const folders = db.prepare<unknown[], { folder: string }>(
    `SELECT DISTINCT rtrim(rtrim(path, replace(path, '/', '')), '/') AS folder FROM file f
     WHERE state = 'indexed' AND instr(path, '/') > 0 AND ${where} ORDER BY folder LIMIT ?`,
  );
  return folders.all(...parameters, limit).map(({ folder }) => folder);
}

const WHOLE: ReadRules = [{ prefix: '', read: true }];
