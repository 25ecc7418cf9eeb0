/**
 * All notes of the vault, page by page. Danger: a vault holds thousands, and every page is asked for by itself, so a
 * page walks only what it shows; its cursor is the last note's path, which stays right while others come and go.
 */
import type { VaultPath } from '@vault-mcp/shared/vault/path';
import { walkFolder } from '@vault-mcp/shared/vault/walk-folder';
import type { OperationContext } from '../context.ts';
import { pathCursor } from './cursor.ts';

const cursors = pathCursor('note:', 'a listing of notes');

export interface ListedNote {
  readonly path: VaultPath;
  /** Bytes. */
  readonly size: number;
  /** ISO 8601, UTC. */
  readonly modified: string;
}

export interface NotesPage {
  /** Depth first, folders before notes, each by name in code unit order. */
  readonly notes: readonly ListedNote[];
  /** For what follows; null at the end. */
  readonly next_cursor: string | null;
}

/**
 * Leaves out what nobody may read: dotted names, symbolic links, folders without permission.
 *
 * @param input.limit notes in one page, at least 1
 * @throws AppError `invalid_request` for a cursor that was not made here
 */
export async function listNotes(
  { vault }: Pick<OperationContext, 'vault'>,
  input: { readonly cursor?: string | undefined; readonly limit: number },
): Promise<NotesPage> {
  const after = input.cursor === undefined ? null : cursors.decode(input.cursor);
  const notes: ListedNote[] = [];
  const items = walkFolder(vault, '' as VaultPath, {
    enter: (folder) => after === null || mayHoldLater(folder, after),
    wants: (path, kind) => kind === 'note' && (after === null || comesLater(path, after)),
  });
  for await (const { path, kind, stat } of items) {
    if (kind === 'folder') continue;
    if (notes.length === input.limit) return { notes, next_cursor: cursors.encode(notes.at(-1)?.path ?? '') };
    notes.push({ path, size: stat.size, modified: new Date(stat.mtimeMs).toISOString() });
  }
  return { notes, next_cursor: null };
}

/** Whether the walk comes to a note after it has come to the other. */
function comesLater(path: string, other: string): boolean {
  const [segments, others] = [path.split('/'), other.split('/')];
  const at = segments.findIndex((segment, index) => segment !== others[index]);
  if (at < 0) return false;
  const [segment = '', otherSegment = ''] = [segments[at], others[at]];
  const isFolder = at < segments.length - 1;
  const otherIsFolder = at < others.length - 1;
  return isFolder === otherIsFolder ? segment > otherSegment : otherIsFolder;
}

/** Whether anything in a folder comes after a note. */
function mayHoldLater(folder: string, note: string): boolean {
  return note.startsWith(`${folder}/`) || comesLater(`${folder}/`, note);
}
