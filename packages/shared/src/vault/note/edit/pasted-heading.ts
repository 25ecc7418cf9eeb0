/**
 * Refuses text for a section that begins with the section's own heading line. Danger: a read of a section includes that
 * line, so whoever pastes what was read would double the heading, and later targets of it would be ambiguous.
 */
import { AppError } from '../../../errors.ts';
import { foldHeading } from '../heading-fold.ts';
import { parseBlocks } from '../markdown.ts';
import type { Heading } from '../model.ts';
import { parseStructure } from '../parse.ts';
import { lineBreakFrom } from './lines.ts';

/**
 * @param content without blank lines at its beginning
 * @param advice what to do where the line is meant; a sentence
 * @throws AppError `invalid_value`
 */
export function refusePastedHeading(content: string, heading: Pick<Heading, 'depth' | 'text'>, advice: string): void {
  const isHashed = /^ {0,3}#/.test(content);
  if (!isHashed && !/^ {0,3}(?:=+|-+)[ \t\r]*$/m.test(content)) return;
  const beginning = isHashed ? content.slice(0, lineBreakFrom(content, 0)) : content;
  const first = parseBlocks(beginning).topNode.firstChild;
  if (first === null || !first.name.includes('Heading')) return;
  // A line break first, so that nothing is taken for frontmatter.
  const pasted = parseStructure(`\n${beginning.slice(0, first.to)}`).headings[0];
  if (pasted === undefined || pasted.depth !== heading.depth) return;
  if (foldHeading(pasted.text) !== foldHeading(heading.text)) return;
  const line = `${'#'.repeat(heading.depth)} ${heading.text.slice(0, 200)}`;
  throw new AppError(
    'invalid_value',
    `The text begins with the heading line "${line}", which is there already and would be doubled: leave that line out. ${advice}`,
  );
}
