/**
 * Which subsections are gone after a section's text was replaced. A heading that the new text has again, wherever it
 * stands there, is not gone; headings of one text are counted, those at the same place first.
 */
import { foldHeading } from '../heading-fold.ts';
import type { Heading, NoteStructure } from '../model.ts';
import { parseStructure } from '../parse.ts';
import { subsections } from '../sections.ts';

/** Paths, joined with `::`, of a section's old subsections that its new text does not have. */
export function removedSubsections(note: NoteStructure, heading: Heading, newText: string): string[] {
  const old = subsections(note, heading);
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
  return old.filter((before) => !kept.has(before)).map(({ path }) => path.join('::'));
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
