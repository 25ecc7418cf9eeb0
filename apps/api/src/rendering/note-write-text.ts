/**
 * What a write did to one note, as text that says what to do next: the version to expect, what went with it, and for a
 * dry run the diff. Pure.
 */
import type { NoteWriteAnswer } from '../operations/change-note.ts';
import type { PatchNoteAnswer } from '../operations/patch-note.ts';
import { type FittedAnswer, fittedAnswer } from './fitted-answer.ts';
import { etagFact, indexFacts, named, timestampFact } from './write-facts.ts';

type Answer = NoteWriteAnswer & Partial<Pick<PatchNoteAnswer, 'removed_subsections' | 'created_headings'>>;

export function noteWriteText<A extends Answer>(answer: A, maxChars: number): FittedAnswer<A> {
  const { etag, changed, dry_run, indexed, folders_made, removed_subsections = [], created_headings = [] } = answer;
  const facts = [whatHappened(answer), etagFact(etag, dry_run)];
  if (changed) facts.push(timestampFact(answer), ...indexFacts(indexed, 'written'));
  const removed = dry_run ? 'What would go with it' : 'What went with it';
  const lists = [
    { field: 'removed_subsections', heading: removed, items: removed_subsections },
    { field: 'created_headings', heading: dry_run ? 'Headings to be made' : 'Headings made', items: created_headings },
    { field: 'folders_made', heading: dry_run ? 'Folders to be made' : 'Folders made', items: folders_made },
  ] as const;
  return fittedAnswer(answer, { facts, lists }, maxChars);
}

function whatHappened({ path, created, changed, dry_run }: Answer): string {
  if (!changed) return `Nothing to change: ${named(path)} is like that already.`;
  if (dry_run) return `Dry run, nothing was changed: ${named(path)} would be ${created ? 'made' : 'changed'}.`;
  return `${created ? 'Made' : 'Changed'} ${named(path)}.`;
}
