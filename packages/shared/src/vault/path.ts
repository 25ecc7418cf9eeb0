/**
 * The one place where a caller's string becomes a vault path. Danger: everything behind it hands paths to the file
 * system, so a VaultPath is canonical and cannot leave the root by construction: no `..`, no empty or dotted segment,
 * no backslash, no control character. Whether a component is a symbolic link is for vault.ts to see, on the disk.
 */
import { AppError } from '../errors.ts';

/** Canonical path below the vault's root: `/` between segments, none at either end; the empty string is the root. */
export type VaultPath = string & { readonly __vaultPath: unique symbol };

/**
 * The longest path there is, in characters, which are never more than its bytes: Linux opens none of more than 4 096
 * bytes. What comes behind it works through every part of a path, so a longer one is refused before it costs anything.
 */
const MAX_PATH_CHARS = 4096;

export type FileKind = 'note' | 'document' | 'attachment';

/**
 * Normalises a path that a caller wrote. White space counts; a surface that trims (MCP) does so before.
 *
 * @param root what it is relative to, as a refusal names it
 * @throws AppError `invalid_path`
 */
export function parseVaultPath(path: string, root = 'the vault'): VaultPath {
  if (path.length > MAX_PATH_CHARS) throw invalid(`The path has more than ${MAX_PATH_CHARS} characters.`);
  if (path.includes('\0')) throw invalid('A path cannot hold a NUL character.');
  if (/\p{Surrogate}/u.test(path)) throw invalid('The path is not valid Unicode text: it holds half of a character.');
  if (path.includes('\\')) throw invalid(`"${shown(path)}" holds a backslash: separate folders with "/".`);
  if (hasControlCharacter(path))
    throw invalid(`"${shown(path)}" holds a control character, such as a line break: no such name is served.`);
  const segments: string[] = [];
  for (const segment of path.split('/')) {
    if (segment === '' || segment === '.') continue;
    if (segment !== '..') segments.push(segment);
    else if (segments.pop() === undefined) throw invalid(`"${shown(path)}" leads out of ${root}.`);
  }
  refuseDotted(segments);
  return segments.join('/') as VaultPath;
}

/**
 * Decodes the part of a raw URL pathname that stands behind a route's mount. Each segment is decoded exactly once, so
 * that `%252e` stays the name it spells and `..%2f` is refused rather than followed.
 *
 * @throws AppError `invalid_path`
 */
export function decodeRequestPath(rawPathname: string): VaultPath {
  const path = rawPathname.replace(/^\/+/, '').replace(/\/$/, '');
  if (path === '') return '' as VaultPath;
  const segments = path.split('/').map(decodeSegment);
  refuseDotted(segments);
  return parseVaultPath(segments.join('/'));
}

function decodeSegment(raw: string): string {
  if (raw === '') throw invalid('The path has an empty segment: write one "/" between two names.');
  let segment: string;
  try {
    segment = decodeURIComponent(raw);
  } catch (cause) {
    throw new AppError('invalid_path', `"${shown(raw)}" is not a valid percent-encoded name: encode it as UTF-8.`, {
      cause,
    });
  }
  if (segment === '.' || segment === '..') throw invalid('"." and ".." are not allowed in a path.');
  if (/[/\\]/.test(segment)) throw invalid(`"${shown(raw)}" holds an encoded separator: separate folders with "/".`);
  if (hasControlCharacter(segment)) throw invalid(`"${shown(raw)}" holds a control character.`);
  return segment;
}

/** A path in the spelling of the disk, taken from a directory listing; null when no caller could name it. */
export function pathFromDisk(folder: string, name: string): VaultPath | null {
  if (name === '' || name.startsWith('.') || /[\\/\ufffd]|\p{Surrogate}|\p{Cc}/u.test(name)) return null;
  return (folder === '' ? name : `${folder}/${name}`) as VaultPath;
}

/** A kind of entry in a sentence: `a note`, `an attachment`. */
export function aKind(kind: string): string {
  return `${/^[aeiou]/.test(kind) ? 'an' : 'a'} ${kind}`;
}

/** Key under which two spellings of one path are equal: NFC and lower case. For comparing, never for opening. */
export function pathKey(path: string): string {
  return path.normalize('NFC').toLowerCase().normalize('NFC');
}

/** What a file is by its suffix, whatever the suffix's case. */
export function fileKindOf(path: string, docSuffixes: readonly string[]): FileKind {
  const lower = path.toLowerCase();
  if (lower.endsWith('.md')) return 'note';
  return docSuffixes.some((suffix) => lower.endsWith(suffix.toLowerCase())) ? 'document' : 'attachment';
}

/** Whether any segment of a path starts with a dot: hidden, so neither read, listed, indexed nor written. */
export function isDotted(path: string): boolean {
  return path.startsWith('.') || path.includes('/.');
}

/** The folder a path stands in; the root for a path of one segment. */
export function parentOf(path: VaultPath): VaultPath {
  return path.slice(0, Math.max(0, path.lastIndexOf('/'))) as VaultPath;
}

/** The last segment of a path. */
export function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/** A text without the slashes around it. Not by an expression: `/\/+$/` looks at a run of slashes from each of them. */
export function withoutOuterSlashes(text: string): string {
  let [from, to] = [0, text.length];
  while (from < to && text[from] === '/') from++;
  while (to > from && text[to - 1] === '/') to--;
  return text.slice(from, to);
}

/** C0, DEL and C1 characters. */
export function hasControlCharacter(text: string): boolean {
  return /\p{Cc}/u.test(text);
}

/** A path as an error may show it: bounded, with what would break a line made visible. */
export function shown(path: string): string {
  const visible = path.replace(/\p{Cc}/gu, '�');
  return visible.length > 300 ? `${visible.slice(0, 300)}…` : visible;
}

function refuseDotted(segments: readonly string[]): void {
  const dotted = segments.find((segment) => segment.startsWith('.'));
  if (dotted === undefined) return;
  throw invalid(`"${shown(dotted)}" is protected: names that start with a dot are neither read nor written here.`);
}

function invalid(message: string): AppError {
  return new AppError('invalid_path', message);
}
