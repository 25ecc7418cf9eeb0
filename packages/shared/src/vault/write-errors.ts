/**
 * What the file system says when writing fails, in a caller's terms. Danger: each of these promises that nothing was
 * changed, so it is thrown only after what was begun has been cleaned away.
 */
import { AppError } from '../errors.ts';
import { shown } from './path.ts';

/** The AppError for a failed write at a path; errors that no caller can do anything about come back as they are. */
function writeError(error: unknown, path: string): unknown {
  const refused = (code: ConstructorParameters<typeof AppError>[0], message: string) =>
    new AppError(code, message, { cause: error });
  switch ((error as NodeJS.ErrnoException).code) {
    case 'ENOSPC':
    case 'EDQUOT':
      return refused('insufficient_storage', 'The disk that holds the vault is full: free some space, then try again.');
    case 'EROFS':
      return refused('out_of_scope', 'The vault is mounted read-only, so nothing in it can be changed.');
    case 'EACCES':
    case 'EPERM':
      return refused('out_of_scope', `The server has no permission to change "${shown(path)}": grant it write access.`);
    case 'ENAMETOOLONG':
      return refused('invalid_path', `"${shown(path)}" is longer than the file system allows: choose a shorter name.`);
    case 'ELOOP':
    case 'ENOTDIR':
      return refused('invalid_path', `"${shown(path)}" is no plain file in plain folders, so it is not written.`);
    case 'EXDEV':
      return refused(
        'invalid_path',
        `"${shown(path)}" is on another file system: a folder cannot go there whole. Move its files one by one.`,
      );
    case 'EBUSY':
      return refused(
        'locked',
        `"${shown(path)}" is kept busy: something is mounted there, or another program has it open. Nothing was changed: free it, then try again.`,
      );
    case 'ENOENT':
      return refused('not_found', `"${shown(path)}" is not there any more: another program removed it.`);
    default:
      return error;
  }
}

/** Runs a step that writes. @throws what writeError makes of its error */
export async function writing<T>(path: string, step: () => Promise<T>): Promise<T> {
  try {
    return await step();
  } catch (error) {
    throw writeError(error, path);
  }
}
