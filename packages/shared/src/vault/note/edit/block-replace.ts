/**
 * Replaces a block and keeps the id that marks it. Danger: where an id may stand depends on what the new text is (in
 * an item's first paragraph, below a table), so the places are tried until a parse reads the new text back by the id.
 */
import type { SyntaxNode } from '@lezer/common';
import { AppError } from '../../../errors.ts';
import { parseBlocks } from '../markdown.ts';
import type { BlockId, NoteStructure, TextRange } from '../model.ts';
import { lazyStructure, parseStructure } from '../parse.ts';
import type { BlockPlace } from './block-place.ts';
import { firstListKind } from './list-kind.ts';
import { applyBodySplice, type ParsedOutcome } from './outcome.ts';

/**
 * @param content with line feeds, no blank lines at its ends
 * @throws AppError `invalid_value` when the id could not name the new text
 */
export function replaceBlock(note: NoteStructure, place: BlockPlace, content: string, end: string): ParsedOutcome {
  if (content === '') {
    throw new AppError('invalid_value', `Blank text leaves nothing that "^${place.id}" could mark: delete the block.`);
  }
  const bare = place.isItem && firstListKind(content) === null ? itemOf(place, content) : content;
  if (place.isItem && !holdsId(content, place.id)) requireOneItem(bare, place.id);
  let second: ParsedOutcome | undefined;
  for (const one of candidates(note, place, bare, end)) {
    if (namesAll(one)) return one;
    if (namesPart(one)) second ??= one;
  }
  if (second !== undefined) return second;
  throw new AppError(
    'invalid_value',
    `"^${place.id}" cannot mark this text where the block stands: replace it by one block of the same kind, such as one list item, one paragraph or one heading.`,
  );
}

/** With several items, or text below the list, the id would name a part of the new text or the whole list. */
function requireOneItem(content: string, id: string): void {
  const list = parseBlocks(content).topNode.firstChild;
  if (list === null || list.nextSibling !== null || list.getChildren('ListItem').length > 1) {
    throw new AppError(
      'invalid_value',
      `"^${id}" marks one list item, and this text is more than one: replace it by one item (others may stand indented below it) and append the rest, or end the item that is to keep the id in " ^${id}".`,
    );
  }
}

/** Text without a bullet in place of an item's: it keeps the bullet. */
function itemOf({ itemMark }: BlockPlace, content: string): string {
  const width = /^\S+\s*/.exec(itemMark)?.[0].length ?? 0;
  return itemMark + content.replace(/\n(?=[^\n])/g, `\n${' '.repeat(width)}`);
}

interface Try extends ParsedOutcome {
  /** Where the new text stands, without an id that stands alone. */
  readonly range: TextRange;
  readonly block: BlockId | undefined;
  readonly staysHeading: boolean;
}

function* candidates(note: NoteStructure, place: BlockPlace, content: string, end: string): Generator<Try> {
  const { from, to } = place.range;
  const wasHeading = note.headings.some(({ marker }) => marker.from <= from && marker.to >= to);
  for (const { text, alone } of withId(place, content)) {
    const lines = place.indented(text, place.indent, end).slice(place.indent.length);
    const insert = alone === '' ? lines : `${lines}${end}${place.indent.trimEnd()}${end}${place.indent}${alone}`;
    const outcome = applyBodySplice(note, { from, to, insert });
    const after = lazyStructure(outcome.text, outcome.frontmatter);
    const alike = after.blocks.filter(({ id }) => id.toLowerCase() === place.id.toLowerCase());
    yield {
      outcome,
      after,
      range: { from, to: from + lines.length },
      block: alike.length === 1 ? alike[0] : undefined,
      staysHeading: !wasHeading || after.headings.some(({ marker }) => marker.to === from + lines.length),
    };
  }
}

function namesAll({ block, range, staysHeading }: Try): boolean {
  return staysHeading && block?.range.from === range.from && block.range.to === range.to;
}

function namesPart({ block, range, staysHeading }: Try): boolean {
  return staysHeading && block !== undefined && block.range.from >= range.from && block.range.to <= range.to;
}

/** The text with the id in each place it could stand; as it is where it has the id or the id stands elsewhere. */
function withId(place: BlockPlace, content: string): { text: string; alone: string }[] {
  const mark = `^${place.id}`;
  if (!place.holdsId || holdsId(content, place.id)) return [{ text: content, alone: '' }];
  const first = firstLeafEnd(content);
  const atEnd = { text: `${content.trimEnd()} ${mark}`, alone: '' };
  const inFirst = { text: `${content.slice(0, first).trimEnd()} ${mark}${content.slice(first)}`, alone: '' };
  const below = { text: content, alone: mark };
  // In a table's last line the id would make a cell.
  if (parseBlocks(content).topNode.lastChild?.name === 'Table') return [below];
  return place.isItem ? [inFirst, atEnd, below] : [atEnd, inFirst, below];
}

function holdsId(content: string, wanted: string): boolean {
  // A line break first, so that nothing is taken for frontmatter.
  return parseStructure(`\n${content}`).blocks.some(({ id }) => id.toLowerCase() === wanted.toLowerCase());
}

/** Where the text of the first paragraph, task or heading ends. */
function firstLeafEnd(content: string): number {
  let node: SyntaxNode | null = parseBlocks(content).topNode;
  while (node !== null) {
    if (/^(?:Paragraph|Task|ATXHeading\d)$/.test(node.name)) return node.to;
    const children: SyntaxNode | null = node.firstChild;
    node = children?.name.endsWith('Mark') ? children.nextSibling : children;
  }
  return content.length;
}
