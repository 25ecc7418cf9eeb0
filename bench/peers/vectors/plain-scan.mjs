/** sqlite-vec's distance over an ordinary table of vectors, sorted: the plain scan, and no virtual table. */
import { searchIn, storeIn } from './sqlite-vec.mjs';

export function openStore(path) {
  const table = 'CREATE TABLE item (id INTEGER PRIMARY KEY, vector BLOB NOT NULL)';
  return storeIn(path, { table, row: 'INSERT INTO item VALUES (?, ?)', idOf: (id) => id });
}

export function openSearch(path) {
  return searchIn(path, 'SELECT id, vec_distance_l2(vector, ?) AS distance FROM item ORDER BY distance LIMIT ?');
}
