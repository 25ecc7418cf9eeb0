/**
 * A copy of a SQLite file as of one moment, also while other processes write it. Danger: reading such a file by other
 * means than SQLite gives a mixture of moments, and in a process that has it open, drops that process's locks on it.
 */
import { chmodSync, rmSync } from 'node:fs';
import Database from 'better-sqlite3';

/**
 * Copies by a connection of its own, which only reads. What stands at `copy` is replaced. The copy is whole and closed to
 * others, not in WAL mode, and not yet brought to the disk.
 *
 * @throws the SQLite error
 */
export function copyDatabase(path: string, copy: string): void {
  rmSync(copy, { force: true });
  const reader = new Database(path, { readonly: true, fileMustExist: true });
  try {
    reader.prepare('VACUUM INTO ?').run(copy);
    chmodSync(copy, 0o600);
  } finally {
    reader.close();
  }
}
