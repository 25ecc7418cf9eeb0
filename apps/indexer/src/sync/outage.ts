/**
 * Tells an outage, which every file would meet just now (a full disk, a vault that is gone), from a fault that follows one
 * file. Danger: an outage ends a reconcile's work until it is looked again, so a single file's fault that is taken for one
 * keeps all the others out; what is not known here counts as the file's.
 */
import { isDamaged } from '@vault-mcp/shared/index-db/open';

/** Result codes of a database that takes nothing, whatever is stored (SQLite, "Result and Error Codes"). */
const DATABASE_CODES = [
  ...['SQLITE_FULL', 'SQLITE_IOERR', 'SQLITE_READONLY', 'SQLITE_CANTOPEN'],
  ...['SQLITE_BUSY', 'SQLITE_LOCKED', 'SQLITE_PROTOCOL', 'SQLITE_NOMEM'],
];
/** The same of the operating system: no room, no more open files, no memory. */
const SYSTEM_CODES = ['ENOSPC', 'EDQUOT', 'EROFS', 'EMFILE', 'ENFILE', 'ENOMEM'];

export const VAULT_GONE = 'The vault folder is gone. Put it back: the index is kept and goes on from there.';

/** Whether the next file would fail of the same; a damaged index is such a fault. */
export function isOutage(error: unknown): boolean {
  const code = (error as { code?: unknown } | null)?.code;
  if (typeof code !== 'string') return false;
  const isOfDatabase = DATABASE_CODES.some((known) => code === known || code.startsWith(`${known}_`));
  return isOfDatabase || SYSTEM_CODES.includes(code) || isDamaged(error);
}
