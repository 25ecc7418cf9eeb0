/**
 * Makes a note's links follow a move. Text in, text out; only the targets of links change. Danger: a link is written
 * anew only where its new target is resolved and leads to the file meant; whatever cannot be said in the link's own
 * style is left as it is and reported, never approximated.
 */
import { shown, type VaultPath } from '../path.ts';
import { readFrontmatter } from './frontmatter.ts';
import { type LinkChange, type LinkJudge, linkChange } from './link-change.ts';
import type { Link, ParsedNote } from './model.ts';
import { newTargets } from './new-target.ts';
import { parseNote } from './parse.ts';
import type { NameChange } from './relocation.ts';
import { type LinkTarget, resolveLink } from './resolve-link.ts';
import { settleEdits, type TargetEdit } from './settle-edits.ts';
import { countAtMost } from './text.ts';
import { meansTheSameToAll, pathFromNote } from './unseen-targets.ts';
import { encodeDestination, escapeForYaml, fitsWikilink } from './written-target.ts';

export interface LeftLink {
  /** 1-based line in the file. */
  readonly line: number;
  readonly reason: string;
}

export interface RewrittenText {
  readonly text: string;
  /** The 1-based line of each link that got a new target. */
  readonly changedLines: readonly number[];
  /** How many links would lead elsewhere, or nowhere, without the rewrite. */
  readonly breaking: number;
  /** Links that need a person, and why. */
  readonly left: readonly LeftLink[];
}

const NO_TARGET = 'no target of this style leads to the new path alone: link to it by hand';
const UNREAD =
  'the note has too many lines to tell links from code here: change it by hand, and better, split the note';
const NOT_READ_BACK = 'with the new path the text around the link would be read differently: change it by hand';

/**
 * Rewrites the links of one note: those to what moves, the note's own if it moves itself, and those whose target
 * another file would take over.
 *
 * @param path the note's path before the move
 * @param judge which links are concerned; by default every one that the change of names does something to
 */
export function rewriteLinks(
  text: string,
  path: VaultPath,
  relocation: NameChange,
  judge: LinkJudge = linkChange,
): RewrittenText {
  const note = parseNote(text);
  const edits: TargetEdit[] = [];
  const left: LeftLink[] = [];
  let breaking = 0;
  const opening = yamlOpenings(note);
  note.links.forEach((link, index) => {
    const change = judge(link, path, relocation);
    if (change.action === 'report') left.push({ line: link.line, reason: change.reason });
    if (change.action !== 'keep' && change.breaks) breaking++;
    if (change.action !== 'rewrite') return;
    if (link.range.from >= note.structuredTo) {
      if (change.breaks) left.push({ line: link.line, reason: UNREAD });
      return;
    }
    const target = findTarget(link, change, relocation.movedTo(path), relocation);
    if (!target.found) {
      if (change.breaks) left.push({ line: link.line, reason: target.reason });
      return;
    }
    const replacement = writtenTarget(text, link, target.target, opening(link));
    if (replacement === text.slice(link.targetRange.from, link.targetRange.to)) return;
    edits.push({ index, range: link.targetRange, replacement, target: target.target, breaks: change.breaks });
  });
  const settled = settleEdits(note, edits);
  const lineOf = ({ index }: TargetEdit): number => note.links[index]?.line ?? 0;
  for (const edit of settled.refused) if (edit.breaks) left.push({ line: lineOf(edit), reason: NOT_READ_BACK });
  return {
    text: settled.text,
    changedLines: settled.accepted.map(lineOf).sort((a, b) => a - b),
    breaking,
    left: left.sort((a, b) => a.line - b.line),
  };
}

type FoundTarget =
  | { readonly found: true; readonly target: string }
  | { readonly found: false; readonly reason: string };

/** The first target in the link's style that leads where it should. */
function findTarget(
  link: Link,
  change: Extract<LinkChange, { action: 'rewrite' }>,
  from: VaultPath,
  relocation: NameChange,
): FoundTarget {
  let reason = NO_TARGET;
  // What is hidden must not be looked for by its name, should it not be there: so the path says that it starts here.
  const style = { ...change, form: link.form, target: change.unseen ? `./${link.target}` : link.target };
  for (const target of newTargets(style, change.wanted, from)) {
    if (!leadsThere({ form: link.form, target }, change, from, relocation)) continue;
    if (link.form !== 'wikilink' || fitsWikilink(target)) return { found: true, target };
    reason = `"${shown(change.wanted)}" holds a character that no wikilink can carry ([ ] | # ^): link to it by hand`;
  }
  return { found: false, reason };
}

/** For who sees a part of the vault: also for all others. */
function leadsThere(
  link: LinkTarget,
  { wanted, unseen }: Extract<LinkChange, { action: 'rewrite' }>,
  from: VaultPath,
  { after, mayRead }: NameChange,
): boolean {
  if (unseen) return pathFromNote(link, from) === wanted;
  const resolved = resolveLink(link, from, after);
  if (resolved.state !== 'resolved' || resolved.path !== wanted) return false;
  return mayRead === undefined || meansTheSameToAll(link, from, after, mayRead);
}

function writtenTarget(text: string, link: Link, target: string, yamlOpening: string): string {
  const { from, to } = link.targetRange;
  const angled = text[from - 1] === '<';
  const written = link.form === 'wikilink' ? target : encodeDestination(target, text.slice(from, to), angled);
  return escapeForYaml(written, yamlOpening);
}

/** For a link in frontmatter, the character its YAML string begins with; empty for others. */
function yamlOpenings(note: ParsedNote): (link: Link) => string {
  let starts: readonly number[] | null = null;
  return ({ inFrontmatter, range }) => {
    if (!inFrontmatter) return '';
    starts ??= readFrontmatter(note.text, note.lines).strings.map((string) => string.range.from);
    return note.text.charAt(starts[countAtMost(starts, range.from) - 1] ?? note.text.length);
  };
}
