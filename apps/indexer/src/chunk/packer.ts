/**
 * Fills pieces with neighbouring segments up to the target size, and lets each piece after a split start with the end
 * of the one before. Segments come in order and touch; so do the pieces. Danger: a piece must never pass `maxTokens`
 * (its overlap or table header included), whatever the segments are.
 */
import type { TextRange } from '@vault-mcp/shared/vault/note/model';
import type { ChunkOptions } from './options.ts';
import { lineStarts, nextCharacterStart, sentenceStarts, wordStart } from './sentences.ts';
import type { Ruler } from './tokens.ts';

/** `heading` stays with what follows it; only `prose` is worth repeating as overlap. */
export type SegmentKind = 'prose' | 'heading' | 'table' | 'verbatim';

export interface Piece extends TextRange {
  /** Where the text repeated from the previous piece starts; `from` when nothing is. */
  readonly overlapFrom: number;
  /** The header rows of the table this piece continues. */
  readonly header?: TextRange;
}

interface OpenPiece {
  from: number;
  to: number;
  header: TextRange | undefined;
  firstKind: SegmentKind;
  lastKind: SegmentKind;
  /** Where the headings start that the piece ends with so far; -1 when it ends otherwise. */
  headingsFrom: number;
}

export interface Packer {
  /** `header`: of the table the segment is a row of. */
  add(from: number, to: number, kind: SegmentKind, header?: TextRange): void;
  /** Room left in the piece that is being filled, in tokens. */
  room(): number;
  /** Ends the piece before something that will need splitting, unless that would leave a runt. */
  breakBeforeSplit(): void;
  finish(): Piece[];
}

export function createPacker(text: string, ruler: Ruler, options: ChunkOptions): Packer {
  const pieces: OpenPiece[] = [];
  let open: OpenPiece | undefined;

  const extra = (header: TextRange | undefined): number => {
    if (header !== undefined) return ruler.tokens(header.from, header.to);
    return pieces.length > 0 ? options.overlapTokens : 0;
  };
  const room = (): number => {
    if (open === undefined) return options.targetTokens - extra(undefined);
    return options.targetTokens - extra(open.header) - ruler.tokens(open.from, open.to);
  };
  /** Closes the open piece; headings at its end move on to the next one. */
  const flush = (): OpenPiece | undefined => {
    const closed = open;
    open = undefined;
    if (closed === undefined || closed.headingsFrom === closed.from) return closed;
    if (closed.headingsFrom === -1) pieces.push(closed);
    else {
      pieces.push({ ...closed, to: closed.headingsFrom, headingsFrom: -1 });
      return { ...closed, from: closed.headingsFrom, header: undefined, firstKind: 'heading' };
    }
    return undefined;
  };
  const append = (piece: OpenPiece, to: number, kind: SegmentKind): void => {
    if (kind === 'heading' && piece.headingsFrom === -1) piece.headingsFrom = piece.to;
    if (kind !== 'heading') piece.headingsFrom = -1;
    piece.to = to;
    piece.lastKind = kind;
  };
  return {
    room,
    add: (from, to, kind, header) => {
      if (to <= from) return;
      if (open !== undefined && ruler.tokens(from, to) > room()) open = flush();
      if (open !== undefined && open.to - open.from > 0 && ruler.tokens(open.from, to) > options.maxTokens) {
        pieces.push(open); // headings too long to stay with what they head
        open = undefined;
      }
      if (open !== undefined) return append(open, to, kind);
      open = { from, to: from, header, firstKind: kind, lastKind: kind, headingsFrom: -1 };
      append(open, to, kind);
    },
    breakBeforeSplit: () => {
      if (open !== undefined && ruler.tokens(open.from, open.to) >= options.minTokens) open = flush();
    },
    finish: () => {
      if (open !== undefined) pieces.push(open);
      open = undefined;
      joinRunt(pieces, ruler, options);
      return pieces.map((piece, index) => complete(piece, pieces[index - 1], text, ruler, options));
    },
  };
}

/** A last piece below the minimum joins the one before, where the two still make a reasonable chunk. */
function joinRunt(pieces: OpenPiece[], ruler: Ruler, options: ChunkOptions): void {
  const last = pieces.at(-1);
  const before = pieces.at(-2);
  if (last === undefined || before === undefined || ruler.tokens(last.from, last.to) >= options.minTokens) return;
  const limit = Math.min(options.targetTokens + options.minTokens, options.maxTokens);
  const header = before.header === undefined ? 0 : ruler.tokens(before.header.from, before.header.to);
  if (ruler.tokens(before.from, last.to) + header > limit) return;
  pieces.splice(-2, 2, { ...before, to: last.to, lastKind: last.lastKind });
}

function complete(
  piece: OpenPiece,
  previous: OpenPiece | undefined,
  text: string,
  ruler: Ruler,
  options: ChunkOptions,
): Piece {
  const { from, to, header } = piece;
  const size = ruler.tokens(from, to);
  if (header !== undefined && ruler.tokens(header.from, header.to) + size <= options.maxTokens) {
    return { from, to, header, overlapFrom: from };
  }
  const continues = previous?.to === from && previous.lastKind === 'prose' && piece.firstKind === 'prose';
  const tokens = Math.min(options.overlapTokens, options.maxTokens - size);
  if (!continues || tokens <= 0) return { from, to, overlapFrom: from };
  return { from, to, overlapFrom: overlapStart(text, ruler.retreat(from, tokens), previous.from, from) };
}

/**
 * Start of the overlap in `[earliest, to)`: a sentence or line, else a word, else a character. Never the whole of the
 * previous piece: that would be a duplicate.
 */
function overlapStart(text: string, earliest: number, pieceFrom: number, to: number): number {
  const low = Math.max(earliest, pieceFrom + 1);
  if (low >= to) return to;
  const sentences = sentenceStarts(text, low - 1, to);
  const [start] = sentences.length > 0 ? sentences : lineStarts(text, low - 1, to);
  if (start !== undefined) return start;
  const word = wordStart(text, low, to);
  return word < to ? word : nextCharacterStart(text, low, to);
}
