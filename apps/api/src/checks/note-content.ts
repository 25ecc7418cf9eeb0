/**
 * What the checks and the list of callouts need of each note, small enough to be remembered of every one. Pure, never
 * throws. Danger: it is kept for as long as the file's stat is the same, so nothing here may depend on anything but the
 * text.
 */

import { isGeneratedPage } from '@vault-mcp/shared/vault/index-page';
import { type Callout, findCallouts } from '@vault-mcp/shared/vault/note/callouts';
import { foldHeading } from '@vault-mcp/shared/vault/note/heading-fold';
import type { Heading } from '@vault-mcp/shared/vault/note/model';
import { parseStructure } from '@vault-mcp/shared/vault/note/parse';
import { readExpiry } from './expiry.ts';

/** Headings of one note that have the same path, so that none of them can be named by it. */
export interface RepeatedHeading {
  /** The texts from the outermost on, joined with `::`. */
  readonly path: string;
  /** 1-based, in order, the first of them. */
  readonly lines: readonly number[];
  /** How many there are; two at the least. */
  readonly count: number;
}

export interface NoteContent {
  readonly callouts: readonly Callout[];
  readonly repeatedHeadings: readonly RepeatedHeading[];
  /** Why the frontmatter cannot be used. */
  readonly frontmatterError?: string;
  /** What is wrong with `expires`: clauses. */
  readonly expiryProblems: readonly string[];
  /** Characters it takes to write down, roughly. */
  readonly weight: number;
}

/** Lines named of headings with one path. */
const NAMED_LINES = 10;
/** What every entry weighs besides its data. */
const OWN_WEIGHT = 300;
const NOTHING: NoteContent = { callouts: [], repeatedHeadings: [], expiryProblems: [], weight: OWN_WEIGHT };

export function noteContent(text: string, path: string): NoteContent {
  const structure = parseStructure(text);
  const { data, error } = structure.frontmatter;
  // It is made of the other notes: what is wrong with it is wrong with them, and it says nothing of its own.
  if (isGeneratedPage(path, data)) return NOTHING;
  const found = {
    callouts: findCallouts(structure),
    repeatedHeadings: repeatedHeadings(structure.headings),
    expiryProblems: error === undefined ? (readExpiry(data)?.problems ?? []) : [],
    ...(error !== undefined && { frontmatterError: error }),
  };
  const length = JSON.stringify(found).length;
  if (length === LENGTH_OF_NOTHING) return NOTHING;
  // A text cut out of a note keeps the whole note in memory for as long as it lives; a copy is only as long as it is.
  return structuredClone({ ...found, weight: OWN_WEIGHT + length });
}

const LENGTH_OF_NOTHING = JSON.stringify({ callouts: [], repeatedHeadings: [], expiryProblems: [] }).length;

/** Compared as targets are, whatever the case and the markup. */
function repeatedHeadings(headings: readonly Heading[]): RepeatedHeading[] {
  const known = new Map<string, { readonly path: string; readonly lines: number[]; count: number }>();
  for (const { path, line } of headings) {
    const key = path.map(foldHeading).join('\0');
    const same = known.get(key);
    if (same === undefined) {
      known.set(key, { path: path.join('::'), lines: [line], count: 1 });
      continue;
    }
    same.count++;
    if (same.lines.length < NAMED_LINES) same.lines.push(line);
  }
  return [...known.values()].filter(({ count }) => count > 1);
}
