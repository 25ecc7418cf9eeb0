/**
 * What links to what: of one file its links, who links to it and what is near; of the whole vault what leads nowhere, what
 * could mean several files, and the notes that stand alone. Danger: the graph knows the links of others as the index has
 * them, so the file that is asked about is read as it is: right after a write, its own links are not one behind.
 */
import { AppError } from '@vault-mcp/shared/errors';
import { fileKindOf, parseVaultPath, pathKey, shown, type VaultPath } from '@vault-mcp/shared/vault/path';
import type { LeftOut } from '@vault-mcp/shared/vault/walk-notes';
import { z } from 'zod';
import type { OperationContext } from '../context.ts';
import type { CurrentGraph } from '../links/current-graph.ts';
import { type FileLinks, fileLinks } from '../links/file-links.ts';
import type { Marks, PageRequest } from '../links/list-page.ts';
import { type VaultLinks, vaultLinks } from '../links/vault-links.ts';
import { pathCursor } from './cursor.ts';
import { linkGraph, MAX_LEFT_OUT, PARTLY_UNREAD } from './link-graph.ts';
import { linksInFile } from './links-in-file.ts';

const DEFAULT_LIMIT = 100;
const MAX_LIMIT = 1_000;

const cursors = pathCursor('links:', 'an answer about links');

export const findLinksInput = z.strictObject({
  path: z.string().default('').describe('The note or other file; empty for the whole vault.'),
  limit: z.number().int().min(1).max(MAX_LIMIT).optional().describe('At most this many entries of each list.'),
  cursor: z.string().optional().describe('`next_cursor` of the answer before, to go on where it ended.'),
});

export interface LinksAnswer {
  /** Why it may be less than whole; empty when it is whole. */
  readonly degraded: readonly ('index_building' | typeof PARTLY_UNREAD)[];
  /** Folders and files that could not be read, the first of them. A folder's path is '' for all of the vault. */
  readonly left_out: readonly LeftOut[];
  readonly index_generation: number;
  /** Ask again with it for what follows in the lists; null when all of them have ended. */
  readonly next_cursor: string | null;
}

export type FoundLinks = LinksAnswer & (FileLinks | VaultLinks);

type LinksContext = Pick<OperationContext, 'vault' | 'reader' | 'config' | 'log'>;

/**
 * @throws AppError not_found (of the vault itself, too), invalid_path, is_directory, invalid_request (a cursor that is none),
 * not_ready (nothing is indexed yet), note_too_large, document_too_large (a canvas), unreadable
 */
export async function findLinks(context: LinksContext, input: z.infer<typeof findLinksInput>): Promise<FoundLinks> {
  const path = parseVaultPath(input.path);
  const marks = input.cursor === undefined ? {} : marksOf(input.cursor, path);
  const page = { marks, limit: input.limit ?? DEFAULT_LIMIT };
  return path === '' ? ofVault(context, page) : ofFile(context, path, page);
}

async function ofVault(context: LinksContext, page: PageRequest): Promise<FoundLinks> {
  assertIndexed(context);
  const current = await linkGraph(context);
  return answer(context, current, vaultLinks(current, page));
}

async function ofFile(context: LinksContext, path: VaultPath, page: PageRequest): Promise<FoundLinks> {
  const file = await context.vault.locate(path);
  const { kind } = file;
  if (kind === 'folder') {
    throw new AppError('is_directory', `"${shown(file.path)}" is a folder: list it, and ask for one of its files.`);
  }
  assertIndexed(context);
  const links = await linksInFile(context, file);
  const { docSuffixes } = context.vault;
  const isNear = (one: VaultPath) => fileKindOf(one, docSuffixes) !== 'attachment';
  const current = await linkGraph(context);
  return answer(context, current, fileLinks({ ...current, isNear }, { path: file.path, kind, links }, page));
}

/** As search does: an index that holds nothing yet would read as "nothing links". */
function assertIndexed({ reader }: LinksContext): void {
  if (reader.indexerStatus()?.state === 'ready' || reader.counts().notes > 0) return;
  throw new AppError(
    'not_ready',
    'The index is still building and holds nothing yet. Ask again in a few seconds; GET /readyz shows the progress.',
  );
}

function answer(
  { reader }: LinksContext,
  { generation, leftOut }: CurrentGraph,
  { marks, ...found }: (FileLinks | VaultLinks) & { readonly marks: Marks | null },
): FoundLinks {
  return {
    ...found,
    degraded: [
      ...(reader.indexerStatus()?.state === 'ready' ? [] : (['index_building'] as const)),
      ...(leftOut.length === 0 ? [] : [PARTLY_UNREAD]),
    ],
    left_out: leftOut.slice(0, MAX_LEFT_OUT),
    index_generation: generation,
    next_cursor: marks === null ? null : cursors.encode(JSON.stringify({ path: pathKey(found.path), marks })),
  };
}

const cursorContent = z.object({ path: z.string(), marks: z.record(z.string(), z.string().nullable()) });

function marksOf(cursor: string, path: VaultPath): Marks {
  const written = cursors.decode(cursor);
  try {
    const { path: of, marks } = cursorContent.parse(JSON.parse(written));
    if (of === pathKey(path)) return marks;
  } catch (cause) {
    throw new AppError('invalid_request', 'This cursor is damaged; ask without one to start over.', { cause });
  }
  throw new AppError('invalid_request', 'This cursor goes on with another path; ask without one to start over.');
}
