/**
 * Changes or makes one note: read under the lock, checked, computed, written beside it, brought to the disk and renamed
 * over it. Danger: other programs hold no lock of ours, so just before the rename the note must still be the one that
 * was read; if not, all of it is done again. A crash at any instant leaves the old or the new note, whole.
 */
import { lstat, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError } from '../errors.ts';
import { placeExclusively, syncFolder } from './durable.ts';
import { isUnchanged } from './file-version.ts';
import { openFolderMaking, unmakeFolders } from './make-folder.ts';
import { decodeNote, encodeNote, sha256Hex } from './note/text.ts';
import { type OpenFolder, openFolder } from './open-leaf.ts';
import { nameOf, parentOf, shown, type VaultPath } from './path.ts';
import { checkPreconditions, type Preconditions } from './preconditions.ts';
import { type NoteFile, readFileBytes, readLocatedNote } from './read.ts';
import { writeTempFile } from './temp-files.ts';
import type { Located, Vault, VaultStat } from './vault.ts';
import { writing } from './write-errors.ts';
import { requireNoteSuffix } from './write-rules.ts';
import { checkTarget, requireFreeName, requireWritable, type Target, type TargetRules } from './write-target.ts';

/** How often a change is computed anew because another program changed the note meanwhile. */
const MAX_ATTEMPTS = 5;

export interface WriteOptions extends Preconditions {
  /** Something there already is `already_exists`. */
  readonly mustNotExist?: boolean | undefined;
  /** Nothing there is `not_found`; without it the note and its folders are made. */
  readonly mustExist?: boolean | undefined;
  /** Check and compute everything, take no lock, change nothing. */
  readonly dryRun?: boolean | undefined;
  /** The note or folder that this request's writes are confined to. */
  readonly scope?: VaultPath | undefined;
  /** What may be written: a note (default); a canvas, whose links are kept; the root's generated index page. */
  readonly target?: 'note' | 'canvas' | 'index-page' | undefined;
}

/** A text is written as UTF-8. */
export type NewContent = string | Uint8Array;

/**
 * Computes a file's new content from what is there under the lock; null when nothing is. Throwing leaves everything as
 * it was. May be called again when another program changes the file meanwhile, so it must have no other effect.
 */
export type Change = (current: NoteFile | null) => NewContent | Promise<NewContent>;

export interface WriteResult {
  /** In the spelling on disk. */
  readonly path: VaultPath;
  /** Of the new content: bare hex. In a dry run what it would be. */
  readonly etag: string;
  /** Of what the change was computed from; null when nothing was there. */
  readonly etagBefore: string | null;
  readonly before: Buffer | null;
  readonly after: Buffer;
  readonly created: boolean;
  /** False when the new content is the old one: nothing was written then. */
  readonly changed: boolean;
  /** Folders made for it, outermost first; in a dry run those that would be. */
  readonly madeFolders: readonly VaultPath[];
  readonly dryRun: boolean;
}

export interface EditContext {
  readonly vault: Vault;
  /** The uuid that temp files carry. */
  readonly owner: string;
  /** Largest note read or written, in bytes; 0 = no limit. */
  readonly maxBytes: number;
}

/** The checks that need no lock, and the target they found. @throws AppError */
export function checkEdit(context: EditContext, path: VaultPath, options: WriteOptions): Promise<Target> {
  const { vault } = context;
  const kind = options.target ?? 'note';
  const rules: TargetRules = {
    creates: !options.mustExist,
    scope: options.scope,
    indexPage: kind === 'index-page',
    requireSuffix: (found) => (kind === 'canvas' ? requireCanvas(found) : requireNoteSuffix(found, vault.docSuffixes)),
  };
  return checkTarget(vault, path, rules);
}

function requireCanvas(path: VaultPath): void {
  if (path.toLowerCase().endsWith('.canvas')) return;
  throw new AppError('unsupported_suffix', `"${shown(path)}" is no canvas: only its links could be rewritten.`);
}

/** Does the edit; the caller holds the path's lock unless it is a dry run. @throws AppError; nothing is changed then */
export async function runEdit(
  context: EditContext,
  path: VaultPath,
  change: Change,
  options: WriteOptions,
): Promise<WriteResult> {
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
    const result = await attemptEdit(context, path, change, options);
    if (result !== 'changed-meanwhile') return result;
  }
  const message = `Another program keeps changing "${shown(path)}". Nothing was changed here: try again in a moment.`;
  throw new AppError('locked', message);
}

async function attemptEdit(
  context: EditContext,
  path: VaultPath,
  change: Change,
  options: WriteOptions,
): Promise<WriteResult | 'changed-meanwhile'> {
  const { vault, maxBytes } = context;
  const target = await checkEdit(context, path, options);
  const current = target.existing && (await readCurrent(vault, target.existing, maxBytes));
  await checkExistence(vault, target, current, options);
  await requireWritable(target);
  const after = newBytes(await change(current), target.path, maxBytes);
  const result: WriteResult = {
    path: target.path,
    etag: sha256Hex(after),
    etagBefore: current?.sha256 ?? null,
    before: current?.bytes ?? null,
    after,
    created: current === null,
    changed: current === null || !current.bytes.equals(after),
    madeFolders: target.missingFolders,
    dryRun: options.dryRun ?? false,
  };
  if (result.dryRun || !result.changed) return result;
  const written = await writing(target.path, () =>
    current === null ? createFile(context, target, after) : replaceFile(context, target, after, current.stat),
  );
  return written ? result : 'changed-meanwhile';
}

async function readCurrent(vault: Vault, existing: Located, maxBytes: number): Promise<NoteFile> {
  if (existing.kind !== 'attachment') return readLocatedNote(vault, existing, { maxBytes });
  const { path, bytes, stat } = await readFileBytes(vault, existing.path, { maxBytes });
  return { path, bytes, ...decodeNote(bytes), sha256: sha256Hex(bytes), stat };
}

async function checkExistence(
  vault: Vault,
  target: Target,
  current: NoteFile | null,
  options: WriteOptions,
): Promise<void> {
  const { path } = target;
  checkPreconditions(path, current?.sha256 ?? null, options);
  if (current !== null && options.mustNotExist) {
    throw new AppError('already_exists', `"${shown(path)}" is there already: change it, or choose another name.`);
  }
  if (current !== null && !current.validUtf8) {
    const message = `"${shown(path)}" is not valid UTF-8, so no edit could keep its bytes: it can be read, moved and deleted. Convert it first.`;
    throw new AppError('unreadable', message);
  }
  if (current === null && options.mustExist) throw await missing(vault, path);
  if (current === null) await requireFreeName(vault, target);
}

/** The error that names what the caller may have meant. */
async function missing(vault: Vault, path: VaultPath): Promise<unknown> {
  return vault.locate(path).then(
    () => new AppError('locked', `"${shown(path)}" has only just been made: try again.`),
    (error: unknown) => error,
  );
}

function newBytes(content: NewContent, path: VaultPath, maxBytes: number): Buffer {
  if (typeof content === 'string' && !content.isWellFormed()) {
    throw new AppError('invalid_value', 'The text is not valid Unicode: it holds half of a character.');
  }
  const bytes = typeof content === 'string' ? encodeNote(content) : Buffer.from(content);
  if (maxBytes > 0 && bytes.length > maxBytes) {
    throw new AppError(
      'note_too_large',
      `"${shown(path)}" would have ${bytes.length} bytes, more than ${maxBytes}: split the note, or raise vault.note_max_bytes.`,
    );
  }
  return bytes;
}

/** @returns false when something stands there by now */
async function createFile({ vault, owner }: EditContext, target: Target, content: Buffer): Promise<boolean> {
  const { folder, made } = await openFolderMaking(vault, parentOf(target.path));
  let placed = false;
  try {
    placed = await withTempFile(folder, owner, content, null, (temp) =>
      placeExclusively(temp, join(folder.path, nameOf(target.path))),
    );
    if (placed) await syncFolder(folder.path);
    return placed;
  } finally {
    await folder.close();
    if (!placed) await unmakeFolders(vault, made);
  }
}

/** @returns false when it is not the file any more that was read */
async function replaceFile(
  { vault, owner }: EditContext,
  target: Target,
  content: Buffer,
  read: VaultStat,
): Promise<boolean> {
  const folder = await openFolder(vault, parentOf(target.path));
  const leaf = join(folder.path, nameOf(target.path));
  try {
    const like = await lstat(leaf);
    const written = await withTempFile(folder, owner, content, like, async (temp) => {
      if (!(await isUnchanged(leaf, read))) return false;
      await rename(temp, leaf);
      return true;
    });
    if (written) await syncFolder(folder.path);
    return written;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error;
  } finally {
    await folder.close();
  }
}

async function withTempFile(
  folder: OpenFolder,
  owner: string,
  content: Buffer,
  like: Parameters<typeof writeTempFile>[3],
  place: (temp: string) => Promise<boolean>,
): Promise<boolean> {
  const temp = await writeTempFile(folder, owner, content, like);
  let placed = false;
  try {
    placed = await place(temp);
    return placed;
  } finally {
    if (!placed) await rm(temp, { force: true });
  }
}
