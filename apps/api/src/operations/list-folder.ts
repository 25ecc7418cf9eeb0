/**
 * List what a folder holds. Danger: a cursor must survive files that come and go between two pages, so it names the
 * last path shown, never a position.
 */
import { AppError } from '@vault-mcp/shared/errors';
import { aKind, parseVaultPath, shown } from '@vault-mcp/shared/vault/path';
import { type FolderEntry, listFolder as readFolder } from '@vault-mcp/shared/vault/read';
import { z } from 'zod';
import type { OperationContext } from '../context.ts';
import { pathCursor } from './cursor.ts';

const MAX_LIMIT = 10_000;

const cursors = pathCursor('after:', 'a listing');

export const listFolderInput = z.strictObject({
  path: z.string().default('').describe('The folder; empty for the whole vault.'),
  recursive: z.boolean().optional().describe('Also everything below its subfolders. Default false.'),
  limit: z.number().int().min(1).max(MAX_LIMIT).optional().describe('At most this many entries in one answer.'),
  cursor: z.string().optional().describe('`next_cursor` of the answer before, to go on where it ended.'),
});

export interface FolderListing {
  readonly path: string;
  readonly entries: FolderEntry[];
  /** The same entries as names relative to the folder, subfolders with a trailing slash: the Obsidian plugin's form. */
  readonly files: string[];
  /** Entries in the whole listing. */
  readonly total: number;
  /** Ask again with it for what follows; null at the end. */
  readonly next_cursor: string | null;
}

/** @throws AppError not_found, not_a_directory, invalid_path, unreadable, invalid_request (a cursor that is none) */
export async function listFolder(
  context: Pick<OperationContext, 'vault'>,
  input: z.infer<typeof listFolderInput>,
): Promise<FolderListing> {
  const folder = await context.vault.locate(parseVaultPath(input.path));
  if (folder.kind !== 'folder') {
    throw new AppError(
      'not_a_directory',
      `"${shown(folder.path)}" is ${aKind(folder.kind)}, not a folder: read it instead.`,
    );
  }
  const all = await readFolder(context.vault, folder.path, { recursive: input.recursive ?? false });
  all.sort((a, b) => compare(a.path, b.path));
  const after = input.cursor === undefined ? null : cursors.decode(input.cursor);
  const rest = after === null ? all : all.filter(({ path }) => compare(path, after) > 0);
  const entries = rest.slice(0, input.limit ?? rest.length);
  const last = entries.at(-1);
  return {
    path: folder.path,
    entries,
    files: entries.map((entry) => relativeName(entry, folder.path)),
    total: all.length,
    next_cursor: last && entries.length < rest.length ? cursors.encode(last.path) : null,
  };
}

/** The same page with its first `count` entries only, and the cursor that goes on behind them. Pure. */
export function firstEntries(listing: FolderListing, count: number): FolderListing {
  const last = listing.entries[count - 1];
  if (!last || count >= listing.entries.length) return listing;
  return {
    ...listing,
    entries: listing.entries.slice(0, count),
    files: listing.files.slice(0, count),
    next_cursor: cursors.encode(last.path),
  };
}

function relativeName(entry: FolderEntry, folder: string): string {
  const name = folder === '' ? entry.path : entry.path.slice(folder.length + 1);
  return entry.type === 'folder' ? `${name}/` : name;
}

/** By code unit: the same on every machine and for every language, as a cursor needs it. */
function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
