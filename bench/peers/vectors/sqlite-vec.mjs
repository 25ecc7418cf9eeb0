/** A store of vectors in SQLite with sqlite-vec in it, set as durable as our index is; what differs is the table and how it is asked. */
import Database from 'better-sqlite3';
import { load } from 'sqlite-vec';

function openDatabase(path) {
  const db = new Database(path);
  db.pragma('journal_mode = WAL');
  db.pragma('synchronous = NORMAL');
  load(db);
  return db;
}

/** The form that sqlite-vec takes. @param {Float32Array} vector */
function numbersOf({ buffer, byteOffset, byteLength }) {
  return Buffer.from(buffer, byteOffset, byteLength);
}

/**
 * @param {{table: string, row: string, idOf: (id: number) => number | bigint}} sql how the table is made, how a row is put in (id, then
 *   vector), and an id as it takes it
 */
export function storeIn(path, { table, row, idOf }) {
  const db = openDatabase(path);
  db.exec(table);
  const insert = db.prepare(row);
  const insertAll = db.transaction((batch) => {
    for (const { id, vector } of batch) insert.run(idOf(id), numbersOf(vector));
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

/** @param {string} query of a vector and how many are wanted */
export function searchIn(path, query) {
  const db = openDatabase(path);
  const find = db.prepare(query);
  return {
    nearest: (vector, k) => find.all(numbersOf(vector), k),
    idsOf: (found) => found.map(({ id }) => id),
    close: () => db.close(),
  };
}
