/**
 * What a move means for one link: nothing, a new target, or something a person has to look at. Danger: a link that
 * still leads somewhere may lead to the wrong file, since a move frees names and takes others; so every link of a
 * note is asked, also where neither it nor its target moves.
 */
import { nameOf, parentOf, pathKey, shown, type VaultPath } from '../path.ts';
import { withoutSuffix } from './new-target.ts';
import type { NameChange } from './relocation.ts';
import { type LinkTarget, parseTarget, type Resolution, resolveLink, type Via } from './resolve-link.ts';
import { type MayRead, mayLeadBesideUnseen, meansTheSameToAll, pathFromNote } from './unseen-targets.ts';

export type LinkChange =
  | { readonly action: 'keep' }
  | {
      readonly action: 'rewrite';
      /** Where it led before, as the file was called then. */
      readonly was: VaultPath;
      /** Where the link has to lead, as the file is called afterwards. */
      readonly wanted: VaultPath;
      /** How it was found before. */
      readonly via: Via;
      /** Whether it spelled the file's whole name: `Note.md` rather than `Note`. */
      readonly wholeName: boolean;
      /** Whether the link would lead elsewhere if nobody wrote; else only its spelling or its kind of path is out of date. */
      readonly breaks: boolean;
      /** Where it led and leads is hidden from the mover, and said by its text alone: no file is looked for there. */
      readonly unseen?: true;
    }
  | {
      readonly action: 'report';
      readonly reason: string;
      /** By what the mover sees, the link would lead elsewhere. */
      readonly breaks?: true;
    };

const KEEP: LinkChange = { action: 'keep' };
const MAY_BE_UNSEEN = 'may mean a file that you do not see: whoever sees the whole vault can tell';

/** Says what a change of names means for one link of the file that is called `from` before. */
export type LinkJudge = (link: LinkTarget, from: VaultPath, change: NameChange) => LinkChange;

/**
 * Judges a link of a note or of an index row. A note with a link whose answer is not `keep` has to be rewritten.
 *
 * @param from the linking note's path before the move
 */
export function linkChange(link: LinkTarget, from: VaultPath, relocation: NameChange): LinkChange {
  const { mayRead, before } = relocation;
  if (link.target === '' || (relocation.movedTo(from) === from && !isTouched(link, relocation))) return KEEP;
  if (mayRead === undefined) return seenChange(link, from, relocation);
  if (!meansTheSameToAll(link, from, before, mayRead)) return unsureChange(link, from, { ...relocation, mayRead });
  return seenChange(link, from, relocation, mayRead);
}

/** @param mayRead for a link that means the same to all, which it has to go on doing */
function seenChange(link: LinkTarget, from: VaultPath, relocation: NameChange, mayRead?: MayRead): LinkChange {
  const fromAfter = relocation.movedTo(from);
  const was = resolveLink(link, from, relocation.before);
  const is = resolveLink(link, fromAfter, relocation.after);
  if (was.state === 'broken') {
    if (is.state !== 'resolved') return KEEP;
    return { action: 'report', reason: `led nowhere before; now it leads to "${shown(is.path)}"` };
  }
  if (was.state === 'ambiguous') return ambiguityChange(was.candidates, is, relocation);
  const wanted = relocation.movedTo(was.path);
  const becomesUnsure = mayRead !== undefined && !meansTheSameToAll(link, fromAfter, relocation.after, mayRead);
  const breaks = is.state !== 'resolved' || is.path !== wanted || losesItsWay(was.via, is.via) || becomesUnsure;
  if (!breaks && keepsStyle(link, was.via, is.via) && keepsSpelling(link, was.path, wanted)) return KEEP;
  return { action: 'rewrite', was: was.path, wanted, via: was.via, wholeName: spellsWholeName(link, was.path), breaks };
}

type PartlySeen = NameChange & { readonly mayRead: MayRead };

/** Of a link that may lead to a hidden file: it follows what its text says, and never what is found instead. */
function unsureChange(link: LinkTarget, from: VaultPath, relocation: PartlySeen): LinkChange {
  const path = pathFromNote(link, from);
  const was = resolveLink(link, from, relocation.before);
  if (path !== null && was.state === 'broken') return unseenChange(link, from, path, relocation);
  const seen = seenChange(link, from, relocation);
  if (seen.action === 'report') return seen;
  const report: LinkChange = { action: 'report', reason: MAY_BE_UNSEEN };
  if (seen.action === 'rewrite' && seen.breaks) return { ...report, breaks: true };
  const is = resolveLink(link, relocation.movedTo(from), relocation.after);
  return isFoundSooner(was, is) || isCarriedOff(link, from, relocation) ? report : KEEP;
}

/** What a link is tried as before a name finds it comes before every hidden file of that name, too. */
function isFoundSooner(was: Resolution, is: Resolution): boolean {
  return was.state === 'resolved' && is.state === 'resolved' && was.via !== is.via;
}

function unseenChange(link: LinkTarget, from: VaultPath, was: VaultPath, relocation: NameChange): LinkChange {
  const wanted = relocation.movedTo(was);
  if (pathFromNote(link, relocation.movedTo(from)) === wanted) return KEEP;
  return { action: 'rewrite', was, wanted, via: 'relative', wholeName: true, breaks: true, unseen: true };
}

/** Whether it could be a way to something hidden that starts in another folder by now. */
function isCarriedOff(link: LinkTarget, from: VaultPath, { movedTo, mayRead }: PartlySeen): boolean {
  const to = movedTo(from);
  if (parentOf(from) === parentOf(to)) return false;
  return [from, to].some((path) => mayLeadBesideUnseen(link, path, mayRead));
}

/** Nearly no link is: this spares a large vault most of its look-ups. */
function isTouched({ target }: LinkTarget, relocation: NameChange): boolean {
  const name = nameOf(target);
  return relocation.touches(name) || relocation.touches(`${name}.md`);
}

function ambiguityChange(candidates: readonly VaultPath[], is: Resolution, relocation: NameChange): LinkChange {
  const expected = new Set(candidates.map(relocation.movedTo));
  const same =
    is.state === 'ambiguous' &&
    is.candidates.length === expected.size &&
    is.candidates.every((path) => expected.has(path));
  if (same) return KEEP;
  const named = candidates.slice(0, 3).map((path) => `"${shown(path)}"`);
  const more = candidates.length > named.length ? `, ${candidates.length - named.length} more` : '';
  return { action: 'report', reason: `could mean ${named.join(', ')}${more}: qualify it` };
}

/** A path that every program follows, and that only Obsidian would find by its name afterwards. */
function losesItsWay(was: Via, is: Via): boolean {
  return (was === 'relative' || was === 'root') && (is === 'suffix' || is === 'stem');
}

/** A relative path has to stay one, and a path from the root too, also where another reading would find the file. */
function keepsStyle(link: LinkTarget, was: Via, is: Via): boolean {
  if (was === 'relative') return is === 'relative';
  return was !== 'exact' || is === 'exact' || !link.target.includes('/');
}

/** A link in the file's own spelling follows it: else a rename that changes only case would leave the old one behind. */
function keepsSpelling(link: LinkTarget, before: VaultPath, after: VaultPath): boolean {
  return before === after || !isSpelledAs(link, before) || isSpelledAs(link, after);
}

function isSpelledAs(link: LinkTarget, path: VaultPath): boolean {
  const names = parseTarget(link.target)?.segments.filter((segment) => segment !== '..') ?? [];
  const written = names.join('/').normalize('NFC');
  const actual = path.normalize('NFC');
  return [actual, withoutSuffix(actual)].some((form) => form === written || form.endsWith(`/${written}`));
}

function spellsWholeName(link: LinkTarget, path: VaultPath): boolean {
  return pathKey(nameOf(link.target)) === pathKey(nameOf(path));
}
