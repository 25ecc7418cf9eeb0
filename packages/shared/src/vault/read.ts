/**
 * Reads files and folders of the vault. Danger: a file may grow, shrink or vanish while it is read, so sizes are
 * enforced on the bytes that come, and the stat answered is the one taken before the first of them: if the file changed
 * meanwhile, the next comparison sees a difference and reads again.
 */
import type { FileHandle } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { AppError } from '../errors.ts';
import { decodeNote, sha256Hex } from './note/text.ts';
import { openError, openLeaf } from './open-leaf.ts';
import { aKind, type FileKind, nameOf, shown, type VaultPath } from './path.ts';
import type { Located, Vault, VaultStat } from './vault.ts';
import { walkFolder } from './walk-folder.ts';

export interface NoteFile {
  /** In the spelling on disk. */
  readonly path: VaultPath;
  readonly bytes: Buffer;
  /** Lossy when `validUtf8` is false: to be shown, never to be written. */
  readonly text: string;
  readonly validUtf8: boolean;
  /** Hex; the etag. */
  readonly sha256: string;
  readonly stat: VaultStat;
}

/**
 * Reads a note whole.
 *
 * @param options.maxBytes largest note read; 0 = no limit
 * @throws AppError what locate throws; `is_directory`, `is_document`, `unsupported_suffix` when it is no note;
 * `note_too_large`
 */
export async function readNoteFile(
  vault: Vault,
  path: VaultPath,
  options: { readonly maxBytes: number },
): Promise<NoteFile> {
  return readLocatedNote(vault, await vault.locate(path), options);
}

/** The same for what `vault.locate` has just found. @throws like readNoteFile, but for what locate throws */
export async function readLocatedNote(
  vault: Vault,
  located: Located,
  options: { readonly maxBytes: number },
): Promise<NoteFile> {
  const note = await readLocatedBytes(vault, located, options);
  return { ...note, ...decodeNote(note.bytes) };
}

/** The same without its text, for who may not need it. @throws like readLocatedNote */
export async function readLocatedBytes(
  vault: Vault,
  located: Located,
  options: { readonly maxBytes: number },
): Promise<Omit<NoteFile, 'text' | 'validUtf8'>> {
  const { path } = located;
  if (located.kind === 'document') {
    throw new AppError('is_document', `"${shown(path)}" is a document, not a note: read its extracted text.`);
  }
  if (located.kind === 'attachment') {
    throw new AppError('unsupported_suffix', `"${shown(path)}" is no note: notes end in ".md". Ask for its raw bytes.`);
  }
  // Made when it is thrown: an error takes its stack along, which costs more than a small file.
  const tooLarge = () =>
    new AppError(
      'note_too_large',
      `"${shown(path)}" is larger than ${options.maxBytes} bytes: split the note, or raise vault.note_max_bytes.`,
    );
  const { bytes, stat } = await readWhole(vault, located, options.maxBytes, tooLarge);
  return { path: located.path, bytes, sha256: sha256Hex(bytes), stat };
}

/**
 * Reads any file whole.
 *
 * @param options.maxBytes largest file read; 0 = no limit
 * @throws AppError what locate throws; `is_directory`; `document_too_large`
 */
export async function readFileBytes(
  vault: Vault,
  path: VaultPath,
  options: { readonly maxBytes: number },
): Promise<{ readonly path: VaultPath; readonly bytes: Buffer; readonly stat: VaultStat }> {
  const located = await vault.locate(path);
  const tooLarge = () =>
    new AppError('document_too_large', `"${shown(path)}" is larger than ${options.maxBytes} bytes.`);
  return { path: located.path, ...(await readWhole(vault, located, options.maxBytes, tooLarge)) };
}

/** Bytes `start` to `end` of a file, both included, counted from 0. */
export interface FileRange {
  readonly start: number;
  readonly end: number;
}

export interface FileStream {
  /** Closes the file when it ends or is destroyed; whoever opens it must do one or the other. */
  readonly stream: Readable;
  readonly path: VaultPath;
  readonly stat: VaultStat;
}

/** Opens any file as a stream of its bytes, or of a range of them. @throws like readFileBytes */
export async function openFileStream(vault: Vault, path: VaultPath, range?: FileRange): Promise<FileStream> {
  const located = requireFile(await vault.locate(path));
  const { handle, stat } = await openLeaf(vault, located);
  return { stream: handle.createReadStream({ ...range, autoClose: true }), path: located.path, stat };
}

export interface FolderEntry {
  readonly name: string;
  readonly path: VaultPath;
  readonly type: FileKind | 'folder';
  /** Bytes; 0 for a folder. */
  readonly size: number;
  /** ISO 8601, UTC. */
  readonly modified: string;
  /** Only when true: a folder gone into whose content, or some of it, could not be looked at. */
  readonly unreadable?: true;
}

/**
 * Everything visible in a folder: no dotted names, no symbolic links, nothing that is neither file nor folder. Folders
 * come before files, each by name; with `recursive` a folder's content follows it. One that may not be read is marked
 * and the rest listed, since a vault must not be lost from sight for one folder in it.
 *
 * @throws AppError what locate throws; `not_a_directory`; `unreadable` when the folder itself may not be read
 */
export async function listFolder(
  vault: Vault,
  path: VaultPath,
  options: { readonly recursive?: boolean } = {},
): Promise<FolderEntry[]> {
  const located = await vault.locate(path);
  if (located.kind !== 'folder') {
    throw new AppError('not_a_directory', `"${shown(path)}" is ${aKind(located.kind)}, not a folder: read it instead.`);
  }
  const entries: FolderEntry[] = [];
  const unreadable = new Set<string>();
  for await (const { path: entry, kind, stat } of walkFolder(vault, located.path, {
    enter: () => options.recursive ?? false,
    onProblem: ({ what, folder, error }) => {
      if (what === 'name') return; // it is no entry, whoever may read the folder
      const refusal = openError(error, folder);
      if (folder === located.path) {
        if (what === 'folder' || refusal instanceof AppError) throw refusal;
      } else if (!(refusal instanceof AppError && refusal.code === 'not_found')) unreadable.add(folder);
    },
  })) {
    entries.push({
      name: nameOf(entry),
      path: entry,
      type: kind,
      size: kind === 'folder' ? 0 : stat.size,
      modified: new Date(stat.mtimeMs).toISOString(),
    });
  }
  return unreadable.size === 0 ? entries : entries.map((entry) => marked(entry, unreadable));
}

function marked(entry: FolderEntry, unreadable: ReadonlySet<string>): FolderEntry {
  return unreadable.has(entry.path) ? { ...entry, unreadable: true } : entry;
}

function requireFile(located: Located): Located {
  if (located.kind !== 'folder') return located;
  throw new AppError('is_directory', `"${shown(located.path)}" is a folder: list it, and read one of its files.`);
}

async function readWhole(
  vault: Vault,
  located: Located,
  maxBytes: number,
  tooLarge: () => AppError,
): Promise<{ bytes: Buffer; stat: VaultStat }> {
  const { handle, stat } = await openLeaf(vault, requireFile(located));
  try {
    const limit = maxBytes > 0 ? maxBytes : Number.POSITIVE_INFINITY;
    if (stat.size > limit) throw tooLarge();
    const bytes = await readToEnd(handle, stat.size, limit);
    if (bytes === null) throw tooLarge();
    return { bytes, stat };
  } finally {
    await handle.close();
  }
}

/** All bytes up to the end of the file; null when there are more than `limit`. */
async function readToEnd(handle: FileHandle, expected: number, limit: number): Promise<Buffer | null> {
  const parts: Buffer[] = [];
  let total = 0;
  // One byte more than expected, so that the usual file ends within the first read.
  for (let size = expected + 1; ; size = 65_536) {
    const part = Buffer.allocUnsafe(size);
    const { bytesRead } = await handle.read(part, 0, size, null);
    if (bytesRead === 0) return parts.length === 1 ? (parts[0] ?? Buffer.alloc(0)) : Buffer.concat(parts, total);
    total += bytesRead;
    if (total > limit) return null;
    parts.push(part.subarray(0, bytesRead));
  }
}
