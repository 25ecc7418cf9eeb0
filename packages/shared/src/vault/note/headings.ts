/**
 * A note's headings with their paths, sections and ready-to-paste targets. Only headings that stand at the top level
 * of the note count: one inside a quote, callout or list item heads no section that could be read or edited, and the
 * outline of the editor people use does not list it either.
 */
import { AppError } from '../../errors.ts';
import { nearestTargets } from './heading-suggestions.ts';
import { DEFAULT_DELIMITER, headingTargets, matchTarget, type Outline, outlineOf } from './heading-target.ts';
import type { Leaf } from './leaves.ts';
import type { Heading, LineIndex, NoteStructure, TextRange } from './model.ts';
import { requireStructure } from './whole-structure.ts';

/** A heading as it stands in the text, before it knows its place among the others. */
export interface RawHeading {
  readonly depth: number;
  readonly text: string;
  readonly line: number;
  readonly marker: TextRange;
}

/** The heading a leaf of the body is; null when it is none or not at the top level. */
export function leafHeading(leaf: Leaf, bodyFrom: number, lines: LineIndex): RawHeading | null {
  const { name } = leaf.node;
  if (!(name.startsWith('ATXHeading') || name.startsWith('SetextHeading'))) return null;
  if (leaf.node.parent?.name !== 'Document') return null;
  const line = lines.lineAt(bodyFrom + leaf.node.from);
  return {
    depth: Number(name.at(-1)),
    text: headingText(leaf),
    line,
    marker: { from: Math.max(bodyFrom, lines.startOf(line)), to: bodyFrom + leaf.node.to },
  };
}

function headingText(leaf: Leaf): string {
  const marks = leaf.node.getChildren('HeaderMark');
  const atx = leaf.node.name.startsWith('ATX');
  const from = atx ? (marks[0]?.to ?? leaf.from) : leaf.from;
  const to = marks[atx ? 1 : 0]?.from ?? leaf.node.to;
  const written = leaf.text.slice(from - leaf.from, to - leaf.from);
  return written
    .split('\n')
    .map((line) => line.trim())
    .join(' ')
    .trim();
}

/** Gives headings, in order, their paths, sections (up to `end`) and targets. */
export function placeHeadings(raw: readonly RawHeading[], end: number): Heading[] {
  const paths = headingPaths(raw);
  const targets = headingTargets(paths);
  const ends = sectionEnds(raw, end);
  return raw.map(({ depth, text, line, marker }, i) => ({
    depth,
    text,
    path: paths[i] ?? [text],
    target: targets[i] ?? text,
    line,
    marker,
    section: { from: marker.from, to: ends[i] ?? end },
  }));
}

/** For each heading the texts from its outermost ancestor down to itself. */
function headingPaths(raw: readonly RawHeading[]): string[][] {
  const open: RawHeading[] = [];
  return raw.map((heading) => {
    while (open.length > 0 && (open.at(-1)?.depth ?? 0) >= heading.depth) open.pop();
    open.push(heading);
    return open.map(({ text }) => text);
  });
}

/** For each heading where the next of the same or shallower depth begins. */
function sectionEnds(raw: readonly RawHeading[], end: number): number[] {
  const ends: number[] = new Array(raw.length).fill(end);
  const nextAtDepth: number[] = new Array(7).fill(end);
  for (let i = raw.length - 1; i >= 0; i--) {
    const heading = raw[i];
    if (heading === undefined) continue;
    ends[i] = nextAtDepth[heading.depth] ?? end;
    nextAtDepth.fill(heading.marker.from, heading.depth);
  }
  return ends;
}

const outlines = new WeakMap<readonly Heading[], Outline>();

/**
 * The one heading a target names.
 *
 * @param target segments of a heading path, from any ancestor down: `A::B`, or a list whose items are taken as they are
 * @param options.delimiter what parts the segments of a string; default `::`
 * @throws AppError `no_such_heading` (with the headings there are, nearest first) or `ambiguous_heading` (with those it
 * could mean); `note_too_large` when not all of the note's headings are known
 */
export function resolveHeading(
  note: Pick<NoteStructure, 'headings' | 'structuredTo' | 'text' | 'lines'>,
  target: string | readonly string[],
  options: { readonly delimiter?: string } = {},
): Heading {
  requireStructure(note);
  const { headings } = note;
  const outline = outlines.get(headings) ?? outlineOf(headings.map(({ path }) => path));
  outlines.set(headings, outline);
  const match = matchTarget(outline, target, options.delimiter || DEFAULT_DELIMITER);
  const meant = match.positions.flatMap((i) => headings[i] ?? []);
  const [only] = meant;
  if (only !== undefined && meant.length === 1) return only;
  const shown = typeof target === 'string' ? target : target.join(DEFAULT_DELIMITER);
  throw only === undefined ? missing(headings, shown, match.ordinalOf) : ambiguous(meant, shown);
}

function missing(headings: readonly Heading[], target: string, ordinalOf: number | undefined): AppError {
  if (headings.length === 0) {
    return new AppError(
      'no_such_heading',
      `No heading matches "${clip(target)}": this note has no headings. Read or edit it without a heading target.`,
    );
  }
  const why = ordinalOf === undefined ? '' : ` (only ${ordinalOf} of that name)`;
  const nearest = nearestTargets(headings, target);
  const rest = headings.length - nearest.length;
  return new AppError(
    'no_such_heading',
    `No heading matches "${clip(target)}"${why}. Use one of these targets: ${quoteAll(nearest)}${rest > 0 ? ` (and ${rest} more)` : ''}.`,
  );
}

function ambiguous(meant: readonly Heading[], target: string): AppError {
  const shown = meant.slice(0, MAX_COLLIDING).map((heading) => heading.target);
  const rest = meant.length - shown.length;
  return new AppError(
    'ambiguous_heading',
    `"${clip(target)}" matches ${meant.length} headings. Use one of these targets: ${quoteAll(shown)}${rest > 0 ? ` (and ${rest} more)` : ''}. Headings with equal paths are told apart by a number: "Heading[2]" is the second.`,
  );
}

/** Colliding headings named in an error. */
const MAX_COLLIDING = 30;

function quoteAll(targets: readonly string[]): string {
  return targets.map((target) => `"${clip(target)}"`).join(', ');
}

/** On one line and without control characters, neither of which matters to what a target names. */
function clip(text: string): string {
  const shown = text
    .slice(0, 501)
    .replace(/\s+/g, ' ')
    .replace(/\p{Cc}/gu, '');
  return text.length > 500 ? `${shown.slice(0, 500)}…` : shown;
}
