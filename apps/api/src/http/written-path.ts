/**
 * The path that a write is about, from the request as it was sent. Danger: a path that ends in a slash means a folder;
 * taken for the file of that name, it would change what its author did not name.
 */
import { AppError } from '@vault-mcp/shared/errors';
import { decodeRequestPath, type FileKind, fileKindOf, shown, type VaultPath } from '@vault-mcp/shared/vault/path';
import type { HttpContext } from './env.ts';
import { rawPathBehind } from './raw-path.ts';

/**
 * What a write below `/vault/` is about, by the end of its path as it was sent, whether or not there can be such a path.
 * Of a folder's spelling only that of a document is one: whatever else it names is no file.
 */
export function writtenKind(c: HttpContext, docSuffixes: readonly string[]): FileKind | 'folder' {
  const raw = rawPathBehind(c, '/vault');
  const kind = fileKindOf(decodedAsFarAsPossible(raw.replace(/\/$/, '')), docSuffixes);
  return kind === 'attachment' && (raw === '' || raw.endsWith('/')) ? 'folder' : kind;
}

/** A badly encoded path stays as it is: only its end is of interest, and it is refused by whoever decodes it. */
function decodedAsFarAsPossible(raw: string): string {
  try {
    return decodeURIComponent(raw);
  } catch {
    return raw;
  }
}

/** Of a file below `/vault/`. @throws AppError `invalid_path`; `is_directory` for a folder's spelling */
export function writtenFile(c: HttpContext): VaultPath {
  const raw = rawPathBehind(c, '/vault');
  const path = decodeRequestPath(raw.replace(/\/$/, ''));
  if (raw !== '' && !raw.endsWith('/')) return path;
  const what = path === '' ? 'The vault itself is a folder' : `"${shown(path)}/" is a folder's path`;
  const advice =
    'name a note, without a slash at the end. Folders are made and removed by PUT and DELETE /folder/<path>.';
  throw new AppError('is_directory', `${what}: ${advice}`);
}

/** Of a folder below `/folder/`, with or without a slash at the end. @throws AppError `invalid_path` */
export function writtenFolder(c: HttpContext): VaultPath {
  const path = decodeRequestPath(rawPathBehind(c, '/folder'));
  if (path !== '') return path;
  throw new AppError('invalid_path', 'The vault itself is neither made nor removed: name a folder in it.');
}
