/**
 * Makes a note's links follow a move. Text in, text out; only the targets of links change. Danger: a new target can
 * alter how the text around it is read (a backtick that finds a partner, a colon in a YAML scalar), so the new text is
 * parsed again and each link compared with what it was; a change that does not read back is left and reported.
 */
import type { VaultPath } from '../path.ts';
import { readFrontmatter } from './frontmatter.ts';
import { type LinkChange, linkChange } from './link-change.ts';
import type { Link, ParsedNote } from './model.ts';
import { newTargets } from './new-target.ts';
import { parseNote } from './parse.ts';
import type { Relocation } from './relocation.ts';
import { resolveLink } from './resolve-link.ts';
import { applyEdits, type TextEdit } from './text-edits.ts';
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

/** A target to be put in the place of another. */
interface Edit extends TextEdit {
  /** Position of the link among the note's links. */
  readonly index: number;
  readonly target: string;
  readonly line: number;
}

/** Times a note is parsed to find which edits do not read back; beyond it those not yet settled are left. */
const MAX_CHECKS = 64;

const NOT_IN_WIKILINK = 'the new path holds a character that no wikilink can carry ([ ] | # ^): link to it by hand';
const NO_TARGET = 'no target of this style leads to the new path alone: link to it by hand';
const NOT_READ_BACK = 'with the new path the text around the link would be read differently: change it by hand';

/**
 * Rewrites the links of one note: those to what moves, the note's own if it moves itself, and those whose target
 * another file would take over.
 *
 * @param path the note's path before the move
 */
export function rewriteLinks(text: string, path: VaultPath, relocation: Relocation): RewrittenText {
  const note = parseNote(text);
  const edits: Edit[] = [];
  const left: LeftLink[] = [];
  let breaking = 0;
  const opening = yamlOpenings(note);
  note.links.forEach((link, index) => {
    const change = linkChange(link, path, relocation);
    if (change.action === 'report') left.push({ line: link.line, reason: change.reason });
    if (change.action !== 'rewrite') return;
    if (change.breaks) breaking++;
    const target = findTarget(link, change, relocation.movedTo(path), relocation);
    if (!target.found) {
      if (change.breaks) left.push({ line: link.line, reason: target.reason });
      return;
    }
    const replacement = writtenTarget(text, link, target.target, opening(link));
    if (replacement === text.slice(link.targetRange.from, link.targetRange.to)) return;
    edits.push({ index, range: link.targetRange, replacement, target: target.target, line: link.line });
  });
  const settled = settle(note, edits);
  for (const edit of settled.refused) left.push({ line: edit.line, reason: NOT_READ_BACK });
  return {
    text: settled.text,
    changedLines: settled.accepted.map(({ line }) => line).sort((a, b) => a - b),
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
  { after }: Relocation,
): FoundTarget {
  let reason = NO_TARGET;
  for (const target of newTargets({ ...change, form: link.form, target: link.target }, change.wanted, from)) {
    const resolved = resolveLink({ form: link.form, target }, from, after);
    if (resolved.state !== 'resolved' || resolved.path !== change.wanted) continue;
    if (link.form !== 'wikilink' || fitsWikilink(target)) return { found: true, target };
    reason = NOT_IN_WIKILINK;
  }
  return { found: false, reason };
}

function writtenTarget(text: string, link: Link, target: string, yamlOpening: string): string {
  const { from, to } = link.targetRange;
  const angled = text[from - 1] === '<';
  const written = link.form === 'wikilink' ? target : encodeDestination(target, text.slice(from, to), angled);
  return escapeForYaml(written, yamlOpening);
}

/** For a link in frontmatter, the character its YAML string begins with; empty for others. */
function yamlOpenings(note: ParsedNote): (link: Link) => string {
  if (!note.links.some((link) => link.inFrontmatter)) return () => '';
  const { strings } = readFrontmatter(note.text, note.lines);
  return ({ inFrontmatter, range }) => {
    const string = strings.find((one) => inFrontmatter && one.range.from <= range.from && range.to <= one.range.to);
    return string === undefined ? '' : (note.text[string.range.from] ?? '');
  };
}

interface Settled {
  readonly text: string;
  readonly accepted: readonly Edit[];
  readonly refused: readonly Edit[];
}

/** Applies the edits that read back as meant: all of them, nearly always; else halves are tried, and halves of these. */
function settle(note: ParsedNote, edits: readonly Edit[]): Settled {
  const refused: Edit[] = [];
  let checks = 0;
  const add = (accepted: readonly Edit[], more: readonly Edit[]): readonly Edit[] => {
    if (more.length === 0) return accepted;
    const together = [...accepted, ...more];
    if (checks++ < MAX_CHECKS && readsBack(note, together)) return together;
    if (more.length === 1 || checks > MAX_CHECKS) {
      refused.push(...more);
      return accepted;
    }
    const middle = more.length >> 1;
    return add(add(accepted, more.slice(0, middle)), more.slice(middle));
  };
  const accepted = add([], edits);
  return { text: applyEdits(note.text, accepted), accepted, refused };
}

/** Whether the edited text is the same note but for the targets that were edited. */
function readsBack(before: ParsedNote, edits: readonly Edit[]): boolean {
  const after = parseNote(applyEdits(before.text, edits));
  const targets = new Map(edits.map(({ index, target }) => [index, target]));
  return (
    after.links.length === before.links.length &&
    after.headings.length === before.headings.length &&
    after.blocks.length === before.blocks.length &&
    after.tags.join() === before.tags.join() &&
    after.frontmatter.error === before.frontmatter.error &&
    before.links.every((link, i) =>
      isSameLink(link, after.links[i], targets.get(i) ?? link.target, holdsNext(before, i)),
    )
  );
}

function isSameLink(link: Link, other: Link | undefined, target: string, anyAlias: boolean): boolean {
  return (
    other !== undefined &&
    other.target === target &&
    other.form === link.form &&
    other.embed === link.embed &&
    other.line === link.line &&
    other.heading === link.heading &&
    other.block === link.block &&
    other.inFrontmatter === link.inFrontmatter &&
    (anyAlias || other.alias === link.alias)
  );
}

/** Whether a link's text holds the link after it, an image, whose target may be edited as well. */
function holdsNext({ links }: ParsedNote, index: number): boolean {
  const [link, next] = [links[index], links[index + 1]];
  return link !== undefined && next !== undefined && next.range.from < link.range.to;
}
