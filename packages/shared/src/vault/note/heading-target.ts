/**
 * The language of heading targets: segments joined with `::`, `\::` for a literal one, `[n]` at a segment's end for the n-th of several.
 * Written and read here so that what a map prints always resolves; a target that starts with `^` names a block
 * instead (sections.ts), so a heading's never does. Danger: a heading may hold anything (`::`, a
 * trailing colon, `[2]`, leading hashes), so reading tries the plain meaning first and looser ones only when it names
 * nothing, and writing escapes exactly what reading would split.
 */
import { foldHeading, foldShown } from './heading-fold.ts';

export const DEFAULT_DELIMITER = '::';

/** Folded paths of a note's headings and, per folded last segment, which headings (by position) end in it. */
export interface Outline {
  readonly paths: readonly (readonly string[])[];
  readonly byLeaf: ReadonlyMap<string, readonly number[]>;
  /** The position of the heading right above each; -1 for none. */
  readonly parents: readonly number[];
}

/** Folds heading paths for matching. */
export function outlineOf(paths: readonly (readonly string[])[]): Outline {
  const cache = new Map<string, string>();
  const fold = (text: string): string => {
    const known = cache.get(text);
    if (known !== undefined) return known;
    const folded = foldHeading(text);
    cache.set(text, folded);
    return folded;
  };
  const folded = paths.map((path) => path.map(fold));
  return {
    paths: folded,
    byLeaf: groupBy(
      folded.map((_, i) => i),
      (i) => folded[i]?.at(-1) ?? '',
    ),
    parents: parentsOf(paths),
  };
}

/** A heading's path is one longer than that of the one right above it, which is the last such before it. */
function parentsOf(paths: readonly (readonly string[])[]): number[] {
  const lastOfLength: number[] = [];
  return paths.map(({ length }, i) => {
    lastOfLength[length] = i;
    return lastOfLength[length - 1] ?? -1;
  });
}

/**
 * Positions of the headings whose path ends in the segments; one or more whole paths win over longer ones.
 *
 * @param tops headings of which one has to stand just above the first segment's
 */
function matchSegments(outline: Outline, segments: readonly string[], tops?: readonly number[]): readonly number[] {
  const asWritten = matchFolded(outline, segments.map(foldHeading), tops);
  // `*a*` may also be what a reader sees of the heading `\*a\*`.
  return asWritten.length > 0 ? asWritten : matchFolded(outline, segments.map(foldShown), tops);
}

function matchFolded(outline: Outline, wanted: readonly string[], tops?: readonly number[]): readonly number[] {
  const ending = (outline.byLeaf.get(wanted.at(-1) ?? '') ?? []).filter((i) => {
    const path = outline.paths[i] ?? [];
    return path.length >= wanted.length && wanted.every((text, k) => path[path.length - wanted.length + k] === text);
  });
  if (tops !== undefined) return ending.filter((i) => tops.includes(ancestorOf(outline, i, wanted.length)));
  const whole = ending.filter((i) => outline.paths[i]?.length === wanted.length);
  return whole.length > 0 ? whole : ending;
}

/** Position of the heading so many levels above; -1 for none. */
function ancestorOf({ parents }: Outline, position: number, levels: number): number {
  let at = position;
  for (let level = 0; level < levels && at !== -1; level++) at = parents[at] ?? -1;
  return at;
}

export interface TargetMatch {
  /** Positions of the headings meant; more than one is ambiguous, none is a miss. */
  readonly positions: readonly number[];
  /** Set when an ordinal asked for more headings than there are: how many there are. */
  readonly ordinalOf?: number;
}

/** Finds what a target names, by its plain meaning or, failing that, by looser ones. */
export function matchTarget(outline: Outline, target: string | readonly string[], delimiter: string): TargetMatch {
  let ordinalOf: number | undefined;
  // A number inside a path is the loosest meaning of all.
  for (const match of [matchNumberedLeaf, matchNumberedPath]) {
    for (const segments of readings(target, delimiter)) {
      const found = match(outline, segments);
      if (found.positions.length > 0) return found;
      ordinalOf ??= found.ordinalOf;
    }
  }
  return ordinalOf === undefined ? { positions: [] } : { positions: [], ordinalOf };
}

const ORDINAL = /\[(\d{1,9})\]$/;

/** By the segments as they are or, failing that, with a number at the end of the last one. */
function matchNumberedLeaf(outline: Outline, segments: readonly string[], tops?: readonly number[]): TargetMatch {
  const plain = matchSegments(outline, segments, tops);
  const leaf = segments.at(-1) ?? '';
  const ordinal = ORDINAL.exec(leaf);
  if (plain.length > 0 || ordinal === null) return { positions: plain };
  const several = matchSegments(outline, [...segments.slice(0, -1), leaf.slice(0, ordinal.index)], tops);
  const chosen = several[Number(ordinal[1]) - 1];
  if (chosen !== undefined) return { positions: [chosen] };
  return several.length > 0 ? { positions: [], ordinalOf: several.length } : { positions: [] };
}

/** With a number at the end of an earlier segment: `A[2]::B` is a B right below the second A. */
function matchNumberedPath(outline: Outline, segments: readonly string[]): TargetMatch {
  const below = segments.findLastIndex((segment, i) => i < segments.length - 1 && ORDINAL.test(segment)) + 1;
  if (below === 0) return matchNumberedLeaf(outline, segments);
  const above = matchNumberedPath(outline, segments.slice(0, below));
  if (above.positions.length === 0) return above;
  return matchNumberedLeaf(outline, segments.slice(below), above.positions);
}

/** The segment lists a target can mean, plainest first. */
function* readings(target: string | readonly string[], delimiter: string): Generator<readonly string[]> {
  const plain = typeof target === 'string' ? splitTarget(target.trim(), delimiter) : target;
  yield plain;
  const unhashed = plain.map((segment) => segment.replace(/^\s*#{1,6}\s*/, ''));
  yield unhashed;
  if (typeof target !== 'string') return;
  // `Notes:::Sub` pasted together from the headings "Notes:" and "Sub".
  if (target.includes(`${delimiter}${delimiter.at(-1)}`)) yield splitLate(target.trim(), delimiter);
  // A text with backslashes of its own, or with the delimiter in it, pasted as it stands.
  yield target.trim().split(delimiter);
  yield [target.trim()];
}

/** Splits at unescaped delimiters. Before the delimiter's first character a backslash escapes, two are one. */
export function splitTarget(target: string, delimiter: string): string[] {
  const first = delimiter.charAt(0);
  const segments: string[] = [];
  let segment = '';
  for (let at = 0; at < target.length; ) {
    if (target[at] === '\\' && first !== '\\') {
      let end = at;
      while (target[end] === '\\') end++;
      const escapes = target[end] === first;
      segment += '\\'.repeat(escapes ? (end - at) >> 1 : end - at);
      if (escapes && (end - at) % 2 === 1) segment += target.charAt(end++);
      at = end;
    } else if (target.startsWith(delimiter, at)) {
      segments.push(segment);
      segment = '';
      at += delimiter.length;
    } else segment += target.charAt(at++);
  }
  segments.push(segment);
  return segments;
}

/** Splits where a delimiter is not followed by its own last character again. */
function splitLate(target: string, delimiter: string): string[] {
  const segments: string[] = [];
  let from = 0;
  for (let at = target.indexOf(delimiter); at !== -1; at = target.indexOf(delimiter, from)) {
    while (target.startsWith(delimiter, at + 1)) at++;
    segments.push(target.slice(from, at));
    from = at + delimiter.length;
  }
  segments.push(target.slice(from));
  return segments;
}

/** Writes segments so that splitTarget reads them back. */
function formatTarget(segments: readonly string[]): string {
  return segments.map((segment, i) => escapeColons(segment, i < segments.length - 1)).join(DEFAULT_DELIMITER);
}

/** A target that is not taken for a block's: markdown's own escape, which folding removes as a reader would. */
function asHeading(target: string): string {
  if (!target.trimStart().startsWith('^')) return target;
  // Folding leaves a very long text as it is; there the mark of a heading stands before it, which reading drops.
  return foldHeading(`\\${target}`) === foldHeading(target) ? `\\${target}` : `#${target}`;
}

/** Escapes the colons that would split, and doubles the backslashes that would escape. */
function escapeColons(segment: string, delimiterFollows: boolean): string {
  // Each run of backslashes is tried from its first one only: from every one of them the time would be quadratic.
  const escaped = segment.replace(/(?<!\\)(\\*):(?=(.?))/gs, (_colon, slashes: string, next: string) => {
    const splits = next === ':' || (next === '' && delimiterFollows);
    return `${slashes}${slashes}${splits ? '\\' : ''}:`;
  });
  const trailing = delimiterFollows ? escaped.length - escaped.replace(/(?<!\\)\\+$/, '').length : 0;
  return escaped + '\\'.repeat(trailing);
}

/**
 * The shortest target of each heading, given their paths: as many trailing segments as tell it from the others, and
 * an ordinal where whole paths are equal (or where nothing is left to show). Groups by the last segment, then splits
 * each group by the one before.
 */
export function headingTargets(paths: readonly (readonly string[])[]): string[] {
  const outline = outlineOf(paths);
  const targets: string[] = new Array(paths.length).fill('');
  const address = (index: number, segments: number, ordinal: number | null): void => {
    const path = paths[index]?.slice(-segments) ?? [];
    const mark =
      ordinal === null ? '' : ordinalMark(outline, path.at(-1) ?? '', outline.paths[index]?.at(-1) ?? '', ordinal);
    targets[index] = asHeading(formatTarget(path)) + mark;
  };
  const assign = (group: readonly number[], segments: number): void => {
    const blank = outline.paths[group[0] ?? 0]?.at(-1) === '';
    const lengthOf = (i: number): number => outline.paths[i]?.length ?? 0;
    const whole = group.length === 1 ? group : group.filter((i) => lengthOf(i) === segments);
    for (const [n, i] of whole.entries()) address(i, segments, whole.length > 1 || blank ? n + 1 : null);
    if (group.length === 1) return;
    const longer = group.filter((i) => lengthOf(i) > segments);
    for (const part of groupBy(longer, (i) => outline.paths[i]?.at(-segments - 1) ?? '').values())
      assign(part, segments + 1);
  };
  for (const group of outline.byLeaf.values()) assign(group, 1);
  return targets;
}

/** `[n]`, with zeros before the number for as long as some heading is really called that. */
function ordinalMark(outline: Outline, leaf: string, foldedLeaf: string, ordinal: number): string {
  for (let digits = String(ordinal); digits.length < 9; digits = `0${digits}`) {
    const mark = `[${digits}]`;
    // A backslash would escape the bracket; else folding a sum is summing what is folded.
    const folded = leaf.includes('\\') ? foldHeading(leaf + mark) : foldedLeaf + mark;
    if (!outline.byLeaf.has(folded)) return mark;
  }
  return `[${ordinal}]`;
}

function groupBy<Item>(items: readonly Item[], keyOf: (item: Item) => string): Map<string, Item[]> {
  const groups = new Map<string, Item[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [item]);
    else group.push(item);
  }
  return groups;
}
