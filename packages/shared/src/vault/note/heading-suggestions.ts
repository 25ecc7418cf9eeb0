/**
 * Which headings to name when a target matches none: the nearest first. Danger: edit distance costs the product of
 * both lengths, so texts and candidates are capped.
 */
import { distance } from 'fastest-levenshtein';
import { foldHeading } from './heading-fold.ts';
import type { Heading } from './model.ts';

/** SPEC §4: at most 30 targets in an error. */
const MAX_SUGGESTIONS = 30;
const MAX_COMPARED = 2000;
const MAX_LENGTH = 120;

/** Targets of the headings nearest to what was asked for; containment counts as near, then edit distance. */
export function nearestTargets(headings: readonly Heading[], wanted: string): string[] {
  const key = comparable(wanted.split('::').at(-1) ?? wanted);
  return headings
    .slice(0, MAX_COMPARED)
    .map((heading) => ({ target: heading.target, far: farness(comparable(heading.text), key) }))
    .sort((a, b) => a.far - b.far)
    .slice(0, MAX_SUGGESTIONS)
    .map(({ target }) => target);
}

function comparable(text: string): string {
  return foldHeading(text.slice(0, MAX_LENGTH).replace(/^#+/, ''));
}

/** 0 for equal texts, below 1 when one contains the other, else 1 plus their relative edit distance. */
function farness(text: string, wanted: string): number {
  const longer = Math.max(text.length, wanted.length, 1);
  const apart = distance(text, wanted) / longer;
  const contained = text !== '' && wanted !== '' && (text.includes(wanted) || wanted.includes(text));
  return contained ? apart : 1 + apart;
}
