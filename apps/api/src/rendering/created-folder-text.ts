/** What making a folder did, as text: every folder that was made on the way. Pure. */
import type { FolderCreated } from '../operations/create-folder.ts';
import { type FittedAnswer, fittedAnswer } from './fitted-answer.ts';
import { named } from './write-facts.ts';

export function createdFolderText(answer: FolderCreated, maxChars: number): FittedAnswer<FolderCreated> {
  const { folders_made, dry_run } = answer;
  const list = { field: 'folders_made', heading: dry_run ? 'Folders to be made' : 'Folders made', items: folders_made };
  return fittedAnswer(answer, { facts: [whatHappened(answer)], lists: [{ ...list, field: 'folders_made' }] }, maxChars);
}

function whatHappened({ path, created, dry_run }: FolderCreated): string {
  if (!created) return `The folder ${named(path)} is there already.`;
  return dry_run
    ? `Dry run, nothing was changed: the folder ${named(path)} would be made.`
    : `Made the folder ${named(path)}.`;
}
