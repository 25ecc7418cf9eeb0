/**
 * What is to be done about one link, by what it led to when it was written. Pure. Danger: a link that led nowhere then, or
 * could have meant several, says nothing of what was meant: it is never repaired, whatever it leads to now.
 */
import { type LinkChange, linkChange } from '../vault/note/link-change.ts';
import { type LinkTarget, resolveLink } from '../vault/note/resolve-link.ts';
import { nameOf, pathKey, shown, type VaultPath } from '../vault/path.ts';
import type { PastView } from './file-history.ts';

/**
 * `qualify`: the file that was meant is where it was, and the link means others too by now, or another one. `rename`: the
 * file that was meant, or the note itself, has another path.
 */
export type RepairKind = 'qualify' | 'rename';

export type Verdict =
  | { readonly kind: 'keep' }
  | { readonly kind: RepairKind; readonly change: Extract<LinkChange, { action: 'rewrite' }> }
  | { readonly kind: 'left'; readonly reason: string };

const KEEP: Verdict = { kind: 'keep' };

/**
 * @param from what the note was called when the link was written
 * @param view of the end of the pass in which that was
 */
export function judgeLink(link: LinkTarget, from: VaultPath, view: PastView): Verdict {
  if (!view.isKnown) return KEEP;
  const change = linkChange(link, from, view);
  if (change.action === 'report') return KEEP;
  if (change.action === 'keep') return shadowedAtRoot(link, from, view);
  if (!change.breaks) return KEEP;
  const fate = view.fateOf(change.was);
  if (fate.is !== 'there') {
    // The same name in other letters is the same file to whoever follows links, whatever it holds.
    const is = resolveLink(link, view.movedTo(from), view.after);
    if (is.state === 'resolved' && pathKey(is.path) === pathKey(change.was)) return KEEP;
  }
  if (fate.is === 'gone') return left(`led to "${shown(change.was)}", which is gone`);
  if (fate.is === 'unclear') {
    const named = fate.candidates.slice(0, 3).map((path) => `"${shown(path)}"`);
    return left(`led to "${shown(change.was)}", which is gone; the same was in ${named.join(' and ')}`);
  }
  const isMoved = fate.path !== change.was || view.movedTo(from) !== from;
  return { kind: isMoved ? 'rename' : 'qualify', change };
}

/** For what rewrites links: only those of these kinds. */
export function asChange(verdict: Verdict, kinds: ReadonlySet<RepairKind>): LinkChange {
  if (verdict.kind === 'left') return { action: 'report', reason: verdict.reason };
  return verdict.kind !== 'keep' && kinds.has(verdict.kind) ? verdict.change : { action: 'keep' };
}

/**
 * A note at the root is called by its whole path already, so there is nothing longer to write; and a namesake in a folder
 * is what Obsidian opens for notes beside it.
 */
function shadowedAtRoot({ form, target }: LinkTarget, from: VaultPath, view: PastView): Verdict {
  if (form !== 'wikilink' || target === '' || target.includes('/') || !view.touches(`${nameOf(target)}.md`))
    return KEEP;
  const is = resolveLink({ form, target }, view.movedTo(from), view.after);
  const [first, ...more] = view.before.byStem(target);
  if (is.state !== 'resolved' || first !== is.path || more.length > 0) return KEEP;
  const other = view.after.byStem(target).find((path) => path !== is.path);
  if (other === undefined) return KEEP;
  return left(
    `leads to "${shown(is.path)}" at the root, whose name has no longer form; a note beside "${shown(other)}" may open that one in Obsidian`,
  );
}

function left(reason: string): Verdict {
  return { kind: 'left', reason };
}
