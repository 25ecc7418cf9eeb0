/**
 * What an intent holds while it is carried out, and what it finds there. Danger: whoever holds too little meets another writer
 * midway; so it is everything the intent names, with the folders that have to be made for it.
 */
import { AppError } from '@vault-mcp/shared/errors';
import type { PathClaim } from '@vault-mcp/shared/vault/lock';
import { parseFrontmatter } from '@vault-mcp/shared/vault/note/frontmatter';
import { supersededBy } from '@vault-mcp/shared/vault/note/superseded-by';
import { parentOf, type VaultPath } from '@vault-mcp/shared/vault/path';
import { type NoteFile, readNoteFile } from '@vault-mcp/shared/vault/read';
import type { Vault } from '@vault-mcp/shared/vault/vault';
import { folderThere } from './free-path.ts';
import type { Intent } from './intent.ts';
import { markTarget } from './marks.ts';

/** Null: nothing is there; `taken`: something that is no note, or cannot be read. */
export type Found = NoteFile | 'taken' | null;

export async function findNote(vault: Vault, path: VaultPath): Promise<Found> {
  try {
    return await readNoteFile(vault, path, { maxBytes: 0 });
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return error.code === 'not_found' ? null : 'taken';
  }
}

/** Whether what is there says that it was superseded by this note. */
export function isMarked(there: Found, by: VaultPath): boolean {
  if (there === null || there === 'taken') return false;
  return supersededBy(parseFrontmatter(there.text).data) === markTarget(by);
}

/** Of two who make the same folder, one has to see the other's. */
export async function claimsOf(vault: Vault, { create, update, marks }: Intent): Promise<PathClaim[]> {
  const paths = new Set(marks.map(({ path }) => path));
  if (update !== null) paths.add(update.path);
  if (create !== null) {
    paths.add(create.path);
    for (const folder of await missingFolders(vault, create.path)) paths.add(folder);
  }
  return [...paths].map((path) => ({ path }));
}

async function missingFolders(vault: Vault, path: VaultPath): Promise<VaultPath[]> {
  const missing: VaultPath[] = [];
  for (let folder = parentOf(path); folder !== ''; folder = parentOf(folder)) {
    if ((await folderThere(vault, folder)) !== null) break;
    missing.push(folder);
  }
  return missing;
}
