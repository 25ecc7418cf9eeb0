/**
 * Copies one file of a record as of one moment, while whoever writes it goes on. Danger: of a file that grows by lines
 * the last may be half written, so a copy ends behind the last line that is whole.
 */
import { constants } from 'node:fs';
import { access, type FileHandle, open } from 'node:fs/promises';
import { copyDatabase } from './copy-database.ts';
import type { RecordFile, RecordKind } from './record-set.ts';

const PART_BYTES = 1024 * 1024;
const NEWLINE = 0x0a;

/**
 * Makes `to`, closed to others, and brings it to the disk.
 *
 * @returns false when the file has gone meanwhile; nothing is made then
 * @throws the file system's or SQLite's error
 */
export async function copyRecord({ form, record }: RecordKind, { path }: RecordFile, to: string): Promise<boolean> {
  if (form.kind === 'sqlite') {
    await access(path, constants.R_OK);
    copyDatabase(path, to);
    await bringToDisk(to);
    return true;
  }
  // In the vault nothing is followed; elsewhere links are the operator's.
  const noFollow = record === 'discards' ? (constants.O_NOFOLLOW ?? 0) : 0;
  const source = await open(path, constants.O_RDONLY | noFollow).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
  if (source === null) return false;
  try {
    await copyOpened(source, to, form.kind === 'lines');
    return true;
  } finally {
    await source.close();
  }
}

/** Copies a file that nobody writes. Makes `to`, which must not be there. */
export async function copyFileDurably(from: string, to: string): Promise<void> {
  const source = await open(from, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0));
  try {
    await copyOpened(source, to, false);
  } finally {
    await source.close();
  }
}

async function copyOpened(source: FileHandle, to: string, wholeLines: boolean): Promise<void> {
  const { size } = await source.stat();
  const target = await open(to, 'wx', 0o600);
  try {
    const buffer = Buffer.alloc(Math.min(PART_BYTES, Math.max(size, 1)));
    let [at, end] = [0, 0];
    while (at < size) {
      const { bytesRead } = await source.read(buffer, 0, Math.min(buffer.length, size - at), at);
      if (bytesRead === 0) break;
      const part = buffer.subarray(0, bytesRead);
      await target.writeFile(part);
      const newline = part.lastIndexOf(NEWLINE);
      if (newline >= 0) end = at + newline + 1;
      at += bytesRead;
    }
    if (wholeLines) await target.truncate(end);
    await target.sync();
  } finally {
    await target.close();
  }
}

async function bringToDisk(path: string): Promise<void> {
  const handle = await open(path, 'r+');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
