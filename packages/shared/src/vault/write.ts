/**
 * Every change of the vault goes through here. Danger: people's notes. Each call is checked, waits for its path's lock,
 * is checked again, and either happens whole and lasting or not at all; the only writers that hold no lock are people
 * and their programs, and what they change meanwhile is seen, up to the last system call before the change.
 */
import type { Upload } from './incoming-document.ts';
import type { PathClaim, PathLocks } from './lock.ts';
import { pathKey, type VaultPath } from './path.ts';
import type { Vault } from './vault.ts';
import { type FileDocumentOptions, type FiledDocument, fileDocument } from './write-document.ts';
import {
  type Change,
  plannedEdit,
  plannedReplace,
  type Replacement,
  type WriteOptions,
  type WriteResult,
} from './write-edit.ts';
import { type PlacedFile, type PlaceFileOptions, plannedFile } from './write-file.ts';
import { type CreateFolderOptions, type CreateFolderResult, createFolder } from './write-folder.ts';
import {
  type RemoveFileOptions,
  type RemoveFileResult,
  type RemoveFolderOptions,
  type RemoveFolderResult,
  removeFile,
  removeFolder,
} from './write-remove.ts';
import { type RenameOptions, type RenameResult, renameEntry } from './write-rename.ts';
import { findTarget } from './write-target.ts';

export type { Upload } from './incoming-document.ts';
export type { ReplacedNote } from './replaced-note.ts';
export type { FileDocumentOptions, FiledDocument } from './write-document.ts';
export type { Change, NewContent, Replacement, WriteOptions, WriteResult } from './write-edit.ts';
export type { PlacedFile, PlaceFileOptions, PlaceMode } from './write-file.ts';
export type { CreateFolderOptions, CreateFolderResult } from './write-folder.ts';
export type {
  RemoveFileOptions,
  RemoveFileResult,
  RemoveFolderOptions,
  RemoveFolderResult,
} from './write-remove.ts';
export type { RenameOptions, RenameResult } from './write-rename.ts';

/**
 * What may be done to the vault. Every method throws AppError and has changed nothing then, in this order: symbolic
 * link, protected or unportable name, suffix, scope (`out_of_scope`, also without permission and on a read-only mount),
 * existence, `precondition_failed`, whatever is wrong with the content; `locked` after 30 s of waiting;
 * `insufficient_storage` when the disk is full. With `dryRun` it takes no lock and changes nothing.
 */
export interface VaultWriter {
  /** Changes or makes a note. @throws also what `change` throws; `unreadable`, `note_too_large`, `is_directory` */
  edit(path: VaultPath, change: Change, options?: WriteOptions): Promise<WriteResult>;
  /**
   * Makes a note or replaces it whole: nothing of the old bytes is kept, so they need not be valid UTF-8 nor within the
   * limit. @throws also what `content` throws; `note_too_large` for the new content, `is_directory`
   */
  replace(path: VaultPath, content: Replacement, options?: WriteOptions): Promise<WriteResult>;
  /**
   * Puts a document where nothing is, or in place of another one when asked to. Its bytes are read before the lock is
   * waited for, and size and emptiness come first among the refusals.
   *
   * @throws also what the upload's body throws; `document_too_large`, `empty_document`, `wrong_parent_folder`,
   * `already_exists` for other bytes that are there, `is_directory`
   */
  fileDocument(path: VaultPath, upload: Upload, options: FileDocumentOptions): Promise<FiledDocument>;
  /**
   * Puts a file of any kind where nothing is, in place of another one or behind its bytes, as the mode says.
   *
   * @throws also `document_too_large`, `already_exists` for other bytes that are there, `is_directory`
   */
  placeFile(path: VaultPath, bytes: Uint8Array, options: PlaceFileOptions): Promise<PlacedFile>;
  createFolder(path: VaultPath, options?: CreateFolderOptions): Promise<CreateFolderResult>;
  /** Removes a note, document or attachment. */
  removeFile(path: VaultPath, options: RemoveFileOptions): Promise<RemoveFileResult>;
  removeFolder(path: VaultPath, options: RemoveFolderOptions): Promise<RemoveFolderResult>;
  /** Moves a file or folder; links stay as they are. */
  rename(source: VaultPath, destination: VaultPath, options?: RenameOptions): Promise<RenameResult>;
  /**
   * Does several of these as one: the writer that `work` is given takes no locks, since all of the claimed paths are
   * held until it ends. Asking it for any other path is an Error. A folder is claimed with `tree`.
   */
  holding<T>(claims: readonly PathClaim[], work: (writer: VaultWriter) => Promise<T>): Promise<T>;
}

export interface WriterOptions {
  readonly locks: PathLocks;
  /** Largest note read or written, in bytes; 0 = no limit. */
  readonly noteMaxBytes: number;
}

export function createVaultWriter(vault: Vault, options: WriterOptions): VaultWriter {
  return writerUnder(vault, options, (claims, work) => options.locks.hold(claims, work));
}

/** A change of one file, to be checked without its lock and done with it. */
interface Planned<R> {
  check(): Promise<{ readonly missingFolders: readonly VaultPath[] }>;
  run(): Promise<R>;
}

type Hold = <T>(claims: readonly PathClaim[], work: () => Promise<T>) => Promise<T>;

function writerUnder(vault: Vault, { locks, noteMaxBytes }: WriterOptions, hold: Hold): VaultWriter {
  const context = { vault, locks, maxBytes: noteMaxBytes };
  // Whatever is refused is refused before the lock, which a refusal must not wait for; and checked again under it.
  const onFile = async <R>(dryRun: boolean | undefined, path: VaultPath, write: Planned<R>) => {
    if (dryRun) return write.run();
    const { missingFolders } = await write.check();
    return hold(newEntryClaims(path, missingFolders), write.run);
  };
  const inTurn = async <O extends { readonly dryRun?: boolean | undefined }, R>(
    options: O,
    run: (options: O) => Promise<R>,
    claims: () => Promise<PathClaim[]>,
  ) => {
    const checked = await run({ ...options, dryRun: true });
    return options.dryRun ? checked : hold(await claims(), () => run(options));
  };
  const missingFolders = async (path: VaultPath) => (await findTarget(vault, path)).missingFolders;
  return {
    edit: (path, change, options = {}) => onFile(options.dryRun, path, plannedEdit(context, path, change, options)),
    replace: (path, content, options = {}) =>
      onFile(options.dryRun, path, plannedReplace(context, path, content, options)),
    fileDocument: (path, upload, options) =>
      fileDocument({ vault, locks }, path, upload, options, (missingFolders, work) =>
        hold(newEntryClaims(path, missingFolders), work),
      ),
    placeFile: (path, bytes, options) =>
      onFile(options.dryRun, path, plannedFile({ vault, locks }, path, bytes, options)),
    createFolder: (path, options = {}) =>
      inTurn(
        options,
        (now) => createFolder({ vault, locks }, path, now),
        async () => newEntryClaims(path, await missingFolders(path)),
      ),
    removeFile: (path, options) =>
      inTurn(
        options,
        (now) => removeFile({ vault, locks }, path, now),
        async () => [{ path }],
      ),
    removeFolder: (path, options) =>
      inTurn(
        options,
        (now) => removeFolder({ vault, locks }, path, now),
        async () => [{ path, tree: true }],
      ),
    rename: (source, destination, options = {}) =>
      inTurn(
        options,
        (now) => renameEntry(context, source, destination, now),
        // As trees, since either may be a folder: what is written below meanwhile would follow to who knows where.
        async () => [
          { path: source, tree: true },
          ...newEntryClaims(destination, await missingFolders(destination), true),
        ],
      ),
    holding: (claims, work) =>
      hold(claims, () => work(writerUnder(vault, { locks, noteMaxBytes }, holdWithin(claims)))),
  };
}

/**
 * A new entry's path, and the folders to be made for it: of two callers who make `House/a.md` and `house/b.md` one has
 * to see the other's folder.
 */
function newEntryClaims(path: VaultPath, missingFolders: readonly VaultPath[], tree = false): PathClaim[] {
  return [{ path, tree }, ...missingFolders.map((folder) => ({ path: folder }))];
}

/** Takes no lock; only sees to it that the paths are among those held. */
function holdWithin(held: readonly PathClaim[]): Hold {
  const isHeld = (key: string) =>
    held.some(({ path, tree }) => key === pathKey(path) || (tree && key.startsWith(`${pathKey(path)}/`)));
  return async (claims, work) => {
    const keys = claims.map(({ path }) => pathKey(path));
    // Folders to be made are claimed beside the path below them, and need no claim of their own here.
    const missing = keys.find((key) => !isHeld(key) && !keys.some((other) => other.startsWith(`${key}/`)));
    if (missing !== undefined) throw new Error(`"${missing}" is not among the paths that are held`);
    return work();
  };
}
