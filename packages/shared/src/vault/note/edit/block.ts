/**
 * Edits the block a `^id` marks. Danger: what a block id names depends on the text around it (an item without its
 * bullet becomes part of the item above), so every result is parsed again, and one in which the id no longer names
 * what it should is refused.
 */
import { AppError } from '../../../errors.ts';
import type { NoteStructure } from '../model.ts';
import { lazyStructure } from '../parse.ts';
import { blockText, resolveBlock } from '../sections.ts';
import { type BlockPlace, blockPlace } from './block-place.ts';
import { replaceBlock } from './block-replace.ts';
import { lineEndAt, trimmedContent } from './inserted-text.ts';
import { breaksBefore, lineBreakFrom, lineStartOf, nextLineFrom } from './lines.ts';
import { firstListKind, lastListKind } from './list-kind.ts';
import {
  applyBodySplice,
  type EditOutcome,
  type ParsedOutcome,
  refuseHiddenHeadings,
  type Splice,
  unchanged,
} from './outcome.ts';
import { removedItems } from './removed-subsections.ts';
import type { EditOperation } from './section.ts';
import { removedSplice, separatedSplice } from './spacing.ts';
import { joinsTableIn } from './table-rows.ts';

/**
 * Edits a block. A `replace` keeps the `^id`, and a list item's bullet when the text brings none. `append` and
 * `prepend` put text below and above the block, one blank line between; items go into the list, rows appended to a table
 * into that, other text appended to an item becomes part of it. `delete` takes block and id out.
 *
 * @param id with or without its `^`
 * @param content ignored by `delete`
 * @param options.createIfMissing only makes the refusal say that a block is never made
 * @throws AppError `no_such_block`; `note_too_large` when the note has more blocks than are read; `invalid_value` when the text cannot stand there as meant
 */
export function editBlock(
  note: NoteStructure,
  id: string,
  operation: EditOperation,
  content: string,
  options: { readonly createIfMissing?: boolean } = {},
): EditOutcome {
  const place = blockPlace(note, findBlock(note, id, options.createIfMissing === true));
  const end = lineEndAt(note.text, place.range.from);
  const text = operation === 'delete' ? '' : trimmedContent(content, '\n');
  const { outcome, after } = edited(note, place, operation, text, end);
  refuseHiddenHeadings(note, outcome, after);
  if (!place.isItem || operation === 'append' || operation === 'prepend') return outcome;
  return { ...outcome, removedSubsections: removedItems(note, place.range, text) };
}

function findBlock(note: NoteStructure, id: string, wantsCreation: boolean) {
  try {
    return resolveBlock(note, id);
  } catch (missing) {
    if (!wantsCreation || !(missing instanceof AppError)) throw missing;
    const hint = 'A block is never created: append text that ends in the id to a section instead.';
    throw new AppError(missing.code, `${missing.message} ${hint}`);
  }
}

function edited(
  note: NoteStructure,
  place: BlockPlace,
  operation: EditOperation,
  text: string,
  end: '\n' | '\r\n',
): ParsedOutcome {
  if (operation === 'replace') return replaceBlock(note, place, text, end);
  if (operation === 'delete') return parsed(applyBodySplice(note, removed(note, place, end)));
  if (text === '') return parsed(unchanged(note));
  const joinsTable = operation === 'append' && joinsTableIn(note, place.range, text);
  const splice = joinsTable
    ? { from: place.range.to, to: place.range.to, insert: end + place.indented(text, place.indent, end) }
    : operation === 'append'
      ? below(note, place, text, end)
      : above(note, place, text, end);
  const beside = parsed(applyBodySplice(note, splice));
  requireSameBlock(note, place, beside.after, joinsTable || (operation === 'append' && place.isItem));
  return beside;
}

function parsed(outcome: EditOutcome): ParsedOutcome {
  return { outcome, after: lazyStructure(outcome.text, outcome.frontmatter) };
}

/** Where a list item's text joins its list: no blank line on the side of the item, nor where the list goes on. */
function below(note: NoteStructure, place: BlockPlace, text: string, end: '\n' | '\r\n'): Splice {
  if (place.isQuoted && !(place.isItem && firstListKind(text) === place.listKind)) throw quoted();
  const at = lineBreakFrom(note.text, place.whole.to);
  const range = { from: at, to: at };
  if (place.isItem && firstListKind(text) === place.listKind) {
    const listGoesOn = place.listEnd > place.whole.to;
    const lines = place.indented(text, place.indent, end);
    if (place.isQuoted) return { ...range, insert: end + lines };
    return separatedSplice(note.text, range, lines, end, { before: 1, after: listGoesOn ? 1 : 2 });
  }
  const indent = place.isItem ? place.itemIndent : place.indent;
  return separatedSplice(note.text, range, place.indented(text, indent, end), end);
}

function above(note: NoteStructure, place: BlockPlace, text: string, end: '\n' | '\r\n'): Splice {
  const joins = place.isItem && lastListKind(text) === place.listKind;
  if (place.isItem && !joins) {
    throw new AppError(
      'invalid_value',
      'Above a list item stands another item of its list: begin the text with the same kind of bullet.',
    );
  }
  if (place.isQuoted && !joins) throw quoted();
  if (place.sharesLine) {
    throw new AppError('invalid_value', 'The block shares its line with the item around it: edit that one instead.');
  }
  const at = Math.max(note.bodyFrom, lineStartOf(note.text, place.range.from));
  const lines = place.indented(text, place.indent, end);
  if (place.isQuoted) return { from: at, to: at, insert: lines + end };
  return separatedSplice(note.text, { from: at, to: at }, lines, end, joins ? { before: 1, after: 1 } : {});
}

function removed(note: NoteStructure, place: BlockPlace, end: '\n' | '\r\n'): Splice {
  const { text, bodyFrom } = note;
  if (place.sharesLine) return { from: place.range.from, to: place.whole.to, insert: '' };
  const from = Math.max(bodyFrom, lineStartOf(text, place.range.from));
  let to = nextLineFrom(text, place.whole.to);
  // One gap is left where there were two.
  const gapAbove = (breaksBefore(text, from) ?? 2) >= 2 || text.slice(bodyFrom, from).trim() === '';
  while (gapAbove && to < text.length && text.slice(to, lineBreakFrom(text, to)).trim() === '') {
    to = nextLineFrom(text, to);
  }
  return removedSplice(text, { from, to }, bodyFrom, end, place.isItem ? 1 : 2);
}

/** What is put beside a block must leave it what it was; only an item may grow. */
function requireSameBlock(note: NoteStructure, place: BlockPlace, after: NoteStructure, mayGrow: boolean): void {
  const before = blockText(note, place.id);
  const now = readBlock(after, place.id);
  if (now === before || (mayGrow && now?.startsWith(before))) return;
  throw new AppError(
    'invalid_value',
    `With this text "^${place.id}" would no longer name the same block: it has that id too, or runs into the block.`,
  );
}

function readBlock(note: NoteStructure, id: string): string | undefined {
  const alike = note.blocks.filter((block) => block.id.toLowerCase() === id.toLowerCase());
  return alike.length === 1 ? blockText(note, id) : undefined;
}

function quoted(): AppError {
  return new AppError('invalid_value', 'The block stands inside a quote: replace it, or edit the section around it.');
}
