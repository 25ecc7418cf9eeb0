/**
 * Keeps everybody from working by the headings or blocks of a note of which only the first part has any (see
 * markdown.ts). Danger: there the last section known seems to go on to the end, over headings that nobody has seen, and
 * a name that seems to be there once may be there again.
 */
import { AppError } from '../../errors.ts';
import type { NoteStructure } from './model.ts';

type Outlined = Pick<NoteStructure, 'structuredTo' | 'text' | 'lines'>;

/** Why not all headings and blocks of a note are known; undefined when they are. A sentence. */
export function missingStructure({ structuredTo, text, lines }: Outlined): string | undefined {
  if (structuredTo >= text.length) return undefined;
  return `This note has so many lines of lists, quotes or paragraphs that its headings and blocks are known only up to line ${lines.lineAt(structuredTo)}.`;
}

/** @throws AppError `note_too_large` unless all headings and blocks of the note are known */
export function requireStructure(note: Outlined): void {
  const problem = missingStructure(note);
  if (problem === undefined) return;
  throw new AppError(
    'note_too_large',
    `${problem} So no part of it can be named: read it whole, page by page; replace a text in it, append to it or write it whole; and better, split it.`,
  );
}
