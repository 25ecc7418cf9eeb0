/** A database with sqlite-vec in it, set as durable as our index is, and vectors in the form that it takes. */
import Database from 'better-sqlite3';
import { load } from 'sqlite-vec';

export function openDatabase(path) {
  const db = new Database(path);
  db.pragma('journal_mode = WAL');
  db.pragma('synchronous = NORMAL');
  load(db);
  return db;
}

/** @param {Float32Array} vector */
export function numbersOf({ buffer, byteOffset, byteLength }) {
  return Buffer.from(buffer, byteOffset, byteLength);
}
