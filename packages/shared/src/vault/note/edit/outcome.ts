/**
 * What an edit of a note's text gives back, and how one replaced range becomes it. Danger: a note without frontmatter
 * gains a block as soon as its first line is three hyphens and a later line closes them, so text put into the body
 * could become metadata: such an edit is refused here, for every kind of edit.
 */
import { AppError } from '../../../errors.ts';
import { parseFrontmatter } from '../frontmatter.ts';
import type { Frontmatter, Heading, NoteStructure, TextRange } from '../model.ts';
import { lazyStructure } from '../parse.ts';
import { requireStructure } from '../whole-structure.ts';

export interface EditOutcome {
  /** The whole new text; the same string as before when nothing had to change. */
  readonly text: string;
  /**
   * The range of the old text that was replaced: before `from` and from `to` on, old and new text are equal. Empty for
   * an insertion.
   */
  readonly edited: TextRange;
  /** Subsections that are gone with what was edited, as their targets were; of a list item, the first lines of the items below it. */
  readonly removedSubsections: readonly string[];
  /** Targets of the headings made because they were missing. */
  readonly createdHeadings: readonly string[];
  /** The new text's frontmatter, where the edit has read it: a large block takes long to read. */
  readonly frontmatter?: Frontmatter;
}

/** An edit's outcome with its text, parsed at most once for all who verify it. */
export interface ParsedOutcome {
  readonly outcome: EditOutcome;
  readonly after: NoteStructure;
}

/** One replacement: what goes in place of `[from, to)` of the old text. */
export interface Splice extends TextRange {
  readonly insert: string;
}

/** The text with the splice carried out. */
function spliced(text: string, { from, to, insert }: Splice): string {
  return text.slice(0, from) + insert + text.slice(to);
}

/** Carries a splice out, whatever it does to the note. */
export function applySplice(note: Pick<NoteStructure, 'text'>, splice: Splice): EditOutcome {
  const { from, to } = splice;
  return { text: spliced(note.text, splice), edited: { from, to }, removedSubsections: [], createdHeadings: [] };
}

/** An edit that had nothing to do. */
export function unchanged(note: Pick<NoteStructure, 'text'>): EditOutcome {
  return applySplice(note, { from: note.text.length, to: note.text.length, insert: '' });
}

/**
 * Carries out a splice of the body.
 *
 * @throws AppError `invalid_value` when the note would gain a frontmatter block by it
 */
export function applyBodySplice(note: Pick<NoteStructure, 'text' | 'frontmatter'>, splice: Splice): EditOutcome {
  const outcome = applySplice(note, splice);
  const { present, range } = note.frontmatter;
  // A block whose last line the note ended with goes on to the line break it gets.
  const isKept = present && splice.from >= range.to && note.text[range.to - 1] === '\n';
  if (present) return isKept ? { ...outcome, frontmatter: note.frontmatter } : outcome;
  const frontmatter = parseFrontmatter(outcome.text);
  if (frontmatter.present) {
    throw new AppError(
      'invalid_value',
      'With this text the note would begin with a frontmatter block: the "---" lines would be read as its fences. ' +
        'Set metadata by a frontmatter edit, or write the rule as "***".',
    );
  }
  return { ...outcome, frontmatter };
}

/**
 * Refuses an edit after which a heading outside the edited range is no longer one, because the new text leaves a code
 * fence or a comment open (or closes a comment that the old text left open). What is hidden so begins or ends at the
 * edit, so the headings next to it tell.
 *
 * @param after the new text parsed, where that was done already
 * @throws AppError `invalid_value`, naming the heading; `note_too_large` when the new text has more blocks than are read
 */
export function refuseHiddenHeadings(
  note: NoteStructure,
  { text, edited, frontmatter }: EditOutcome,
  after: NoteStructure = lazyStructure(text, frontmatter),
): void {
  // One that is edited itself is not outside.
  const above = note.headings.findLast(({ marker }) => marker.to <= edited.from);
  const below = note.headings.find(({ marker }) => marker.from >= edited.to);
  if (text === note.text || (above === undefined && below === undefined)) return;
  requireStructure(after);
  const shift = text.length - note.text.length;
  const isHidden = (heading: Heading | undefined, moved: number): boolean =>
    heading !== undefined &&
    !after.headings.some(({ marker, depth }) => marker.from === heading.marker.from + moved && depth === heading.depth);
  const hidden = isHidden(above, 0) ? above : isHidden(below, shift) ? below : undefined;
  if (hidden === undefined) return;
  throw new AppError(
    'invalid_value',
    `With this text the heading "${hidden.target}" (line ${hidden.line}) would no longer be one: a code fence, comment ` +
      'or HTML block is left open, or text runs into the heading. Close it and try again.',
  );
}
