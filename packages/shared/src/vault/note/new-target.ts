/**
 * The targets by which a link can name a file, best first, in the style the link had: bare, qualified, relative, from
 * the root. Pure; says nothing of whether a target leads where it should: whoever takes one resolves it.
 */
import { nameOf, parentOf, type VaultPath } from '../path.ts';
import type { Link } from './model.ts';
import { parseTarget, type Via } from './resolve-link.ts';

export interface TargetStyle {
  readonly form: Link['form'];
  /** The target there was, decoded. */
  readonly target: string;
  /** How it found its file. */
  readonly via: Via;
  /** Whether it spelled the file's whole name, `.md` included. */
  readonly wholeName: boolean;
}

/**
 * Targets for `wanted`, decoded, in the order in which they keep the style.
 *
 * @param from the linking note's path
 */
export function* newTargets(style: TargetStyle, wanted: VaultPath, from: VaultPath): Generator<string> {
  for (const path of pathsInStyle(style, wanted, from)) {
    if (!style.wholeName) yield withoutSuffix(path);
    // A note may share its short name with a file that has no suffix: then only the whole name will do.
    if (style.wholeName || withoutSuffix(path) !== path) yield path;
  }
}

function* pathsInStyle(style: TargetStyle, wanted: VaultPath, from: VaultPath): Generator<string> {
  const parsed = parseTarget(style.target);
  if (style.via === 'relative') {
    yield relativePath(parentOf(from), wanted, style.form === 'wikilink' || style.target.startsWith('./'));
  } else if (parsed?.start === 'root') {
    yield `/${wanted}`;
  } else if (style.via === 'root') {
    // A file beside the note may stand in the way of a path from the root that does not say so.
    yield wanted;
    yield `/${wanted}`;
  } else {
    const segments = wanted.split('/');
    for (const count of segmentCounts(style.via, parsed?.segments.length ?? 1, segments.length)) {
      yield segments.slice(-count).join('/');
    }
  }
}

/** How many of a path's segments a wikilink may name, in the order to try them. */
function segmentCounts(via: Via, had: number, all: number): number[] {
  const counts = Array.from({ length: all }, (_, i) => i + 1);
  if (had === 1) return unique([1, all, ...counts]);
  if (via === 'exact') return unique([all, ...counts.reverse()]);
  return unique([...counts.filter((count) => count >= had), ...counts.reverse()]);
}

function unique(counts: readonly number[]): number[] {
  return [...new Set(counts)];
}

/** The way from a folder to a file. `marked`: with `./` in front where it leads down. */
function relativePath(folder: string, file: string, marked: boolean): string {
  const from = folder === '' ? [] : folder.split('/');
  const to = file.split('/');
  let shared = 0;
  while (shared < from.length && shared < to.length - 1 && from[shared] === to[shared]) shared++;
  const up = from.slice(shared).map(() => '..');
  return [...(marked && up.length === 0 ? ['.'] : up), ...to.slice(shared)].join('/');
}

/** A note's path as a link may shorten it; other files keep their suffix. */
export function withoutSuffix(path: string): string {
  return nameOf(path).length > '.md'.length ? path.replace(/\.md$/i, '') : path;
}
