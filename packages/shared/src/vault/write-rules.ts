/**
 * What a path must be before anything is written there. Pure: the checks that need the disk (symbolic links, names
 * that differ only by case) are made where the disk is. Danger: the order is part of the contract (protected, then
 * suffix), so that `.git/config` is told to be protected and not to lack a suffix.
 */
import { AppError } from '../errors.ts';
import { isIndexPagePath } from './index-page.ts';
import { fileKindOf, hasControlCharacter, isDotted, nameOf, shown, type VaultPath } from './path.ts';

/** The longest name most file systems hold, in bytes of UTF-8. */
export const MAX_NAME_BYTES = 255;

/**
 * Parts of a path that something is made at: many times what anybody keeps. Each folder on the way costs a lock, and
 * walks open each folder from the root, so that a path of 2 000 parts held the server up for more than a minute.
 */
const MAX_PARTS = 100;

/** @throws AppError `invalid_path` for the root, a dotted component and the generated index page */
export function refuseProtected(path: VaultPath): void {
  if (path === '')
    throw new AppError('invalid_path', 'The vault itself cannot be written: name a file or folder in it.');
  if (isDotted(path)) {
    throw new AppError('invalid_path', `"${shown(path)}" is protected: names that start with a dot cannot be written.`);
  }
  if (isIndexPagePath(path)) {
    throw new AppError(
      'invalid_path',
      '"index.md" at the root is protected: it is generated from the notes, or a person keeps it by hand. Change the notes instead.',
    );
  }
}

/** @throws AppError `invalid_path` for a name that other systems cannot hold; for what is created or renamed */
export function requirePortableNames(path: VaultPath): void {
  for (const name of path.split('/')) {
    const problem = portabilityProblem(name);
    if (problem !== null) throw new AppError('invalid_path', `"${shown(name)}" ${problem}: choose another name.`);
  }
}

/** Why a name cannot exist on every system; null when it can. */
export function portabilityProblem(name: string): string | null {
  if (hasControlCharacter(name)) return 'holds a control character';
  if (/[. ]$/.test(name)) return 'ends in a dot or space, which some systems drop';
  if (Buffer.byteLength(name, 'utf8') > MAX_NAME_BYTES) return `is longer than ${MAX_NAME_BYTES} bytes`;
  return null;
}

/** @throws AppError `invalid_path` for a path that leads too deep; for what is not there */
export function requireModestDepth(path: VaultPath): void {
  if (path.split('/').length <= MAX_PARTS) return;
  throw new AppError('invalid_path', `"${shown(path)}" is not there, and nothing is made ${MAX_PARTS} folders deep.`);
}

/** @throws AppError `is_document`, `unsupported_suffix` for a path that no note can have */
export function requireNoteSuffix(path: VaultPath, docSuffixes: readonly string[]): void {
  const kind = fileKindOf(path, docSuffixes);
  if (kind === 'note') return;
  if (kind === 'document') {
    throw new AppError(
      'is_document',
      `"${shown(path)}" is a document: those can be read, moved and deleted, not edited. Its bytes are filed over REST: PUT /vault/<path>, with ?overwrite=true in place of others.`,
    );
  }
  throw unsupported(path, docSuffixes);
}

/** @throws AppError `unsupported_suffix` for a path that no document can have */
export function requireDocumentSuffix(path: VaultPath, docSuffixes: readonly string[]): void {
  const kind = fileKindOf(path, docSuffixes);
  if (kind === 'document') return;
  if (kind === 'attachment') throw unsupported(path, docSuffixes);
  throw new AppError('unsupported_suffix', `"${shown(path)}" is a note: it is written as one, and not filed.`);
}

function unsupported(path: VaultPath, docSuffixes: readonly string[]): AppError {
  const endings = docSuffixes.map((suffix) => `"${suffix}"`).join(' or ');
  const rule =
    docSuffixes.length === 0
      ? 'no note: notes end in ".md"'
      : `neither note nor document: notes end in ".md", documents in ${endings}`;
  return new AppError('unsupported_suffix', `"${shown(path)}" is ${rule}. No suffix is added for you.`);
}

/** @throws AppError `invalid_path` for a folder named like a note or document */
export function requireFolderName(path: VaultPath, docSuffixes: readonly string[]): void {
  if (fileKindOf(nameOf(path), docSuffixes) === 'attachment') return;
  throw new AppError('invalid_path', `"${shown(path)}" is named like a file: a folder cannot end in that suffix.`);
}
