/**
 * A candidate as the note it becomes. Pure. Danger: titles and values come from anybody, so the block is made by the edits that
 * read it back, and never put together as text.
 */
import { applyNoteEdit, type SingleEdit } from '@vault-mcp/shared/vault/note/edit/note-edit';
import type { VaultPath } from '@vault-mcp/shared/vault/path';
import type { Stamp } from '../ports.ts';
import type { Candidate } from '../types.ts';
import { supersedesEdit, together } from './marks.ts';

export interface NoteMarks {
  /** The notes that it stands for from now on. */
  readonly supersedes: readonly VaultPath[];
  /** See provenance.ts. */
  readonly provenance: readonly SingleEdit[];
  /** Null: no timestamp is kept. */
  readonly stamp: Stamp | null;
}

/** No heading is added: the title stands in the block. @throws AppError `invalid_value` when the block would be too large */
export function composeNote(candidate: Candidate, { supersedes, provenance, stamp }: NoteMarks): string {
  const { title, type, body, frontmatter } = candidate;
  const edits: SingleEdit[] = [
    setKey('type', type),
    setKey('title', title),
    ...Object.entries(frontmatter).map(([key, value]) => setKey(key, value)),
    ...(stamp === null ? [] : [setKey(stamp.key, utcSeconds(stamp.now))]),
    ...(supersedes.length === 0 ? [] : [supersedesEdit(supersedes)]),
    ...provenance,
  ];
  return applyNoteEdit(`${body}\n`, together(edits)).text;
}

function setKey(key: string, value: unknown): SingleEdit {
  return { kind: 'set-key', key, value, options: { createIfMissing: true } };
}

/** `2026-07-28T09:30:00Z`, as bumpTimestamp writes it. */
function utcSeconds(time: Date): string {
  return `${time.toISOString().slice(0, 19)}Z`;
}
