/**
 * What is gone with a text that was replaced, beside what was named: a section's subsections, a list item's items below
 * it. What the new text has again, wherever it stands there, is not gone; what reads alike is counted, headings at the
 * same place first.
 */
import type { Tree } from '@lezer/common';
import { foldHeading } from '../heading-fold.ts';
import { parseBlocks } from '../markdown.ts';
import type { Heading, NoteStructure, TextRange } from '../model.ts';
import { parseStructure } from '../parse.ts';

/**
 * @param old the headings that stood in the text
 * @returns the targets, as they were, of those that the new text does not have
 */
export function removedSubsections(old: readonly Heading[], newText: string): string[] {
  if (old.length === 0) return [];
  const kept = new Set<Heading>();
  const used = new Set<Heading>();
  // A line break first, so that nothing in the new text is taken for frontmatter.
  const found = parseStructure(`\n${newText}`).headings;
  for (const keyOf of [placeKey, ({ text }: Heading) => foldHeading(text)]) {
    const waiting = queues(
      found.filter((after) => !used.has(after)),
      keyOf,
    );
    for (const before of old) {
      const after = kept.has(before) ? undefined : waiting.get(keyOf(before))?.pop();
      if (after === undefined) continue;
      kept.add(before);
      used.add(after);
    }
  }
  return old.filter((before) => !kept.has(before)).map(({ target }) => target);
}

/**
 * @param range a list item's
 * @returns the items below it that its new text does not have, the first line of each as it was written
 */
export function removedItems(note: NoteStructure, { from, to }: TextRange, newText: string): string[] {
  const body = note.text.slice(note.bodyFrom);
  const old = itemLines(note.tree, body, { from: from - note.bodyFrom, to: to - note.bodyFrom });
  if (old.length < 2) return [];
  const kept = new Map<string, number>();
  for (const line of itemLines(parseBlocks(newText), newText, { from: 0, to: newText.length })) {
    kept.set(textOf(line), (kept.get(textOf(line)) ?? 0) + 1);
  }
  return old.slice(1).filter((line) => {
    const again = kept.get(textOf(line)) ?? 0;
    kept.set(textOf(line), again - 1);
    return again <= 0;
  });
}

/** The first lines of the list items that begin in a range. */
function itemLines(tree: Tree, body: string, { from, to }: TextRange): string[] {
  const lines: string[] = [];
  tree.iterate({
    from,
    to,
    enter: (node) => {
      if (node.name !== 'ListItem' || node.from < from || node.from >= to) return;
      // An item begins with what its bullet is indented by beyond the text above it.
      lines.push((/^[^\r\n]*/.exec(body.slice(node.from, node.to))?.[0] ?? '').trim());
    },
  });
  return lines;
}

/** Without the bullet: an item that was numbered anew is the same. */
function textOf(line: string): string {
  return line.replace(/^(?:[-*+]|\d{1,9}[.)])[ \t]+/, '');
}

/** Headings by key, the first of each last: taking from the front of a long list moves all the others. */
function queues(headings: readonly Heading[], keyOf: (heading: Heading) => string): Map<string, Heading[]> {
  const result = new Map<string, Heading[]>();
  for (const heading of headings.toReversed()) {
    const queue = result.get(keyOf(heading));
    if (queue === undefined) result.set(keyOf(heading), [heading]);
    else queue.push(heading);
  }
  return result;
}

/** A heading's text and the one it stands under. */
function placeKey({ path }: Heading): string {
  return path.slice(-2).map(foldHeading).join('\n');
}
