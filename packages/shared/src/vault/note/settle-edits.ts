/**
 * Puts new link targets into a note, as far as they read back. Danger: a target can alter how the text around it is
 * read (a backtick that finds a partner, a colon in a YAML scalar), so the new text is parsed and every link compared
 * with what it was; edits that do not read back as meant are refused, and the others still made.
 */
import type { Link, ParsedNote } from './model.ts';
import { parseNote } from './parse.ts';
import { applyEdits, type TextEdit } from './text-edits.ts';

/** A target to be put in the place of another. */
export interface TargetEdit extends TextEdit {
  /** Position of the link among the note's links. */
  readonly index: number;
  /** The new target as the link will mean it: decoded. */
  readonly target: string;
  /** Whether the link leads elsewhere without the edit. */
  readonly breaks: boolean;
}

/** Times a note is parsed to find which edits do not read back, fewer for a large one; then the unsettled are refused. */
const MAX_CHECKS = 64;
/** Characters parsed for it at most, some seconds' work; the first check is always made. */
const MAX_CHECKED = 16_000_000;

export interface SettledEdits {
  readonly text: string;
  readonly accepted: readonly TargetEdit[];
  readonly refused: readonly TargetEdit[];
}

/** Applies the edits that read back as meant: all of them, nearly always; else halves are tried, and halves of these. */
export function settleEdits(note: ParsedNote, edits: readonly TargetEdit[]): SettledEdits {
  const refused: TargetEdit[] = [];
  const allowed = Math.min(MAX_CHECKS, Math.max(1, Math.floor(MAX_CHECKED / (note.text.length + 1))));
  let checks = 0;
  const add = (accepted: readonly TargetEdit[], more: readonly TargetEdit[]): readonly TargetEdit[] => {
    if (more.length === 0) return accepted;
    const together = [...accepted, ...more];
    if (checks++ < allowed && readsBack(note, together)) return together;
    if (more.length === 1 || checks >= allowed) {
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
function readsBack(before: ParsedNote, edits: readonly TargetEdit[]): boolean {
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
