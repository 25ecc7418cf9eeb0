/**
 * What every operation that edits one note has in common: checks, the change under the note's lock, its timestamp, the
 * dry run's diff, the news for the index, the answer. Danger: the edit may be computed more than once, from other bytes
 * each time, so only the last one's findings count; and that of a long note is computed on a thread, the lock being held.
 */
import type { NoteEdit } from '@vault-mcp/shared/vault/note/edit/note-edit';
import type { TimestampReport } from '@vault-mcp/shared/vault/note/edit/timestamp';
import { decodeNote } from '@vault-mcp/shared/vault/note/text';
import { parseVaultPath, shown, type VaultPath } from '@vault-mcp/shared/vault/path';
import type { WriteResult } from '@vault-mcp/shared/vault/write';
import type { WriteContext } from '../context.ts';
import { announceWritten, type IndexedState, waitingOf } from './index-news.ts';
import { type NoteChanger, noteChanger } from './note-changer.ts';
import type { ChangedText, ChangeTask } from './note-tasks.ts';
import { recordChange, refuseWhenReadOnly, type WriteRequest } from './write-context.ts';

/** What an operation's input says of how to write. */
export interface NoteCall {
  readonly path: string;
  readonly expected_etag?: string | undefined;
  readonly dry_run?: boolean | undefined;
  readonly wait?: 'indexed' | undefined;
  readonly timeout?: number | undefined;
}

export interface NoteWriteAnswer {
  /** In the spelling on disk. */
  readonly path: string;
  /** The note's version after this call, for the next one's `expected_etag`; null when there is no note (a dry run). */
  readonly etag: string | null;
  /** Whether the note was made by this call (in a dry run: would be). */
  readonly created: boolean;
  /** False when it held all of that already; then nothing was written. */
  readonly changed: boolean;
  /** Folders made for it, outermost first. */
  readonly folders_made: readonly string[];
  readonly timestamp: TimestampReport;
  /** Absent in a dry run. */
  readonly indexed?: IndexedState;
  /** Only in a dry run: nothing was changed. */
  readonly dry_run?: true;
  /** Only in a dry run: what would change, empty when nothing would. */
  readonly diff?: string;
}

export interface NoteChange {
  /** The operation's name, for the records. */
  readonly operation: string;
  /** Nothing there is `not_found`; without it the note is made. */
  readonly mustExist?: boolean;
  /** Something there is `precondition_failed`. */
  readonly mustNotExist?: boolean | undefined;
  /** Why the timestamp stays as the edit leaves it. */
  readonly keepsTimestamp?: string | undefined;
  readonly edit: NoteEdit;
  /** Nothing of the old text is kept, so that it need not be readable. */
  readonly replacesWhole?: boolean;
  /** Refuses what is there (null: nothing), before anything is computed. @throws AppError */
  admit?(there: { readonly path: VaultPath } | null): void;
}

/** What the edit found, beside the answer. */
export interface ChangedNote {
  readonly answer: NoteWriteAnswer;
  readonly removedSubsections: readonly string[];
  readonly createdHeadings: readonly string[];
}

/**
 * Changes one note.
 *
 * @throws AppError `out_of_scope`, `invalid_path`, `unsupported_suffix`, `is_document`, `is_directory`, `not_found`,
 * `already_exists`, `precondition_failed`, `unreadable`, `note_too_large`, `locked`, `insufficient_storage`, and
 * whatever the edit and `admit` throw; nothing is changed then
 */
export async function changeNote(
  context: WriteContext,
  call: NoteCall,
  request: WriteRequest,
  change: NoteChange,
  changer: NoteChanger = noteChanger,
): Promise<ChangedNote> {
  refuseWhenReadOnly(context);
  const computed: { last?: ChangedText } = {};
  // A long edit ends with the locks, or when nobody waits for it any more: it holds the note.
  const givenUp = AbortSignal.any([context.locks.closed, ...(request.signal === undefined ? [] : [request.signal])]);
  const compute = async (there: { readonly path: VaultPath; readonly text: string | null } | null) => {
    change.admit?.(there);
    const stamp = stampFor(context, change);
    computed.last = await changer.change({ text: there?.text ?? null, edit: change.edit, stamp }, givenUp);
    return computed.last.text;
  };
  const written = await writeTo(context, call, request, change, compute);
  if (computed.last === undefined) throw new Error('a note was written without its edit having been computed');
  const { timestamp, removedSubsections, createdHeadings } = computed.last;
  const facts = {
    path: written.path,
    created: written.created,
    changed: written.changed,
    folders_made: written.madeFolders,
    timestamp,
  };
  const found = { removedSubsections, createdHeadings };
  if (written.dryRun) {
    const diff = await plannedDiff(written, changer);
    return { answer: { ...facts, etag: written.etagBefore, dry_run: true, diff }, ...found };
  }
  if (written.changed) recordChange(context, change.operation, request, [written.path]);
  const indexed = await announceWritten(context, written.path, written.etag, { ...call, ...waitingOf(request) });
  return { answer: { ...facts, etag: written.etag, indexed }, ...found };
}

function writeTo(
  { writer }: WriteContext,
  call: NoteCall,
  request: WriteRequest,
  change: NoteChange,
  compute: (there: { readonly path: VaultPath; readonly text: string | null } | null) => Promise<string>,
): Promise<WriteResult> {
  const options = {
    expectedEtag: call.expected_etag,
    ifNoneMatch: change.mustNotExist,
    mustExist: change.mustExist,
    dryRun: call.dry_run,
    scope: request.scope,
    act: isAddition(change.edit) ? ('add' as const) : ('change' as const),
  };
  const path = parseVaultPath(call.path);
  return change.replacesWhole ? writer.replace(path, compute, options) : writer.edit(path, compute, options);
}

/** Whether all that is there stays, for who may add to a note and not change it. */
function isAddition(edit: NoteEdit): boolean {
  return (edit.kind === 'body' || edit.kind === 'section' || edit.kind === 'block') && edit.operation === 'append';
}

function stampFor({ config, now }: WriteContext, { keepsTimestamp }: NoteChange): ChangeTask['stamp'] {
  if (keepsTimestamp !== undefined) return { keptBecause: keepsTimestamp };
  return { key: config.notes.timestamp_key, now: now() };
}

/** What a dry run would change; a sentence where what would be replaced is no text, since a diff of it would lie. */
async function plannedDiff(
  { path, before, after, created, changed }: WriteResult,
  changer: NoteChanger,
): Promise<string> {
  if (!changed) return '';
  const all = `all of "${shown(path)}" would be replaced by the new text.\n`;
  if (before === null && !created) return `No diff is shown, for the note is larger than a note may be: ${all}`;
  const old = before === null ? null : decodeNote(before);
  if (old?.validUtf8 === false) return `No diff is shown, for the note is not valid UTF-8: ${all}`;
  return changer.diff({ path, before: old?.text ?? null, after: after.toString('utf8') });
}
