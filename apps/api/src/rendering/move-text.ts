/** What a move did, as text: the new place, how many links followed, and each one that did not, with its reason. Pure. */
import type { MoveAnswer } from '../operations/move-entry.ts';
import { type FittedAnswer, fittedAnswer } from './fitted-answer.ts';
import { counted, etagFact, indexFacts, named } from './write-facts.ts';

export function moveText(answer: MoveAnswer, maxChars: number): FittedAnswer<MoveAnswer> {
  const { etag, left, notes = [], folders_made, dry_run, indexed } = answer;
  const facts = [whatHappened(answer)];
  if (etag !== null) facts.push(etagFact(etag, dry_run));
  facts.push(...linkFacts(answer), ...unseenFacts(answer), ...indexFacts(indexed, 'written'));
  const lists = [
    {
      field: 'left',
      heading: 'Left as they are',
      items: left.map(({ path, line, reason }) => `${path}${line === null ? '' : `, line ${line}`}: ${reason}`),
    },
    {
      field: 'notes',
      heading: 'Links would change in',
      items: notes.map(({ path, links }) => `${path}: ${counted(links, 'link')}`),
    },
    { field: 'folders_made', heading: dry_run ? 'Folders to be made' : 'Folders made', items: folders_made },
  ] as const;
  return fittedAnswer(answer, { facts, lists }, maxChars);
}

function whatHappened({ source, destination, kind, dry_run }: MoveAnswer): string {
  if (source === destination) return `Nothing to move: the ${kind} ${named(source)} is there already.`;
  const move = `the ${kind} ${named(source)} to ${named(destination)}`;
  return dry_run ? `Dry run, nothing was changed: this would move ${move}.` : `Moved ${move}.`;
}

/** The same whether there are any, which is none of the caller's business. */
function unseenFacts({ source, destination, links_unseen }: MoveAnswer): string[] {
  if (links_unseen === undefined || source === destination) return [];
  return ['Links in files that you may not see stay as they are: tell whoever owns the vault.'];
}

function linkFacts({ source, destination, links_updated, notes_updated, links_broken, dry_run }: MoveAnswer): string[] {
  if (source === destination) return [];
  if (links_broken !== undefined) {
    const leads = dry_run ? 'would lead' : links_broken === 1 ? 'leads' : 'lead';
    return [`No link follows: ${counted(links_broken, 'link')} ${leads} elsewhere or nowhere.`];
  }
  const follow = dry_run ? 'would follow' : 'followed';
  return [`${counted(links_updated, 'link')} in ${counted(notes_updated, 'file')} ${follow}.`];
}
