/**
 * What is done with a note's whole text, as plain data: the same wherever it is done, at once or on a thread. Pure.
 * Danger: each of these takes up to half a second per megabyte, and an edit that twice.
 */
import { serialize } from 'node:v8';
import type { ReadRules } from '@vault-mcp/shared/vault/access';
import { applyNoteEdit, type NoteEdit } from '@vault-mcp/shared/vault/note/edit/note-edit';
import type { EditOutcome } from '@vault-mcp/shared/vault/note/edit/outcome';
import { bumpTimestamp, type TimestampReport } from '@vault-mcp/shared/vault/note/edit/timestamp';
import { followMove, type LinkingFile } from '@vault-mcp/shared/vault/note/follow-move';
import { relocate } from '@vault-mcp/shared/vault/note/relocation';
import type { RewrittenText } from '@vault-mcp/shared/vault/note/rewrite-links';
import { createVaultNames } from '@vault-mcp/shared/vault/note/vault-names';
import type { VaultPath } from '@vault-mcp/shared/vault/path';
import { type FactToPlace, type PlacedFact, placeFact } from '../memory/wiki/place-fact.ts';
import {
  askNote,
  type CanvasLinks,
  type LinkSources,
  type NoteLinks,
  type NoteOutline,
  type NoteParts,
  type NoteQuestion,
} from './note-parts.ts';
import { unifiedDiff } from './unified-diff.ts';

export interface QuestionTask {
  readonly about: 'question';
  readonly text: string;
  readonly question: NoteQuestion;
}

/** An answer, and its size as it would be sent to another thread. */
export interface WeighedAnswer {
  readonly answer: NoteParts | NoteOutline | NoteLinks | LinkSources | CanvasLinks;
  readonly bytes: number;
}

export interface ChangeTask {
  readonly about: 'change';
  /** Null when no note is there, or none whose text can be read. */
  readonly text: string | null;
  readonly edit: NoteEdit;
  /** What the timestamp is set to, or why it stays as the edit leaves it. */
  readonly stamp: { readonly key: string; readonly now: Date } | { readonly keptBecause: string };
}

export interface ChangedText {
  readonly text: string;
  readonly timestamp: TimestampReport;
  readonly removedSubsections: readonly string[];
  readonly createdHeadings: readonly string[];
}

export interface DiffTask {
  readonly about: 'diff';
  readonly path: string;
  readonly before: string | null;
  readonly after: string;
}

export interface FollowTask {
  readonly about: 'follow';
  readonly file: LinkingFile;
  /** Every path that the mover sees before the move, with NUL in between. */
  readonly names: string;
  readonly source: VaultPath;
  readonly destination: VaultPath;
  /** What the mover sees, whose names they are; null for the whole vault. */
  readonly readable: ReadRules | null;
}

export interface FactTask extends FactToPlace {
  readonly about: 'fact';
}

export type NoteTask = QuestionTask | ChangeTask | DiffTask | FollowTask | FactTask;

export interface TaskResults {
  readonly question: WeighedAnswer;
  readonly change: ChangedText;
  readonly diff: string;
  readonly follow: RewrittenText;
  readonly fact: PlacedFact;
}

/** @throws AppError what `askNote`, `applyNoteEdit` and `placeFact` throw */
export function doTask<T extends NoteTask>(task: T): TaskResults[T['about']] {
  return resultOf(task) as TaskResults[T['about']];
}

function resultOf(task: NoteTask): TaskResults[keyof TaskResults] {
  switch (task.about) {
    case 'question': {
      const answer = askNote(task.text, task.question);
      return { answer, bytes: serialize(answer).byteLength };
    }
    case 'change':
      return changedText(task);
    case 'diff':
      return unifiedDiff(task.path, task.before, task.after);
    case 'follow':
      return followed(task);
    case 'fact':
      return placeFact(task);
  }
}

function followed({ file, names, source, destination, readable }: FollowTask): RewrittenText {
  const paths = names.split('\0') as VaultPath[];
  return followMove(file, relocate(createVaultNames(paths), source, destination, readable));
}

function changedText({ text: before, edit, stamp }: ChangeTask): ChangedText {
  const outcome = applyNoteEdit(before, edit);
  const { removedSubsections, createdHeadings } = outcome;
  return { ...stamped(before, outcome, stamp), removedSubsections, createdHeadings };
}

/** The text with its timestamp set, unless the edit changed nothing: then asking again would change it each time. */
function stamped(
  before: string | null,
  { text, frontmatter }: EditOutcome,
  stamp: ChangeTask['stamp'],
): { text: string; timestamp: TimestampReport } {
  const kept = (reason: string) => ({ text, timestamp: { bumped: false, reason } });
  if (text === before) return kept('nothing was changed');
  if ('keptBecause' in stamp) return kept(stamp.keptBecause);
  return bumpTimestamp(text, stamp.key, stamp.now, frontmatter);
}
