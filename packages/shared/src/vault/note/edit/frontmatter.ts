/**
 * Sets and deletes frontmatter keys by lines. Danger: YAML's meaning can reach across lines (anchors, block scalars,
 * indentation), so an edit counts only when the block, read again, differs in exactly that key; else it is refused and
 * nothing is approximated.
 */
import { isDeepStrictEqual } from 'node:util';
import { AppError } from '../../../errors.ts';
import { MAX_FRONTMATTER, parseFrontmatter } from '../frontmatter.ts';
import type { Frontmatter, FrontmatterEntry, NoteStructure } from '../model.ts';
import { holdsValue, setEntrySplices } from './frontmatter-entry.ts';
import { newKeyPlace } from './frontmatter-order.ts';
import { type FrontmatterValue, requireFrontmatterKey, requireFrontmatterValue } from './frontmatter-value.ts';
import { lineEndAt } from './inserted-text.ts';
import { applySplice, type EditOutcome, type Splice, unchanged } from './outcome.ts';
import { entryLines } from './yaml-lines.ts';

/** What a metadata edit needs of a note: no more than parseFrontmatter gives. */
export type NoteHead = Pick<NoteStructure, 'text' | 'frontmatter'>;

/**
 * Sets a key. An existing one changes on its own lines, its comments stay; a new one goes in the conventional order.
 *
 * @param value a string, number, boolean, list or mapping of those
 * @param options.createIfMissing makes the block when the note has none
 * @throws AppError `no_frontmatter`; `invalid_value` for another value, an unreadable block, and where lines cannot
 * carry the change
 */
export function setFrontmatterKey(
  note: NoteHead,
  key: string,
  value: unknown,
  options: { readonly createIfMissing?: boolean } = {},
): EditOutcome {
  const { text, frontmatter } = note;
  requireFrontmatterKey(key);
  const wanted = requireFrontmatterValue(value);
  if (!frontmatter.present && options.createIfMissing !== true) {
    throw new AppError(
      'no_frontmatter',
      'The note has no frontmatter block. To have it made, say so: create_if_missing, which the PATCH of REST calls ' +
        'createTargetIfMissing, or Create-Target-If-Missing as a header.',
    );
  }
  requireEditable(frontmatter);
  const entry = entryOf(frontmatter, key);
  if (entry !== undefined && holdsValue(text, frontmatter, entry, wanted)) return unchanged(note);
  const expected = withKey(frontmatter.data, key, wanted);
  const splices =
    entry === undefined ? [newKeySplice(note, key, wanted)] : setEntrySplices(text, frontmatter, entry, wanted);
  for (const splice of splices) {
    requireReadableSize(frontmatter, splice);
    const verified = verifiedOutcome(applySplice(note, splice), expected);
    if (verified !== undefined) return verified;
  }
  throw unsafe(text, frontmatter, key);
}

/**
 * Deletes a key with its lines; one that is not there is no error, nor is a missing block.
 *
 * @throws AppError `invalid_value` for an unreadable block, and where lines cannot carry the change
 */
export function deleteFrontmatterKey(note: NoteHead, key: string): EditOutcome {
  const { text, frontmatter } = note;
  if (frontmatter.error !== undefined) requireEditable(frontmatter);
  if (!Object.hasOwn(frontmatter.data, key)) return unchanged(note);
  requireEditable(frontmatter);
  const expected = withKey(frontmatter.data, key, undefined);
  const entry = entryOf(frontmatter, key);
  const outcome = entry === undefined ? undefined : applySplice(note, { ...entry.range, insert: '' });
  const verified = outcome === undefined ? undefined : verifiedOutcome(outcome, expected);
  if (verified === undefined) throw unsafe(text, frontmatter, key);
  return verified;
}

/** The lines of a key that is not there yet, with the fences when the block is not there either. */
function newKeySplice({ text, frontmatter }: NoteHead, key: string, value: FrontmatterValue): Splice {
  const { present, range, inner, entries } = frontmatter;
  const at = present ? newKeyPlace(text, frontmatter, key) : range.from;
  const end = lineEndAt(text, present ? inner.from - 1 : at);
  const first = entries[0]?.range.from ?? at;
  const indent = /^ */.exec(text.slice(first))?.[0] ?? '';
  const lines = entryLines([key, value]).map((line) => (present ? indent + line : line));
  const written = present ? lines : ['---', ...lines, '---'];
  return { from: at, to: at, insert: written.map((line) => line + end).join('') };
}

function requireEditable({ present, error, entries, data }: Frontmatter): void {
  if (error !== undefined) {
    throw new AppError(
      'invalid_value',
      `The frontmatter block cannot be read (${error}), so no key of it can be changed: repair the block as text first.`,
    );
  }
  if (present && entries.length === 0 && Object.keys(data).length > 0) {
    throw new AppError(
      'invalid_value',
      'The frontmatter block is written as one "{…}", which cannot be changed key by key: write it as text, one key a line, first.',
    );
  }
}

function entryOf({ entries }: Frontmatter, key: string): FrontmatterEntry | undefined {
  return entries.find((entry) => entry.key === key);
}

function withKey(data: Frontmatter['data'], key: string, value: unknown): Record<string, unknown> {
  const result: Record<string, unknown> = Object.assign(Object.create(null), data);
  if (value === undefined) delete result[key];
  else result[key] = value;
  return result;
}

/** The outcome with its block; undefined when that does not mean what was asked for. */
function verifiedOutcome(outcome: EditOutcome, expected: Record<string, unknown>): EditOutcome | undefined {
  const frontmatter = parseFrontmatter(outcome.text);
  const { data, error, present } = frontmatter;
  // An empty block's data is made elsewhere and has a prototype.
  const isMeant = present && error === undefined && isDeepStrictEqual({ __proto__: null, ...data }, expected);
  return isMeant ? { ...outcome, frontmatter } : undefined;
}

/** @throws AppError `invalid_value` for a block that would be too large to be read back */
function requireReadableSize({ inner }: Frontmatter, { from, to, insert }: Splice): void {
  const size = inner.to - inner.from - (to - from) + insert.length;
  if (size <= MAX_FRONTMATTER) return;
  throw new AppError(
    'invalid_value',
    `With this value the frontmatter block would have ${size} characters, and no more than ${MAX_FRONTMATTER} are read: put long text into the body of the note.`,
  );
}

function unsafe(text: string, { range }: Frontmatter, key: string): AppError {
  const anchored = /(?:^|\s)[&*][^\s,[\]{}]/m.test(text.slice(range.from, range.to));
  const why = anchored
    ? 'the block has an anchor that is used elsewhere in it'
    : 'its lines cannot be told apart safely';
  return new AppError(
    'invalid_value',
    `"${key}" cannot be changed by itself (${why}). Edit the block as text, frontmatter included.`,
  );
}
