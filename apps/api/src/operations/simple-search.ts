/**
 * The Obsidian plugin's plain search: every note that holds the query as it is written, whatever the case. Reads files,
 * not the index. Danger: it looks at the whole vault for each call, so files are read a few at a time, the answer is
 * bounded, and a caller who went away stops it.
 */
import { AppError } from '@vault-mcp/shared/errors';
import { readNoteFile } from '@vault-mcp/shared/vault/read';
import { walkVault } from '@vault-mcp/shared/vault/walk';
import { z } from 'zod';
import type { OperationContext } from '../context.ts';
import { findOccurrences, type Occurrence, type OccurrenceOptions } from './occurrences.ts';

/** Notes in one answer, the best first. */
const MAX_NOTES = 500;
/** Notes read at the same time. */
const READERS = 8;

export const simpleSearchInput = z.strictObject({
  query: z.string().min(1).max(1000).describe('The text to find, literally; case does not matter.'),
  context_length: z
    .number()
    .int()
    .min(0)
    .max(1000)
    .optional()
    .describe('Characters shown before and after each match. Default 100.'),
});

export interface SimpleSearchHit {
  /** The note's path. */
  readonly filename: string;
  /** How often the query stands in the note's name and text; the more the better. */
  readonly score: number;
  readonly matches: Occurrence[];
}

/**
 * @param signal ends the search early; what is thrown then is the signal's reason
 * @throws AppError invalid_request when the query is only white space; internal_error when the vault's own folder cannot
 * be read, since an empty answer would say that nothing was found
 */
export async function simpleSearch(
  context: Pick<OperationContext, 'vault' | 'config' | 'log'>,
  input: z.infer<typeof simpleSearchInput>,
  signal?: AbortSignal,
): Promise<SimpleSearchHit[]> {
  if (input.query.trim() === '') {
    throw new AppError('invalid_request', 'The query is empty; name the text to look for.');
  }
  const wanted = { query: input.query, contextLength: input.context_length ?? 100, signal };
  const hits: SimpleSearchHit[] = [];
  let unread = 0;
  const notes = walkVault(context.vault, {
    excludeDirs: [],
    ignore: [],
    onProblem: ({ path, error }) => {
      if (path === '') throw rootUnreadable(error);
      unread++;
    },
  });
  const readAll = async () => {
    for await (const { path, kind } of notes) {
      signal?.throwIfAborted();
      if (kind !== 'note') continue;
      const hit = await searchNote(context, path, wanted);
      if (hit === 'unread') unread++;
      else if (hit) keepBest(hits, hit);
    }
  };
  // The readers share one walk: its next() calls queue up, so each note is handed to exactly one of them.
  await Promise.all(Array.from({ length: READERS }, readAll));
  if (unread > 0) context.log.warn({ unread }, 'plain search passed over files that could not be read');
  return hits.sort(byScore).slice(0, MAX_NOTES);
}

function rootUnreadable(cause: unknown): AppError {
  return new AppError(
    'internal_error',
    "The vault's folder cannot be read, so nothing was searched. Check that it is mounted and that the server may read it, then try again.",
    { cause },
  );
}

async function searchNote(
  { vault, config }: Pick<OperationContext, 'vault' | 'config'>,
  path: Parameters<typeof readNoteFile>[1],
  { query, ...options }: OccurrenceOptions & { readonly query: string },
): Promise<SimpleSearchHit | 'unread' | null> {
  let text: string;
  try {
    ({ text } = await readNoteFile(vault, path, { maxBytes: config.vault.note_max_bytes }));
  } catch (error) {
    // One note that vanished, is too large or may not be read must not end the search; it is counted and logged.
    if (error instanceof AppError) return 'unread';
    throw error;
  }
  const { total, occurrences } = await findOccurrences(path, text, query, options);
  return total === 0 ? null : { filename: path, score: total, matches: occurrences };
}

/** Lets the list grow to twice what is answered, then cuts it, so that a common query does not hold the vault. */
function keepBest(hits: SimpleSearchHit[], hit: SimpleSearchHit): void {
  hits.push(hit);
  if (hits.length >= MAX_NOTES * 2) hits.sort(byScore).splice(MAX_NOTES);
}

function byScore(a: SimpleSearchHit, b: SimpleSearchHit): number {
  return b.score - a.score || (a.filename < b.filename ? -1 : 1);
}
