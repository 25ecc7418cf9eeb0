/**
 * The marks of a supersession: `supersedes` in the new note, `superseded_by` in the old one. Pure. Danger: they are links in
 * frontmatter, so that they follow moves; and half a pair would send readers nowhere, so whoever sets one sets both, or takes
 * the first out again.
 */
import type { NoteEdit, SingleEdit } from '@vault-mcp/shared/vault/note/edit/note-edit';
import { SUPERSEDED_BY_KEY } from '@vault-mcp/shared/vault/note/superseded-by';
import { fitsWikilink } from '@vault-mcp/shared/vault/note/written-target';
import type { VaultPath } from '@vault-mcp/shared/vault/path';

export const SUPERSEDES_KEY = 'supersedes';

/** A note as a mark names it: a link by its whole path; the path itself where a link cannot hold it. */
export function markTarget(path: VaultPath): string {
  const target = path.replace(/\.md$/i, '');
  return fitsWikilink(target) ? `[[${target}]]` : path;
}

/** For the old note. */
export function supersededByEdit(newPath: VaultPath): SingleEdit {
  const value = markTarget(newPath);
  return { kind: 'set-key', key: SUPERSEDED_BY_KEY, value, options: { createIfMissing: true } };
}

/** For the new note: which notes it stands for; none takes the key out. */
export function supersedesEdit(paths: readonly VaultPath[]): SingleEdit {
  if (paths.length === 0) return { kind: 'delete-key', key: SUPERSEDES_KEY };
  const value = paths.map(markTarget);
  return { kind: 'set-key', key: SUPERSEDES_KEY, value, options: { createIfMissing: true } };
}

/** Several edits as one. */
export function together(edits: readonly SingleEdit[]): NoteEdit {
  return { kind: 'several', edits };
}
