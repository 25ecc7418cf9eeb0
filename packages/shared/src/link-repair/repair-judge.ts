/**
 * What is to be done about one link, by what it led to when its note was last written. Pure. Danger: a link that led
 * nowhere then, or could have meant several, says nothing of what was meant: it is never repaired, whatever it leads to now.
 */
import { type LinkChange, type LinkJudge, linkChange } from '../vault/note/link-change.ts';
import { type LinkTarget, resolveLink } from '../vault/note/resolve-link.ts';
import { nameOf, shown, type VaultPath } from '../vault/path.ts';
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
 * @param from what the note was called in the view's pass
 */
export function judgeLink(link: LinkTarget, from: VaultPath, view: PastView): Verdict {
  const change = linkChange(link, from, view);
  if (change.action === 'report') return KEEP;
  if (change.action === 'keep') return shadowedAtRoot(link, from, view);
  if (!change.breaks) return KEEP;
  const fate = view.fateOf(change.was);
  if (fate.is === 'gone') return left(`led to "${shown(change.was)}", which is gone`);
  if (fate.is === 'unclear') {
    const named = fate.candidates.slice(0, 3).map((path) => `"${shown(path)}"`);
    return left(`led to "${shown(change.was)}", which is gone; what it held, ${named.join(' and ')} hold now`);
  }
  const isMoved = fate.path !== change.was || view.movedTo(from) !== from;
  return { kind: isMoved ? 'rename' : 'qualify', change };
}

/** For rewriteLinks: only links of these kinds. */
export function judgeOf(view: PastView, kinds: ReadonlySet<RepairKind>): LinkJudge {
  return (link, from) => {
    const verdict = judgeLink(link, from, view);
    if (verdict.kind === 'left') return { action: 'report', reason: verdict.reason };
    return verdict.kind !== 'keep' && kinds.has(verdict.kind) ? verdict.change : { action: 'keep' };
  };
}

/**
 * A note at the root is called by its whole path already, so there is nothing longer to write; and a namesake in a folder
 * is what Obsidian opens for notes beside it.
 */
function shadowedAtRoot({ form, target }: LinkTarget, from: VaultPath, view: PastView): Verdict {
  if (form !== 'wikilink' || target === '' || target.includes('/') || !view.touches(`${nameOf(target)}.md`))
    return KEEP;
  const is = resolveLink({ form, target }, view.movedTo(from), view.after);
  if (is.state !== 'resolved' || is.via !== 'exact' || view.before.byStem(target).length !== 1) return KEEP;
  const others = view.after.byStem(target).filter((path) => path !== is.path);
  const [other] = others;
  if (other === undefined || !view.before.byStem(target).includes(is.path)) return KEEP;
  return left(
    `leads to "${shown(is.path)}" at the root, whose name has no longer form; a note beside "${shown(other)}" may open that one in Obsidian`,
  );
}

function left(reason: string): Verdict {
  return { kind: 'left', reason };
}
