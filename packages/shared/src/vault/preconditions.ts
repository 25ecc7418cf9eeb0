/**
 * What a caller demands of a file before it is changed. Danger: checked before anything else about the content, under
 * the lock, so that of several callers who saw the same version exactly one is let through.
 */
import { AppError } from '../errors.ts';
import { shown, type VaultPath } from './path.ts';

export interface Preconditions {
  /** If-Match, bare: the etag (hex SHA-256 of the bytes) the caller saw; `*` for any version, as long as there is one. */
  readonly expectedEtag?: string | undefined;
  /** If-None-Match: *. Nothing may be there; `precondition_failed` otherwise. */
  readonly ifNoneMatch?: boolean | undefined;
}

/**
 * @param etag of what is there; null when nothing is
 * @throws AppError `precondition_failed`, naming the current etag
 */
export function checkPreconditions(path: VaultPath, etag: string | null, conditions: Preconditions): void {
  const { expectedEtag, ifNoneMatch } = conditions;
  if (expectedEtag !== undefined && etag === null) {
    throw failed(
      `"${shown(path)}" is not there, so no version of it can match. Nothing was changed; look for it under ` +
        'another name, or repeat without an etag if it is to be made.',
    );
  }
  if (expectedEtag !== undefined && expectedEtag !== '*' && expectedEtag !== etag) {
    throw failed(
      `"${shown(path)}" is another version than the one you saw: its etag is now "${etag}". Nothing was changed; ` +
        'read it again, and repeat with that etag if the change still makes sense.',
    );
  }
  if (ifNoneMatch && etag !== null) {
    throw failed(
      `"${shown(path)}" is there already, with the etag "${etag}". Nothing was changed; read it, and change that ` +
        'version, or choose another name.',
    );
  }
}

function failed(message: string): AppError {
  return new AppError('precondition_failed', message);
}
