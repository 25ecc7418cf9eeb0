/**
 * Has the index take in what the gate is about to compare: the notes of the candidate's folder, and what proposals have just
 * written. Everything else is the watcher's. Danger: somebody waits, so it is bounded in files and in time; what does not come
 * in time is said, and never waited for longer.
 */
import { AppError } from '@vault-mcp/shared/errors';
import type { FileStat } from '@vault-mcp/shared/index-db/rows';
import { isIndexPagePath } from '@vault-mcp/shared/vault/index-page-path';
import { fileKindOf, type VaultPath } from '@vault-mcp/shared/vault/path';
import type { Vault } from '@vault-mcp/shared/vault/vault';
import { visibleEntries, walkFolder } from '@vault-mcp/shared/vault/walk-folder';
import type { GatePorts } from '../ports.ts';
import { folderThere } from './free-path.ts';

export const UP_TO_DATE_MS = 2_000;
const MAX_PATHS = 50;
/** A stat takes some 10 µs; of a folder with more notes only those are asked for that the index does not know. */
const MAX_STATS = 200;
/** How long ago an answer of the gate may be that its note could still be on its way into the index. */
const RECENT_MS = 60_000;

type ComparedPorts = Pick<GatePorts, 'vault' | 'reader' | 'proposals' | 'now' | 'bringUpToDate'>;

/** @returns whether the index has all of it */
export async function bringCompared(ports: ComparedPorts, namespace: VaultPath): Promise<boolean> {
  const behind = new Set([...(await justWritten(ports)), ...(await behindIn(ports, namespace))]);
  const paths = [...behind].slice(0, MAX_PATHS);
  const isCurrent = paths.length === 0 || (await ports.bringUpToDate(paths, UP_TO_DATE_MS));
  return isCurrent && paths.length === behind.size;
}

/** Notes that the gate has just answered with, by whatever process, and that the index has not as they are. */
async function justWritten({ proposals, reader, vault, now }: ComparedPorts): Promise<VaultPath[]> {
  const behind: VaultPath[] = [];
  for (const { path, etag } of proposals.answersSince(now().getTime() - RECENT_MS)) {
    if (typeof path !== 'string' || typeof etag !== 'string') continue;
    const row = reader.fileByPath(path);
    if (row?.sha256 === etag) continue;
    const stat = await statThere(vault, path as VaultPath);
    // One that went on changing, or is gone, is the watcher's by now.
    if (stat !== null && (row === undefined || !isSame(row.stat, stat))) behind.push(path as VaultPath);
  }
  return behind;
}

async function statThere(vault: Vault, path: VaultPath): Promise<FileStat | null> {
  try {
    return (await vault.locate(path, { hints: false })).stat;
  } catch (error) {
    if (error instanceof AppError) return null;
    throw error;
  }
}

/** Notes of the folder that the index has not, or has as they were. */
async function behindIn({ vault, reader }: ComparedPorts, folder: VaultPath): Promise<VaultPath[]> {
  const place = await folderThere(vault, folder);
  if (place === null) return [];
  const known = reader.noteNamesIn(place);
  const isNote = (path: VaultPath) => fileKindOf(path, vault.docSuffixes) === 'note' && !isIndexPagePath(path);
  const there = await visibleEntries(vault, place, { wants: isNote });
  const notes = there.filter(({ kind }) => kind === 'note');
  const unknown = notes.filter(({ name }) => !known.has(name)).map(({ path }) => path);
  if (notes.length > MAX_STATS) return unknown;
  const behind: VaultPath[] = [];
  for await (const { path, kind, stat } of walkFolder(vault, place, { enter: () => false, wants: isNote })) {
    if (kind !== 'note') continue;
    const row = known.get(path.slice(path.lastIndexOf('/') + 1));
    if (row === undefined || !isSame(row, stat)) behind.push(path);
  }
  return behind;
}

function isSame(row: FileStat, stat: FileStat): boolean {
  return (
    row.size === stat.size && row.mtimeMs === stat.mtimeMs && row.ctimeMs === stat.ctimeMs && row.inode === stat.inode
  );
}
