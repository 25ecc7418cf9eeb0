/**
 * What the gate is about to do, as it stands in memory.db while it is being done: everything that it takes to do it again,
 * without whoever decided. Danger: a recovery, maybe of a later version, acts on it alone; so each step says what has to be
 * there before it and what is there after it, and a step that is done is told from one that is not by the bytes on the disk.
 */
import type { NewDiscard } from '@vault-mcp/shared/records/discard-lines';
import type { StoredObject } from '@vault-mcp/shared/records/proposal-rows';
import type { NoteEdit } from '@vault-mcp/shared/vault/note/edit/note-edit';
import { encodeNote, sha256Hex } from '@vault-mcp/shared/vault/note/text';
import type { VaultPath } from '@vault-mcp/shared/vault/path';
import { z } from 'zod';
import type { Stamp } from '../ports.ts';
import type { Candidate } from '../types.ts';

/** Grows when an older program would misread one. */
const VERSION = 1;

const path = z.string().transform((text) => text as VaultPath);
const etag = z.string();
const edit = z.custom<NoteEdit>((value) => typeof (value as { kind?: unknown } | null)?.kind === 'string');
/** `now`: ISO, UTC. */
const stamp = z.object({ key: z.string(), now: z.iso.datetime() }).nullable();

const createStep = z.object({
  path,
  text: z.string(),
  sha256: etag,
  /** The version of it that this one replaces, when a mark could not be set; else nothing is there before. */
  inPlaceOf: etag.nullable(),
});
const updateStep = z.object({ path, etagBefore: etag, edit, stamp, sha256After: etag });
const markStep = z.object({ path, etagBefore: etag, stamp, sha256After: etag });
const entry = z.custom<NewDiscard>((value) => typeof (value as { id?: unknown } | null)?.id === 'string');

const intentSchema = z.object({
  v: z.literal(VERSION),
  action: z.enum(['update', 'supersede', 'create', 'discard']),
  fellBack: z
    .enum([
      'unknown_target',
      'read_only_target',
      'target_changed',
      'decider_unreachable',
      'decider_malformed',
      'would_lose_text',
    ])
    .nullable(),
  remarks: z.array(z.string()),
  /** Notes that could not be marked as superseded by the new one. */
  unmarked: z.array(z.object({ path: z.string(), reason: z.string() })),
  /** In this order; of each kind what there is. */
  create: createStep.nullable(),
  update: updateStep.nullable(),
  marks: z.array(markStep),
  discard: entry.nullable(),
});

export type Intent = z.infer<typeof intentSchema>;
export type CreateStep = z.infer<typeof createStep>;
export type UpdateStep = z.infer<typeof updateStep>;
export type MarkStep = z.infer<typeof markStep>;

const candidateSchema = z.object({
  title: z.string(),
  type: z.string(),
  namespace: path,
  body: z.string(),
  frontmatter: z.record(z.string(), z.custom<Candidate['frontmatter'][string]>()),
});

/** An intent of these parts. */
export function intentOf(parts: Pick<Intent, 'action'> & Partial<Intent>): Intent {
  const nothing = { create: null, update: null, discard: null, marks: [], remarks: [], unmarked: [], fellBack: null };
  return { v: VERSION, ...nothing, ...parts };
}

/** @throws Error when it is none, or a newer version's: it is kept for that, and told by doctor */
export function readIntent(stored: StoredObject | null): Intent {
  return intentSchema.parse(stored);
}

/** The candidate of a row. @throws Error when it is none */
export function readCandidate(stored: StoredObject | null): Candidate {
  return candidateSchema.parse(stored);
}

export function stampFrom(stored: UpdateStep['stamp']): Stamp | null {
  return stored === null ? null : { key: stored.key, now: new Date(stored.now) };
}

export function storedStamp(stamp: Stamp | null): UpdateStep['stamp'] {
  return stamp === null ? null : { key: stamp.key, now: stamp.now.toISOString() };
}

/** The etag of a note with this text. */
export function etagOf(text: string): string {
  return sha256Hex(encodeNote(text));
}
