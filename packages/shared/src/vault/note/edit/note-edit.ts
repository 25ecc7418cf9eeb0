/**
 * Every edit of a note as plain data, so that it can be carried out wherever there is time for it, and the one function
 * that does. Pure. Danger: a long note takes seconds, so whoever serves others meanwhile hands the edit to a thread.
 */
import type { NoteStructure, TextRange } from '../model.ts';
import { lazyStructure } from '../parse.ts';
import { editBlock } from './block.ts';
import { appendToNote, setBody } from './body.ts';
import { deleteFrontmatterKey, setFrontmatterKey } from './frontmatter.ts';
import { mergedValue } from './merged-value.ts';
import { applySplice, type EditOutcome, unchanged } from './outcome.ts';
import { prependToBody } from './prepend-to-body.ts';
import { removedSubsections } from './removed-subsections.ts';
import { replaceText, type TextReplacement } from './replace-text.ts';
import { type EditOperation, editSection, type SectionEdit } from './section.ts';

export interface CreateOption {
  readonly createIfMissing?: boolean;
}

export type NoteEdit =
  /** Another text in place of the whole. */
  | { readonly kind: 'whole'; readonly text: string }
  /** Everything below the frontmatter. */
  | { readonly kind: 'body'; readonly operation: EditOperation; readonly content: string }
  | {
      readonly kind: 'section';
      readonly target: string | readonly string[];
      readonly operation: EditOperation;
      readonly content: string;
      readonly options?: SectionEdit;
    }
  | {
      readonly kind: 'block';
      /** With or without its `^`. */
      readonly id: string;
      readonly operation: EditOperation;
      readonly content: string;
      readonly options?: CreateOption;
    }
  | { readonly kind: 'text'; readonly replacement: TextReplacement }
  | {
      readonly kind: 'set-key';
      readonly key: string;
      readonly value: unknown;
      /** What becomes of the value that is there; default `replace`. */
      readonly operation?: Exclude<EditOperation, 'delete'>;
      readonly options?: CreateOption;
    }
  | { readonly kind: 'delete-key'; readonly key: string }
  /** One after the other, each of what the one before made; all of them or none. */
  | { readonly kind: 'several'; readonly edits: readonly SingleEdit[] };

/** What can be one of several: nothing that makes the note, nor several again. */
export type SingleEdit = Exclude<NoteEdit, { readonly kind: 'whole' | 'several' }>;

/**
 * Carries an edit out.
 *
 * @param text null when there is no such note: only a whole text, or one appended, can be put there
 * @throws AppError what the edit of that kind throws
 */
export function applyNoteEdit(text: string | null, edit: NoteEdit): EditOutcome {
  if (edit.kind === 'whole') return replacedWhole(text ?? '', edit.text);
  if (text === null) {
    if (edit.kind === 'body' && edit.operation === 'append') return appendToNote(null, edit.content);
    throw new Error(`an edit of kind "${edit.kind}" needs a note that is there`);
  }
  const note = lazyStructure(text);
  switch (edit.kind) {
    case 'body':
      return editBody(note, edit.operation, edit.content);
    case 'section':
      return editSection(note, edit.target, edit.operation, edit.content, edit.options);
    case 'block':
      return editBlock(note, edit.id, edit.operation, edit.content, edit.options);
    case 'text':
      return replaceText(note, edit.replacement);
    case 'set-key':
      return setFrontmatterKey(note, edit.key, valueToSet(note, edit), edit.options);
    case 'delete-key':
      return deleteFrontmatterKey(note, edit.key);
    case 'several':
      return applySeveral(note, edit.edits);
  }
}

/** What was edited is not told more closely than from the first character that differs to the last. */
function applySeveral(note: NoteStructure, edits: readonly SingleEdit[]): EditOutcome {
  let outcome = unchanged(note);
  const found: Pick<EditOutcome, 'removedSubsections' | 'createdHeadings'>[] = [];
  for (const edit of edits) {
    outcome = applyNoteEdit(outcome.text, edit);
    found.push(outcome);
  }
  return {
    ...outcome,
    edited: differingRange(note.text, outcome.text),
    removedSubsections: found.flatMap(({ removedSubsections }) => removedSubsections),
    createdHeadings: found.flatMap(({ createdHeadings }) => createdHeadings),
  };
}

/** The range of the old text that is another in the new one. */
function differingRange(before: string, after: string): TextRange {
  const shorter = Math.min(before.length, after.length);
  let from = 0;
  while (from < shorter && before[from] === after[from]) from++;
  let same = 0;
  while (same < shorter - from && before.at(-1 - same) === after.at(-1 - same)) same++;
  return { from, to: before.length - same };
}

function valueToSet({ frontmatter }: NoteStructure, edit: Extract<NoteEdit, { kind: 'set-key' }>): unknown {
  const { key, value, operation = 'replace' } = edit;
  if (operation === 'replace') return value;
  const current = Object.hasOwn(frontmatter.data, key) ? frontmatter.data[key] : undefined;
  return mergedValue(current, value, operation);
}

function replacedWhole(text: string, insert: string): EditOutcome {
  return applySplice({ text }, { from: 0, to: text.length, insert });
}

function editBody(note: NoteStructure, operation: EditOperation, content: string): EditOutcome {
  switch (operation) {
    case 'append':
      return appendToNote(note, content);
    case 'prepend':
      return prependToBody(note, content);
    case 'replace':
      return withRemoved(note, setBody(note, content), content);
    case 'delete':
      return withRemoved(note, setBody(note, ''), '');
  }
}

function withRemoved(note: NoteStructure, outcome: EditOutcome, content: string): EditOutcome {
  return { ...outcome, removedSubsections: removedSubsections(note.headings, content) };
}
