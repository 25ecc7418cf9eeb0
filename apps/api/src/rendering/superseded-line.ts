/** That a note was superseded, as the line which comes before anything else of it. Pure. */
import type { SupersededBy } from '../operations/superseded-by.ts';
import { oneLine } from './one-line.ts';
import { named } from './write-facts.ts';

/** A longer path stands in the structured answer alone. */
const MAX_PATH_CHARS = 200;

const WHY: Readonly<Record<NonNullable<SupersededBy['problem']>, string>> = {
  dangling: 'what it names leads nowhere',
  ambiguous: 'what it names could mean several notes',
  self: 'it names itself',
  cycle: 'the notes that it leads to name each other in a circle',
  too_long: 'the chain of notes that it leads to is too long',
  not_readable: 'what it names cannot be read here',
};

/** @returns a line with its end; nothing for a note that holds */
export function supersededLine(superseded: SupersededBy | undefined): string {
  if (superseded === undefined) return '';
  const { head, problem = 'dangling' } = superseded;
  if (head === null) return `Superseded, and no note that holds now is known: ${WHY[problem]}.\n`;
  return `${oneLine(`Superseded: read ${head.length > MAX_PATH_CHARS ? 'the head of superseded_by' : named(head)} instead.`)}\n`;
}
