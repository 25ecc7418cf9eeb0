/**
 * The discard log, `.discarded.log` in the vault: whatever was proposed and is not in a note, and text that a write took
 * the place of, whole. Nothing is ever deleted from it: a file that is full is renamed, and the next begun. Danger: other
 * processes and a crash at any instant are met here, so everything is written under one lock, which is a leaf: it may be
 * taken by who holds others, and while it is held no other is taken.
 */
import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { type FileHandle, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError } from '../errors.ts';
import type { Logger } from '../log.ts';
import type { PathLocks } from '../vault/lock.ts';
import { type OpenFolder, openFolder } from '../vault/open-leaf.ts';
import type { VaultPath } from '../vault/path.ts';
import { syncFolder } from '../vault/sync-folder.ts';
import type { Vault } from '../vault/vault.ts';
import { writing } from '../vault/write-errors.ts';
import {
  DISCARD_LOG,
  type DiscardFile,
  DiscardFiles,
  type DiscardNames,
  discardNames,
  nextRotated,
  openDiscardFile,
} from './discard-files.ts';
import { ensureIgnored } from './discard-ignore.ts';
import { formatDiscardLine, type NewDiscard, type NewMark } from './discard-lines.ts';
import type { DiscardLog, DiscardPage, DiscardRange, DiscardStats, FoundDiscard } from './discard-log.ts';
import { DiscardReads } from './discard-reads.ts';

export interface DiscardOptions {
  readonly logger: Logger;
  /** A file that would grow past this many bytes is put aside first. Default 5 MiB (the product's contract). */
  readonly maxBytes?: number;
  /** Tests pass their own. */
  readonly now?: () => Date;
}

const MAX_BYTES = 5 * 1024 * 1024;
const ROOT = '' as VaultPath;
const LOG = DISCARD_LOG as VaultPath;

/** @param vault the whole one: the log is no note that a caller may or may not read */
export function openDiscardLog(vault: Vault, locks: Pick<PathLocks, 'hold'>, options: DiscardOptions): DiscardLog {
  return new FileDiscardLog(vault, locks, options);
}

class FileDiscardLog implements DiscardLog {
  readonly #vault: Vault;
  readonly #locks: Pick<PathLocks, 'hold'>;
  readonly #options: Required<DiscardOptions>;
  readonly #files = new DiscardFiles();
  readonly #reads: DiscardReads;
  /** Which other files there were while the log's own was that one: only when it changes is one put aside. */
  #names: (DiscardNames & { readonly inode: number }) | undefined;
  #hasSeenToIgnoring = false;

  constructor(vault: Vault, locks: Pick<PathLocks, 'hold'>, options: DiscardOptions) {
    this.#vault = vault;
    this.#locks = locks;
    this.#options = { maxBytes: MAX_BYTES, now: () => new Date(), ...options };
    this.#reads = new DiscardReads(vault, this.#files, options.logger);
  }

  append(entry: NewDiscard): Promise<number> {
    return this.#write(entry);
  }

  async markRestored(n: number, path: string): Promise<void> {
    const found = await this.show(n);
    if (found === null) throw new AppError('not_found', `There is no discard ${n}: list the discards.`);
    await this.#write({ id: randomUUID(), kind: 'restored', of: n, of_id: found.discard.id, path });
  }

  list(range: DiscardRange): Promise<DiscardPage> {
    return this.#reads.list(range);
  }

  show(n: number): Promise<FoundDiscard | null> {
    return this.#reads.show(n);
  }

  stats(): Promise<DiscardStats> {
    return this.#reads.stats();
  }

  #write(entry: NewDiscard | NewMark): Promise<number> {
    return this.#locks.hold([{ path: LOG }], async () => {
      // An empty mount point is no vault.
      await this.#vault.locate(ROOT);
      const root = await openFolder(this.#vault, ROOT);
      try {
        await this.#seeToIgnoring(root);
        return await writing(DISCARD_LOG, () => this.#writeIn(root, entry));
      } finally {
        await root.close();
      }
    });
  }

  async #writeIn(root: OpenFolder, entry: NewDiscard | NewMark): Promise<number> {
    const handle = await openDiscardFile(root, DISCARD_LOG, constants.O_RDWR | constants.O_APPEND | constants.O_CREAT);
    try {
      const file = await this.#files.readOpen(handle, DISCARD_LOG);
      const { recent, highest } = await this.#survey(root, file);
      const there = recent.flatMap(({ places }) => places).find(({ id }) => id === entry.id);
      if (there !== undefined) return there.n;
      const line = formatDiscardLine(entry, highest + 1, this.#options.now());
      if (file.size > 0 && file.size + Buffer.byteLength(line) > this.#options.maxBytes) {
        await this.#writeIntoNew(root, line);
      } else {
        // What a crash cut short stays a line of its own.
        await writeLine(handle, file.size, file.size > file.complete.size ? `\n${line}` : line);
        if (file.size === 0) await syncFolder(root.path);
      }
      return highest + 1;
    } finally {
      await handle.close();
    }
  }

  /** Puts the log aside and begins the next. */
  async #writeIntoNew(root: OpenFolder, line: string): Promise<void> {
    await rename(join(root.path, DISCARD_LOG), join(root.path, nextRotated(await discardNames(root))));
    const handle = await openDiscardFile(root, DISCARD_LOG, constants.O_RDWR | constants.O_APPEND | constants.O_CREAT);
    try {
      await writeLine(handle, 0, line);
      await syncFolder(root.path);
    } finally {
      await handle.close();
    }
  }

  /**
   * @param file the log's own
   * @returns the two newest files, in which a writer that was cut short may find its entry, and the highest number given
   */
  async #survey(root: OpenFolder, file: DiscardFile): Promise<{ recent: DiscardFile[]; highest: number }> {
    if (this.#names?.inode !== file.inode) this.#names = { inode: file.inode, ...(await discardNames(root)) };
    const { rotated, copies } = this.#names;
    const numbered = [file];
    for (const name of rotated) {
      const older = await this.#reads.readIfPlain(root, name);
      if (older !== null) numbered.push(older);
      if (numbered.length > 1 && numbered.some(({ highest }) => highest > 0)) break;
    }
    const beside = await Promise.all(copies.map((name) => this.#reads.readIfPlain(root, name)));
    const all = [...numbered, ...beside.filter((copy) => copy !== null)];
    return { recent: numbered.slice(0, 2), highest: Math.max(...all.map(({ highest }) => highest)) };
  }

  async #seeToIgnoring(root: OpenFolder): Promise<void> {
    if (this.#hasSeenToIgnoring) return;
    this.#hasSeenToIgnoring = true;
    try {
      await ensureIgnored(root);
    } catch (error) {
      const message = 'the discard log could not be kept out of git: add the line /.discarded* to .gitignore';
      this.#options.logger.warn({ err: error }, message);
    }
  }
}

/** In one piece on the disk, or not at all. @param size of the file before */
async function writeLine(handle: FileHandle, size: number, text: string): Promise<void> {
  const bytes = Buffer.from(text);
  try {
    for (let written = 0; written < bytes.length; ) {
      written += (await handle.write(bytes, written)).bytesWritten;
    }
    await handle.sync();
  } catch (error) {
    // Where even that fails, what was cut short is a damaged line from the next entry on.
    await handle.truncate(size).catch(() => undefined);
    throw error;
  }
}
