/** sqlite-vec's distance over an ordinary table of vectors, sorted: the plain scan, and no virtual table. */
import { numbersOf, openDatabase } from './sqlite-vec.mjs';

export function openStore(path) {
  const db = openDatabase(path);
  db.exec('CREATE TABLE item (id INTEGER PRIMARY KEY, vector BLOB NOT NULL)');
  const insert = db.prepare('INSERT INTO item VALUES (?, ?)');
  const insertAll = db.transaction((batch) => {
    for (const { id, vector } of batch) insert.run(id, numbersOf(vector));
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
  const find = db.prepare('SELECT id, vec_distance_l2(vector, ?) AS distance FROM item ORDER BY distance LIMIT ?');
  return {
    nearest: (vector, k) => find.all(numbersOf(vector), k),
    idsOf: (found) => found.map(({ id }) => id),
    close: () => db.close(),
  };
}
