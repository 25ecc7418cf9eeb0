/**
 * What a deletion did, as text: where the copy is and what still links to it, since both are what somebody has to look
 * after next. Pure.
 */
import type { DeletionAnswer } from '../operations/delete-entry.ts';
import type { FolderDeletionAnswer } from '../operations/delete-folder.ts';
import { type FittedAnswer, fittedAnswer, type Statement } from './fitted-answer.ts';
import { counted, etagFact, indexFacts, named } from './write-facts.ts';

type Answer = Pick<
  DeletionAnswer,
  'path' | 'permanent' | 'trashed' | 'linked_from' | 'links_unseen' | 'left_out' | 'indexed' | 'dry_run'
>;

export function deletionText(answer: DeletionAnswer, maxChars: number): FittedAnswer<DeletionAnswer> {
  const version = answer.etag === null ? [] : [etagFact(answer.etag, answer.dry_run)];
  return fittedDeletion(answer, `the ${answer.kind} ${named(answer.path)}`, { facts: version }, maxChars);
}

export function folderDeletionText(answer: FolderDeletionAnswer, maxChars: number): FittedAnswer<FolderDeletionAnswer> {
  const { notes, documents, other_files, folders, left = [] } = answer;
  const counts = [
    counted(notes, 'note'),
    counted(documents, 'document'),
    counted(other_files, 'other file'),
    counted(folders, 'folder'),
  ];
  const content = `${left.length > 0 ? 'Gone are' : answer.dry_run ? 'It holds' : 'It held'} ${counts.join(', ')}.`;
  const leftovers = {
    field: 'left',
    heading: 'Not all of it could be deleted; still there',
    items: left.map(({ path, reason }) => `${path}: ${reason}`),
  } as const;
  const what = `${left.length > 0 ? 'part of ' : ''}the folder ${named(answer.path)}`;
  return fittedDeletion(answer, what, { facts: [content], lists: [leftovers] }, maxChars);
}

function fittedDeletion<A extends Answer>(
  answer: A,
  what: string,
  more: Statement<A>,
  maxChars: number,
): FittedAnswer<A> {
  const { left_out = [], indexed, linked_from } = answer;
  const facts = [whatHappened(answer, what), ...more.facts, ...indexFacts(indexed, 'removed'), ...linkFacts(answer)];
  const list = { field: 'linked_from', heading: 'What still links to it', items: linked_from ?? [] } as const;
  const unread = {
    field: 'left_out',
    heading: 'Could not be read, so it is not known whether this links to it',
    items: left_out.map(({ path, reason }) => `${path === '' ? 'the vault' : path}: ${reason}`),
  } as const;
  return fittedAnswer(answer, { facts, lists: [...(more.lists ?? []), list, unread] }, maxChars);
}

function whatHappened({ permanent, trashed, dry_run }: Answer, what: string): string {
  if (dry_run) {
    const fate = permanent ? 'be deleted for good' : 'be moved to the trash';
    return `Dry run, nothing was changed: ${what} would ${fate}.`;
  }
  if (trashed === null) return `Deleted ${what} for good.`;
  return `Moved ${what} to the trash: it is ${named(trashed)} now, where its owner finds it.`;
}

/** The last the same whether there are any, which is none of the caller's business. */
const UNSEEN =
  'Files that you may not see may link to it too, and a link by a bare name may mean one of them: tell whoever owns the vault.';

function linkFacts({ linked_from, links_unseen, left_out = [] }: Answer): string[] {
  if (linked_from === null) return ['What still links to it cannot be told until the index knows the vault.'];
  const unseen = links_unseen === undefined ? [] : [UNSEEN];
  if (linked_from.length > 0) return unseen;
  const looked = [...(links_unseen ? ['you may see'] : []), ...(left_out.length > 0 ? ['could be read'] : [])];
  const which = looked.length === 0 ? '' : ` that ${looked.join(' and that ')}`;
  return [`No note or canvas${which} links to it.`, ...unseen];
}
