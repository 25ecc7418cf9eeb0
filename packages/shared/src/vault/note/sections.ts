/**
 * What part of a note a target means, as ranges: sections by heading and scope, blocks by id. Pure; reads use the
 * text, edits the ranges, so that both always mean the same characters.
 */
import { AppError } from '../../errors.ts';
import { resolveHeading } from './headings.ts';
import type { BlockId, Heading, NoteStructure, TextRange } from './model.ts';
import { requireStructure } from './whole-structure.ts';

/**
 * `content`: all below the heading line; `own`: the same up to the first subsection; `marker`: the heading line alone;
 * `markerAndContent`: both.
 */
export type SectionScope = 'content' | 'own' | 'marker' | 'markerAndContent';

/** The range of a heading's section that a scope means. `marker` leaves out the line break that ends it. */
export function sectionRange(note: NoteStructure, heading: Heading, scope: SectionScope): TextRange {
  if (scope === 'marker') return heading.marker;
  if (scope === 'markerAndContent') return heading.section;
  const from = contentStart(note, heading);
  if (scope === 'content') return { from, to: heading.section.to };
  return { from, to: Math.max(from, subsections(note, heading)[0]?.section.from ?? heading.section.to) };
}

/** Headings inside a heading's section, in order. */
export function subsections(note: NoteStructure, heading: Heading): Heading[] {
  return note.headings.filter(
    ({ section }) => section.from > heading.section.from && section.from < heading.section.to,
  );
}

/**
 * Text of what a target names: a section with its heading line, or for `^id` the block.
 *
 * @throws AppError `no_such_heading`, `ambiguous_heading`, `no_such_block`, `note_too_large`
 */
export function sectionText(
  note: NoteStructure,
  target: string | readonly string[],
  options: { readonly delimiter?: string } = {},
): string {
  if (typeof target === 'string' && target.trim().startsWith('^')) return blockText(note, target.trim());
  const { section } = resolveHeading(note, target, options);
  return note.text.slice(section.from, section.to);
}

/** Text of a block; the id may be given with or without its `^`. */
export function blockText(note: NoteStructure, id: string): string {
  const { range } = resolveBlock(note, id);
  return note.text.slice(range.from, range.to);
}

/**
 * The block an id names; ids compare without regard to case. Which of several was meant is not guessed.
 *
 * @throws AppError `no_such_block`, naming the ids there are, or the lines of those that are alike; `note_too_large` when
 * not all of the note's blocks are known
 */
export function resolveBlock(note: NoteStructure, id: string): BlockId {
  requireStructure(note);
  const wanted = id.trim().replace(/^\^/, '').toLowerCase();
  const [found, ...others] = note.blocks.filter((block) => block.id.toLowerCase() === wanted);
  if (found !== undefined && others.length === 0) return found;
  if (found !== undefined) throw several([found, ...others]);
  const known = note.blocks.slice(0, 30).map((block) => `^${block.id}`);
  const hint = known.length === 0 ? 'This note has no block ids.' : `This note has: ${known.join(', ')}.`;
  throw new AppError('no_such_block', `No block is marked "^${wanted.slice(0, 128)}". ${hint}`);
}

/** Lines named of blocks that are alike. */
const MAX_LINES = 30;

function several(blocks: readonly BlockId[]): AppError {
  const lines = blocks.slice(0, MAX_LINES).map(({ line }) => line);
  const more = blocks.length > lines.length ? ` and ${blocks.length - lines.length} more` : '';
  return new AppError(
    'no_such_block',
    `"^${blocks[0]?.id}" marks ${blocks.length} blocks (lines ${lines.join(', ')}${more}), and which one is meant is not guessed: give each its own id, or name the section around it.`,
  );
}

/** First offset after the heading's line break. */
function contentStart(note: NoteStructure, heading: Heading): number {
  const feed = note.text.indexOf('\n', heading.marker.to);
  return feed === -1 ? note.text.length : Math.min(feed + 1, heading.section.to);
}
