/**
 * Why records are not backed up or not restored. Danger: each of these promises that nothing was changed, or says what
 * was; the message is one plain line for a person.
 */
export class BackupError extends Error {
  override readonly name = 'BackupError';
}

/** What the file system or SQLite says of a disk that takes no more. */
const FULL = new Set(['ENOSPC', 'EDQUOT', 'SQLITE_FULL']);
const FORBIDDEN = new Set(['EACCES', 'EPERM', 'EROFS', 'SQLITE_CANTOPEN', 'SQLITE_READONLY', 'SQLITE_IOERR_WRITE']);

/**
 * The error of a step that writes into a folder, in a person's terms; what is none of those comes back as it is.
 *
 * @param then what became of what was begun, such as "Nothing of the backup was kept."
 */
export function writeProblem(error: unknown, folder: string, then: string): unknown {
  const code = String((error as { code?: unknown } | null)?.code ?? '');
  if (FULL.has(code)) {
    return new BackupError(`The disk that holds ${folder} is full. ${then} Free some space, then try again.`, {
      cause: error,
    });
  }
  if (FORBIDDEN.has(code)) {
    return new BackupError(`${folder} cannot be written by this user (${code}). ${then}`, { cause: error });
  }
  return error;
}
