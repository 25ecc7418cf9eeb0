/**
 * The files of the discard log: which there are, and where in them each entry stands, so that one is found without
 * reading them all again. Danger: other processes append and rotate meanwhile, and people and sync programs may put
 * other bytes in place, so what is remembered of a file counts only while its stat says that it is the same.
 */
import { constants } from 'node:fs';
import { type FileHandle, open, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { OpenFolder } from '../vault/open-leaf.ts';
import { type DiscardLine, numberOfLine, parseDiscardLine } from './discard-lines.ts';

export const DISCARD_LOG = '.discarded.log';
const ROTATED = /^\.discarded\.log\.([1-9]\d{0,14})$/;
/** What a backup or a sync program has put beside it. */
const COPY = /^\.discarded.*\.log$/;

/** Where a line stands, and what is asked of lines without reading them. */
export interface DiscardPlace {
  readonly file: string;
  readonly start: number;
  readonly length: number;
  readonly n: number;
  readonly id: string;
  /** Of a mark: what it marks, and the note that this became. */
  readonly restored?: { readonly id: string; readonly path: string };
}

export interface DiscardFile {
  readonly name: string;
  readonly inode: number;
  readonly size: number;
  readonly mtimeMs: number;
  /** In the order they stand in. */
  readonly places: readonly DiscardPlace[];
  readonly damaged: number;
  /** The highest number in it, also of lines that cannot be read; 0 when there is none. */
  readonly highest: number;
  /** Up to behind the last line end; what comes after it was cut short, or its line end was. */
  readonly complete: Complete;
}

type Complete = Pick<DiscardFile, 'size' | 'places' | 'damaged' | 'highest'>;
type Found = { size: number; places: DiscardPlace[]; damaged: number; highest: number };
const NOTHING: Complete = { size: 0, places: [], damaged: 0, highest: 0 };
const LINE_END = 0x0a;
/** What opening a link, a folder and a socket fails with. */
const NOT_PLAIN = new Set(['ELOOP', 'EISDIR', 'ENXIO']);

export interface DiscardNames {
  /** Rotated files, the newest first. */
  readonly rotated: readonly string[];
  /** Whatever else is a discard log by its name. */
  readonly copies: readonly string[];
}

export async function discardNames(folder: OpenFolder): Promise<DiscardNames> {
  const names = await readdir(folder.path);
  const numbered = names.filter((name) => ROTATED.test(name)).sort((a, b) => rotation(b) - rotation(a));
  return { rotated: numbered, copies: names.filter((name) => name !== DISCARD_LOG && COPY.test(name)).sort() };
}

/** A name that no rotated file has; numbers only grow. */
export function nextRotated({ rotated }: DiscardNames): string {
  return `${DISCARD_LOG}.${rotation(rotated[0] ?? '') + 1}`;
}

function rotation(name: string): number {
  return Number(ROTATED.exec(name)?.[1] ?? 0);
}

/** What is remembered of files between calls, by name. */
export class DiscardFiles {
  readonly #known = new Map<string, DiscardFile>();

  /** @returns null when there is no such file. @throws like openDiscardFile */
  async read(folder: OpenFolder, name: string): Promise<DiscardFile | null> {
    const handle = await openDiscardFile(folder, name, constants.O_RDONLY).catch((error) => {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
      throw error;
    });
    if (handle === null) return null;
    try {
      return await this.readOpen(handle, name);
    } finally {
      await handle.close();
    }
  }

  /** The same of one that is open. */
  async readOpen(handle: FileHandle, name: string): Promise<DiscardFile> {
    const { ino: inode, size, mtimeMs } = await handle.stat();
    const known = this.#known.get(name);
    const isSame = known?.inode === inode;
    if (isSame && known.size === size && known.mtimeMs === mtimeMs) return known;
    const before = isSame && known.size <= size ? known.complete : NOTHING;
    const file = { name, inode, mtimeMs, ...readLines(name, before, await readFrom(handle, before.size, size)) };
    this.#known.set(name, file);
    return file;
  }

  /**
   * The entry at a place.
   *
   * @returns null when something else stands there by now; what was known of the file is forgotten then
   */
  async entryAt(folder: OpenFolder, place: DiscardPlace): Promise<DiscardLine | null> {
    const handle = await openDiscardFile(folder, place.file, constants.O_RDONLY);
    try {
      const text = (await readFrom(handle, place.start, place.start + place.length)).toString();
      const entry = parseDiscardLine(text);
      if (entry?.id === place.id) return entry;
      this.#known.delete(place.file);
      return null;
    } finally {
      await handle.close();
    }
  }
}

/** @throws the file system's error; `ENOTDIR` for a link, a folder, a pipe: what is no plain file */
export async function openDiscardFile(folder: OpenFolder, name: string, flags: number): Promise<FileHandle> {
  let handle: FileHandle | undefined;
  try {
    // Without O_NONBLOCK, opening a pipe would wait for its other end.
    handle = await open(join(folder.path, name), flags | constants.O_NOFOLLOW | constants.O_NONBLOCK, 0o600);
    if ((await handle.stat()).isFile()) return handle;
    await handle.close();
  } catch (error) {
    await handle?.close();
    if (!NOT_PLAIN.has((error as NodeJS.ErrnoException).code ?? '')) throw error;
  }
  throw Object.assign(new Error(`${name} is no plain file`), { code: 'ENOTDIR' });
}

async function readFrom(handle: FileHandle, start: number, end: number): Promise<Buffer> {
  const bytes = Buffer.alloc(Math.max(0, end - start));
  let filled = 0;
  while (filled < bytes.length) {
    const { bytesRead } = await handle.read(bytes, filled, bytes.length - filled, start + filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return bytes.subarray(0, filled);
}

function readLines(file: string, before: Complete, bytes: Buffer): Complete & Pick<DiscardFile, 'complete'> {
  const found = { ...before, places: [...before.places] };
  let at = 0;
  for (let end = bytes.indexOf(LINE_END); end !== -1; end = bytes.indexOf(LINE_END, at)) {
    takeLine(file, found, bytes.subarray(at, end));
    at = end + 1;
    found.size = before.size + at;
  }
  if (at === bytes.length) return { ...found, complete: found };
  const complete = { ...found, places: [...found.places] };
  takeLine(file, found, bytes.subarray(at));
  return { ...found, size: before.size + bytes.length, complete };
}

/** @param found of the lines before it; gets what the line adds. Its `size` is where the line begins */
function takeLine(file: string, found: Found, bytes: Buffer): void {
  const text = bytes.toString();
  // What was cut short gets its line end when the next line is written: nothing stands between two of them.
  if (text.trim() === '') return;
  const entry = parseDiscardLine(text);
  found.highest = Math.max(found.highest, entry?.n ?? numberOfLine(text));
  if (entry === null) {
    found.damaged++;
    return;
  }
  const restored = entry.kind === 'restored' ? { restored: { id: entry.of_id, path: entry.path } } : {};
  found.places.push({ file, start: found.size, length: bytes.length, n: entry.n, id: entry.id, ...restored });
}
