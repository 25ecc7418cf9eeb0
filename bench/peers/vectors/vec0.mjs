/** sqlite-vec's own table (`vec0`), as its manual has it: every vector compared with every query, in C. */
import { searchIn, storeIn } from './sqlite-vec.mjs';

export function openStore(path, dims) {
  const table = `CREATE VIRTUAL TABLE item USING vec0(vector float[${dims}])`;
  return storeIn(path, { table, row: 'INSERT INTO item (rowid, vector) VALUES (?, ?)', idOf: BigInt });
}

export function openSearch(path) {
  return searchIn(path, 'SELECT rowid AS id, distance FROM item WHERE vector MATCH ? AND k = ?');
}
