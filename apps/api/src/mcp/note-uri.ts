/**
 * The addresses of notes as resources: `vault://note/` and the percent-encoded path, with `?offset=` for a later page.
 * Pure. Danger: a URL parser would fold `..` away and hide what was asked, so an address is taken apart as it was
 * written, and its path decoded by the rule of every other encoded path.
 */
import { AppError } from '@vault-mcp/shared/errors';
import { decodeRequestPath, type VaultPath } from '@vault-mcp/shared/vault/path';

const PREFIX = 'vault://note/';

/** RFC 6570: `+` lets the path keep its slashes. */
export const NOTE_URI_TEMPLATE = `${PREFIX}{+path}`;

export interface NoteAddress {
  readonly path: VaultPath;
  /** Where to start in the text, in characters (UTF-16 units). */
  readonly offset: number;
}

export function noteUri(path: string, offset = 0): string {
  const address = PREFIX + path.split('/').map(encodeURIComponent).join('/');
  return offset === 0 ? address : `${address}?offset=${offset}`;
}

/**
 * @throws AppError `not_found` for the address of anything but a note; `invalid_path` for a path that no note can have;
 * `invalid_request` for what is no address of a note
 */
export function parseNoteUri(uri: string): NoteAddress {
  if (uri.slice(0, PREFIX.length).toLowerCase() !== PREFIX) {
    throw new AppError('not_found', `Only notes are resources here: ${PREFIX} and the percent-encoded path of one.`);
  }
  const [address = '', query, ...more] = uri.slice(PREFIX.length).split('?');
  if (more.length > 0 || uri.includes('#')) {
    throw new AppError('invalid_request', 'A "?" or "#" in a name is written %3F or %23 in an address.');
  }
  const path = decodeRequestPath(address);
  if (path === '') throw new AppError('invalid_request', `Name a note: ${PREFIX} and its percent-encoded path.`);
  return { path, offset: query === undefined ? 0 : offsetOf(query) };
}

function offsetOf(query: string): number {
  const digits = /^offset=(\d{1,15})$/.exec(query)?.[1];
  if (digits !== undefined) return Number(digits);
  throw new AppError('invalid_request', 'The only parameter of a note is offset, a whole number: ?offset=1000.');
}
