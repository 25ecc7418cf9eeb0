/**
 * How much an edit has to read, by what is parsed for it, so that whoever serves others meanwhile knows when to hand it
 * to a thread. Pure. Danger: an estimate that is too low stops everybody; each is of the worst case, and what only some
 * texts need (a list that goes on) counts for all that might.
 */
import { yamlLength } from '../frontmatter.ts';
import type { NoteEdit } from './note-edit.ts';
import type { TextReplacement } from './replace-text.ts';

/** UTF-16 units read in each of the ways there are; a text that is read twice counts twice. */
export interface EditCost {
  /** Looked through or copied. */
  readonly copied: number;
  /** Parsed as markdown. */
  readonly markdown: number;
  /** Parsed as YAML. */
  readonly yaml: number;
}

/** The note before the edit and after it; for a block up to three texts are tried. */
const MARKDOWN_PARSES = 2;
const BLOCK_PARSES = 4;
/** The block as it is, with a key set, and with the timestamp set as well. */
const YAML_PARSES = 3;

/** @param text null when there is no such note */
export function editCost(text: string | null, edit: NoteEdit): EditCost {
  if (edit.kind === 'several') return costOfSeveral(text, edit);
  const added = sizeOf(edit) + (edit.kind === 'text' ? growthOf(edit.replacement) : 0);
  const copied = (text?.length ?? 0) + added;
  const written = edit.kind === 'whole' ? edit.text : 'content' in edit ? edit.content : '';
  // What a value or a replacement brings may come to stand in the block.
  const brought = edit.kind === 'set-key' || reachesBlock(edit) ? added : yamlLength(written);
  const yaml = YAML_PARSES * (yamlLength(text ?? '') + brought);
  return { copied, markdown: copied * markdownParses(edit), yaml };
}

/** Each finds what all before it brought. */
function costOfSeveral(text: string | null, { edits }: Extract<NoteEdit, { kind: 'several' }>): EditCost {
  const sum = (of: (edit: NoteEdit) => number) => edits.reduce((total, edit) => total + of(edit), 0);
  const size = (text?.length ?? 0) + sum(sizeOf);
  return {
    copied: size * edits.length,
    markdown: size * sum(markdownParses),
    yaml: sum((edit) => editCost(text, edit).yaml) + YAML_PARSES * edits.length * sum(yamlBroughtBy),
  };
}

/** What an edit may put into the block, for those after it to read. */
function yamlBroughtBy(edit: NoteEdit): number {
  return edit.kind === 'set-key' || reachesBlock(edit) ? sizeOf(edit) : 0;
}

function markdownParses(edit: NoteEdit): number {
  if (edit.kind === 'block') return BLOCK_PARSES;
  return isParsed(edit) ? MARKDOWN_PARSES : 0;
}

const UNPARSED: ReadonlySet<NoteEdit['kind']> = new Set(['whole', 'set-key', 'delete-key', 'several']);

/** Whether an edit needs the note's headings, blocks or lists. */
function isParsed(edit: NoteEdit): boolean {
  if (edit.kind !== 'body') return !UNPARSED.has(edit.kind);
  // The headings that go with a body are named.
  if (edit.operation === 'replace' || edit.operation === 'delete') return true;
  // Items may go on with the list that the note ends in, rows with its table.
  return edit.operation !== 'append' || /^\s*(?:[-*+|]|\d)/.test(edit.content);
}

function reachesBlock(edit: NoteEdit): boolean {
  return edit.kind === 'text' && edit.replacement.includeFrontmatter === true;
}

/** By how much a note grows when the text is there as often as expected; else it is not changed. */
function growthOf({ find, replace, count = 1 }: TextReplacement): number {
  return Math.max(0, count * (replace.length - find.length));
}

/** UTF-16 units of all texts in an edit, which is nested no deeper than a frontmatter value may be. */
function sizeOf(part: unknown): number {
  if (typeof part === 'string') return part.length;
  if (typeof part !== 'object' || part === null) return 0;
  return Object.entries(part).reduce((size, [key, value]) => size + key.length + sizeOf(value), 0);
}
