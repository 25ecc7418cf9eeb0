/**
 * What a write would change, as a unified diff. Pure. Danger: finding the shortest diff of two long, different texts
 * takes time that grows with the square of their differences, so past a limit the diff is coarse instead of short.
 */
import { FILE_HEADERS_ONLY, formatPatch, type StructuredPatch, structuredPatch } from 'diff';

/** Lines of unchanged text shown around a change, as diff tools do. */
const CONTEXT_LINES = 3;
/** Lines added and removed up to which the shortest diff is looked for: 0.3 s at worst. */
const MAX_EDITED_LINES = 1000;
/** Of the square of those lines: what they cost, in the unit of diffWeight. */
const LINES_WEIGHT = 1 / 3;

/**
 * @param before null when the file is not there yet
 * @returns the empty string when nothing changes; else a diff that ends in a line feed and can be applied as it is
 */
export function unifiedDiff(path: string, before: string | null, after: string): string {
  if (before === after) return '';
  const names = [before === null ? '/dev/null' : `a/${path}`, `b/${path}`] as const;
  const options = { context: CONTEXT_LINES, maxEditLength: MAX_EDITED_LINES };
  const shortest = structuredPatch(...names, before ?? '', after, undefined, undefined, options);
  return formatPatch(shortest ?? coarsePatch(names, before ?? '', after), FILE_HEADERS_ONLY);
}

/** What the diff costs at worst, in UTF-16 units of markdown that are parsed in the same time. */
export function diffWeight(before: string, after: string): number {
  const edited = Math.min(MAX_EDITED_LINES, linesThatDiffer(before, after));
  return before.length + after.length + edited * edited * LINES_WEIGHT;
}

/** At most how many lines are removed and added. */
function linesThatDiffer(before: string, after: string): number {
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && before.charCodeAt(start) === after.charCodeAt(start)) start++;
  let end = 0;
  while (
    end < shorter - start &&
    before.charCodeAt(before.length - 1 - end) === after.charCodeAt(after.length - 1 - end)
  )
    end++;
  const lines = (text: string) => text.slice(start, text.length - end).split('\n').length;
  return lines(before) + lines(after);
}

/** One hunk from the first line that differs to the last. */
function coarsePatch([oldFileName, newFileName]: readonly [string, string], before: string, after: string) {
  const oldLines = linesOf(before);
  const newLines = linesOf(after);
  const shorter = Math.min(oldLines.length, newLines.length);
  let start = 0;
  while (start < shorter && oldLines[start] === newLines[start]) start++;
  let end = 0;
  while (end < shorter - start && oldLines.at(-1 - end) === newLines.at(-1 - end)) end++;
  const removed = oldLines.slice(start, oldLines.length - end);
  const added = newLines.slice(start, newLines.length - end);
  const above = oldLines.slice(Math.max(0, start - CONTEXT_LINES), start);
  const below = oldLines.slice(oldLines.length - end, oldLines.length - end + CONTEXT_LINES);
  const around = above.length + below.length;
  const hunk = {
    oldStart: start - above.length + 1,
    oldLines: around + removed.length,
    newStart: start - above.length + 1,
    newLines: around + added.length,
    lines: [...marked(' ', above), ...marked('-', removed), ...marked('+', added), ...marked(' ', below)],
  };
  const patch: StructuredPatch = {
    oldFileName,
    newFileName,
    oldHeader: undefined,
    newHeader: undefined,
    hunks: [hunk],
  };
  return patch;
}

/** Each line with its line feed, where it has one. */
function linesOf(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

function marked(mark: ' ' | '-' | '+', lines: readonly string[]): string[] {
  return lines.flatMap((line) =>
    line.endsWith('\n') ? [mark + line.slice(0, -1)] : [mark + line, '\\ No newline at end of file'],
  );
}
