/** What keeping raw material or writing a file did, as text: where it is now, and whether it had been there. Pure. */
import type { FilesWriteAnswer } from '../operations/files-write.ts';
import type { WikiIngestAnswer } from '../operations/wiki-ingest.ts';
import { type FittedAnswer, fittedAnswer } from './fitted-answer.ts';
import { commitFacts, counted, etagFact, named } from './write-facts.ts';

export function wikiIngestText(answer: WikiIngestAnswer, maxChars: number): FittedAnswer<WikiIngestAnswer> {
  const { status, path, size = 0, committed, dry_run } = answer;
  if (status === 'would_fetch') {
    const fact = `Dry run, nothing was fetched or changed: this would fetch the URL and keep it as ${named(path)}, or with the suffix, name or number that it needs then.`;
    return fittedAnswer(answer, { facts: [fact], lists: [foldersOf(answer)] }, maxChars);
  }
  const happened = {
    stored: dry_run ? `this would be kept as ${named(path)}` : `Kept as ${named(path)}`,
    unchanged: dry_run ? `these bytes are kept already, as ${named(path)}` : `Kept already, as ${named(path)}`,
  };
  const facts = [
    `${dry_run ? 'Dry run, nothing was changed: ' : ''}${happened[status]}, ${counted(size, 'byte')}.`,
    ...commitFacts(committed),
    'It is raw material, which search leaves out: put what matters of it on a page.',
  ];
  return fittedAnswer(answer, { facts, lists: [foldersOf(answer)] }, maxChars);
}

const DONE = { created: 'Made', replaced: 'Replaced', appended: 'Added to', unchanged: 'Unchanged:' } as const;
const TO_DO = { created: 'make', replaced: 'replace', appended: 'add to', unchanged: 'leave as it is' } as const;

export function filesWriteText(answer: FilesWriteAnswer, maxChars: number): FittedAnswer<FilesWriteAnswer> {
  const { status, path, size, etag, dry_run } = answer;
  const happened = dry_run
    ? `Dry run, nothing was changed: this would ${TO_DO[status]} ${named(path)}`
    : `${DONE[status]} ${named(path)}`;
  const facts = [`${happened}, ${counted(size, 'byte')} in all.`, ...(dry_run ? [] : [etagFact(etag, dry_run)])];
  return fittedAnswer(answer, { facts, lists: [foldersOf(answer)] }, maxChars);
}

function foldersOf({ folders_made, dry_run }: Pick<WikiIngestAnswer, 'folders_made' | 'dry_run'>) {
  const heading = dry_run ? 'Folders to be made' : 'Folders made';
  return { field: 'folders_made', heading, items: folders_made } as const;
}
