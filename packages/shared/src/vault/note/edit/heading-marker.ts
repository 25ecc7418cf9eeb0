/**
 * Replaces a heading's own line. Danger: what replaces it must be one heading and nothing else, or everything below
 * would fall to the section above; so the result is parsed and the heading looked for in its place.
 */
import { AppError } from '../../../errors.ts';
import { parseBlocks } from '../markdown.ts';
import type { Heading, NoteStructure } from '../model.ts';
import { lazyStructure } from '../parse.ts';
import { lineEndAt, trimmedContent } from './inserted-text.ts';
import { applyBodySplice, type ParsedOutcome } from './outcome.ts';

/** @throws AppError `invalid_value` when the new line is no heading, or not only one */
export function replaceMarker(note: NoteStructure, heading: Heading, content: string): ParsedOutcome {
  const { from, to } = heading.marker;
  const line = trimmedContent(content, lineEndAt(note.text, from)).trimEnd();
  const { firstChild, lastChild } = parseBlocks(line).topNode;
  if (firstChild === null || firstChild.to !== lastChild?.to || !firstChild.name.includes('Heading')) {
    throw notOneHeading(heading);
  }
  const outcome = applyBodySplice(note, { from, to, insert: line });
  const index = note.headings.indexOf(heading);
  const after = lazyStructure(outcome.text, outcome.frontmatter);
  const marker = after.headings[index]?.marker;
  if (after.headings.length !== note.headings.length || marker?.from !== from || marker.to !== from + line.length) {
    throw notOneHeading(heading);
  }
  return { outcome, after };
}

function notOneHeading({ depth, text }: Heading): AppError {
  const example = `${'#'.repeat(depth)} New text`;
  return new AppError(
    'invalid_value',
    `The heading line "${text.slice(0, 200)}" must be replaced by one heading line, like "${example}". Use scope "markerAndContent" to replace the section as a whole.`,
  );
}
