/**
 * What a restore does to the disk, step by step, as a parameter, so that a process can be ended before each of them.
 * Danger: each step is on the disk when it returns, since the next one relies on it.
 */
import { mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { syncFolder } from '../vault/sync-folder.ts';
import { copyFileDurably } from './copy-record.ts';

export interface RestoreDisk {
  makeFolder(path: string): Promise<void>;
  /** What stands at `to` is written anew. */
  copy(from: string, to: string): Promise<void>;
  /** The same with a text; closed to others. */
  write(path: string, text: string | AsyncIterable<string>): Promise<void>;
  /** Replaces a file that stands at `to`; both are on one file system. */
  rename(from: string, to: string): Promise<void>;
  /** A file, or a folder with all that is in it; nothing there is well. */
  remove(path: string): Promise<void>;
}

export const realDisk: RestoreDisk = {
  async makeFolder(path) {
    await mkdir(path, { recursive: true, mode: 0o700 });
    await syncFolder(dirname(path));
  },
  async copy(from, to) {
    await rm(to, { force: true });
    await copyFileDurably(from, to);
    await syncFolder(dirname(to));
  },
  async write(path, text) {
    await rm(path, { force: true });
    const handle = await open(path, 'wx', 0o600);
    try {
      if (typeof text === 'string') await handle.writeFile(text);
      else for await (const part of text) await handle.writeFile(part);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await syncFolder(dirname(path));
  },
  async rename(from, to) {
    await rename(from, to);
    await syncFolder(dirname(to));
    if (dirname(from) !== dirname(to)) await syncFolder(dirname(from));
  },
  async remove(path) {
    await rm(path, { recursive: true, force: true });
    await syncFolder(dirname(path));
  },
};
