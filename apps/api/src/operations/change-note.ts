/**
 * What every operation that edits one note has in common: checks, the change under the note's lock, its timestamp, the
 * dry run's diff, the news for the index, the answer. Danger: the edit may be computed more than once, from other bytes
 * each time, so only the last one's findings count.
 */
import { bumpTimestamp, type TimestampReport } from '@vault-mcp/shared/vault/note/edit/timestamp';
import { parseVaultPath } from '@vault-mcp/shared/vault/path';
import type { NoteFile } from '@vault-mcp/shared/vault/read';
import type { WriteContext } from '../context.ts';
import { announceWritten, type IndexedState } from './index-news.ts';
import { unifiedDiff } from './unified-diff.ts';
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

export interface NoteChange<E extends { readonly text: string }> {
  /** The operation's name, for the history. */
  readonly operation: string;
  /** Nothing there is `not_found`; without it the note is made. */
  readonly mustExist?: boolean;
  /** Something there is `precondition_failed`. */
  readonly mustNotExist?: boolean | undefined;
  /** Why the timestamp stays as the edit leaves it. */
  readonly keepsTimestamp?: string | undefined;
  /** The new text from what is there (null: nothing); throwing leaves everything as it is. Has no other effect. */
  edit(current: NoteFile | null): E;
}

/**
 * Changes one note.
 *
 * @returns the answer, and what `edit` gave for the bytes that were written
 * @throws AppError `out_of_scope`, `invalid_path`, `unsupported_suffix`, `is_document`, `is_directory`, `not_found`,
 * `already_exists`, `precondition_failed`, `unreadable`, `note_too_large`, `locked`, `insufficient_storage`, and
 * whatever `edit` throws; nothing is changed then
 */
export async function changeNote<E extends { readonly text: string }>(
  context: WriteContext,
  call: NoteCall,
  request: WriteRequest,
  change: NoteChange<E>,
): Promise<{ readonly answer: NoteWriteAnswer; readonly edit: E }> {
  refuseWhenReadOnly(context);
  const computed: { last?: { readonly edit: E; readonly timestamp: TimestampReport } } = {};
  const options = {
    expectedEtag: call.expected_etag,
    ifNoneMatch: change.mustNotExist,
    mustExist: change.mustExist,
    dryRun: call.dry_run,
    scope: request.scope,
  };
  const written = await context.writer.edit(
    parseVaultPath(call.path),
    (current) => {
      const edit = change.edit(current);
      const { text, timestamp } = stamped(context, current, edit.text, change.keepsTimestamp);
      computed.last = { edit, timestamp };
      return text;
    },
    options,
  );
  if (computed.last === undefined) throw new Error('a note was written without its edit having been computed');
  const { edit, timestamp } = computed.last;
  const facts = {
    path: written.path,
    created: written.created,
    changed: written.changed,
    folders_made: written.madeFolders,
    timestamp,
  };
  if (written.dryRun) {
    const diff = unifiedDiff(written.path, written.before?.toString('utf8') ?? null, written.after.toString('utf8'));
    return { answer: { ...facts, etag: written.etagBefore, dry_run: true, diff }, edit };
  }
  if (written.changed) recordChange(context, change.operation, request, [written.path]);
  const indexed = await announceWritten(context, written.path, written.etag, { ...call, signal: request.signal });
  return { answer: { ...facts, etag: written.etag, indexed }, edit };
}

/** The same for a note that has to be there. @param edit its text in, the new text out */
export function changeExistingNote<E extends { readonly text: string }>(
  context: WriteContext,
  call: NoteCall,
  request: WriteRequest,
  edit: (text: string) => E,
  options: Pick<NoteChange<E>, 'operation' | 'keepsTimestamp'>,
): Promise<{ readonly answer: NoteWriteAnswer; readonly edit: E }> {
  return changeNote(context, call, request, {
    ...options,
    mustExist: true,
    edit(current) {
      if (current === null) throw new Error('the writer let a missing note through');
      return edit(current.text);
    },
  });
}

/** The text with its timestamp set, unless the edit changed nothing: then asking again would change it each time. */
function stamped(
  { config, now }: WriteContext,
  current: NoteFile | null,
  text: string,
  keepsTimestamp: string | undefined,
): { text: string; timestamp: TimestampReport } {
  const kept = (reason: string) => ({ text, timestamp: { bumped: false, reason } });
  if (current !== null && text === current.text) return kept('nothing was changed');
  if (keepsTimestamp !== undefined) return kept(keepsTimestamp);
  return bumpTimestamp(text, config.notes.timestamp_key, now());
}
