/**
 * Makes the headings that a target asks for and the note lacks, with text below the last. Danger: the one resolver has
 * the last word: when it does not find the new heading by the target that asked for it, nothing is made.
 */
import { AppError } from '../../../errors.ts';
import { DEFAULT_DELIMITER, splitTarget } from '../heading-target.ts';
import { resolveHeading } from '../headings.ts';
import type { Heading, NoteStructure } from '../model.ts';
import { lazyStructure } from '../parse.ts';
import { lineEndAt, trimmedContent } from './inserted-text.ts';
import { lastTextEnd } from './lines.ts';
import { applyBodySplice, type EditOutcome, type ParsedOutcome, refuseHiddenHeadings } from './outcome.ts';
import { refusePastedHeading } from './pasted-heading.ts';
import { separatedSplice } from './spacing.ts';

/** Markdown has no deeper heading. */
const MAX_DEPTH = 6;

export interface Creation {
  readonly delimiter?: string;
  /** The resolver's refusal, for a target that cannot be made. */
  readonly missing: AppError;
}

/**
 * Makes the missing end of a heading path at the end of the section of the nearest ancestor there is, each heading one
 * deeper than the one above it; with no ancestor at the end of the note, from depth 1.
 *
 * @throws AppError `ambiguous_heading` when an ancestor is; `invalid_value` when the path cannot be made
 */
export function createSection(
  note: NoteStructure,
  target: string | readonly string[],
  content: string,
  { delimiter = DEFAULT_DELIMITER, missing }: Creation,
): EditOutcome {
  const segments = segmentsOf(target, delimiter);
  if (segments.length > MAX_DEPTH) throw tooDeep();
  const { ancestor, depth } = nearestAncestor(note, segments);
  if (asksForOrdinal(note, segments, depth)) throw missing;
  const names = segments.slice(depth);
  const from = (ancestor?.depth ?? 0) + 1;
  if (from + names.length - 1 > MAX_DEPTH) throw tooDeep();
  const at = endOf(note, ancestor);
  const end = lineEndAt(note.text, at);
  const lines = names.map((name, i) => `${'#'.repeat(from + i)} ${name}`);
  const below = trimmedContent(content, end);
  const made = { depth: from + names.length - 1, text: names.at(-1) ?? '' };
  refusePastedHeading(below, made, 'The heading is made without being sent.');
  const text = [...lines, below].filter((part) => part !== '').join(end + end);
  const outcome = applyBodySplice(note, separatedSplice(note.text, { from: at, to: at }, text, end));
  const after = lazyStructure(outcome.text, outcome.frontmatter);
  refuseHiddenHeadings(note, outcome, after);
  const found = findMade({ outcome, after }, target, delimiter);
  // They were put there one after the other.
  const last = after.headings.indexOf(found) + 1;
  const created = after.headings.slice(last - names.length, last).map(({ target: made }) => made);
  return { ...outcome, createdHeadings: created };
}

function tooDeep(): AppError {
  return new AppError(
    'invalid_value',
    `Headings go ${MAX_DEPTH} deep, and this path would go deeper: name a shorter one.`,
  );
}

/** The segments of a target, escapes undone and leading hashes gone. */
function segmentsOf(target: string | readonly string[], delimiter: string): string[] {
  const segments = typeof target === 'string' ? splitTarget(target, delimiter) : target;
  return segments.map((segment) => segment.trim().replace(/^#{1,6}\s+/, ''));
}

/** Whether a path that is to be made names the n-th of several headings: that is a count, not a name to make. */
function asksForOrdinal(note: NoteStructure, segments: readonly string[], made: number): boolean {
  return segments.some((segment, i) => {
    const name = segment.replace(/\[\d{1,9}\]$/, '');
    return i >= made && name !== segment && isThere(note, [...segments.slice(0, i), name]);
  });
}

function isThere(note: NoteStructure, segments: readonly string[]): boolean {
  try {
    resolveHeading(note, segments);
    return true;
  } catch (thrown) {
    return thrown instanceof AppError && thrown.code === 'ambiguous_heading';
  }
}

/** The heading that the longest possible beginning of the path names, and how many segments that takes. */
function nearestAncestor(note: NoteStructure, segments: readonly string[]): { ancestor?: Heading; depth: number } {
  for (let depth = segments.length - 1; depth > 0; depth--) {
    try {
      return { ancestor: resolveHeading(note, segments.slice(0, depth)), depth };
    } catch (thrown) {
      if (!(thrown instanceof AppError) || thrown.code !== 'no_such_heading') throw thrown;
    }
  }
  return { depth: 0 };
}

function endOf({ text, bodyFrom }: NoteStructure, ancestor: Heading | undefined): number {
  return lastTextEnd(text, ancestor?.section ?? { from: bodyFrom, to: text.length }) ?? bodyFrom;
}

function findMade({ outcome, after }: ParsedOutcome, target: string | readonly string[], delimiter: string): Heading {
  const problem = new AppError(
    'invalid_value',
    'No heading of that name can be made here: as a heading it would not be read back as it was written (a line break, ' +
      'closing hashes, nothing in it), or the note ends in an open code fence or comment.',
  );
  try {
    const made = resolveHeading(after, target, { delimiter });
    if (made.text !== '' && made.marker.from >= outcome.edited.from) return made;
  } catch (cause) {
    if (cause instanceof AppError && cause.code === 'note_too_large') throw cause;
    throw new AppError(problem.code, problem.message, { cause });
  }
  throw problem;
}
