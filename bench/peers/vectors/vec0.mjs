/** sqlite-vec's own table (`vec0`), as its manual has it: every vector compared with every query, in C. */
import { numbersOf, openDatabase } from './sqlite-vec.mjs';

export function openStore(path, dims) {
  const db = openDatabase(path);
  db.exec(`CREATE VIRTUAL TABLE item USING vec0(vector float[${dims}])`);
  const insert = db.prepare('INSERT INTO item (rowid, vector) VALUES (?, ?)');
  const insertAll = db.transaction((batch) => {
    for (const { id, vector } of batch) insert.run(BigInt(id), numbersOf(vector));
  });
  return {
    store(batch) {
      const before = performance.now();
      insertAll(batch);
      return performance.now() - before;
    },
    close: () => db.close(),
  };
}

export function openSearch(path) {
  const db = openDatabase(path);
  const find = db.prepare('SELECT rowid AS id, distance FROM item WHERE vector MATCH ? AND k = ?');
  return {
    nearest: (vector, k) => find.all(numbersOf(vector), k),
    idsOf: (found) => found.map(({ id }) => id),
    close: () => db.close(),
  };
}
