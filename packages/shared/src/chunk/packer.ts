/**
 * Fills pieces with neighbouring segments up to the target size, and lets each piece after a split start with the end
 * of the one before. Segments come in order and touch; so do the pieces. Danger: a piece must never pass `maxTokens`
 * (its overlap or table header included), whatever the segments are.
 */
import type { ParsedNote, TextRange } from '../vault/note/model.ts';
import type { ChunkOptions } from './options.ts';
import type { ChunkRules } from './rules.ts';
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

/** What pieces are measured by. */
interface Measures {
  readonly note: ParsedNote;
  readonly ruler: Ruler;
  readonly options: ChunkOptions;
  readonly rules: Pick<ChunkRules, 'mergeBack'>;
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

/** Takes the segments of one group in order, gives its pieces. */
export class Packer {
  private readonly text: string;
  private readonly ruler: Ruler;
  private readonly options: ChunkOptions;
  private readonly joinsRunt: boolean;
  private readonly pieces: OpenPiece[] = [];
  private open: OpenPiece | undefined;

  constructor({ note, ruler, options, rules }: Measures) {
    this.text = note.text;
    this.ruler = ruler;
    this.options = options;
    this.joinsRunt = rules.mergeBack;
  }

  /** @param header of the table the segment is a row of: repeated should a piece start with this row */
  add(from: number, to: number, kind: SegmentKind, header?: TextRange): void {
    if (to <= from) return;
    if (this.open !== undefined && this.ruler.tokens(from, to) > this.room(this.open)) this.close();
    if (this.open !== undefined && this.ruler.tokens(this.open.from, to) > this.options.maxTokens) {
      this.pieces.push(this.open); // headings too long to stay with what they head
      this.open = undefined;
    }
    this.open ??= { from, to: from, header, firstKind: kind, lastKind: kind, headingsFrom: -1 };
    if (kind !== 'heading') this.open.headingsFrom = -1;
    else if (this.open.headingsFrom === -1) this.open.headingsFrom = from;
    this.open.to = to;
    this.open.lastKind = kind;
  }

  /** Ends the piece before something that has to be split, unless that would leave a runt. */
  breakBeforeSplit(): void {
    const { open } = this;
    if (open !== undefined && this.ruler.tokens(open.from, open.to) >= this.options.minTokens) this.close();
  }

  finish(): Piece[] {
    const { pieces, text, ruler, options } = this;
    if (this.open !== undefined) pieces.push(this.open);
    this.open = undefined;
    if (this.joinsRunt) joinRunt(pieces, ruler, options);
    return pieces.map((piece, index) => complete(piece, pieces[index - 1], text, ruler, options));
  }

  /** Tokens that still fit, what will stand before the piece's own text left free. */
  private room({ from, to, header }: OpenPiece): number {
    const before = this.pieces.length > 0 ? this.options.overlapTokens : 0;
    const reserved = header === undefined ? before : this.ruler.tokens(header.from, header.to);
    return this.options.targetTokens - reserved - this.ruler.tokens(from, to);
  }

  /** Closes the open piece; headings at its end move on to the next one. A piece of headings only stays open. */
  private close(): void {
    const { open } = this;
    if (open === undefined || open.headingsFrom === open.from) return;
    this.open = undefined;
    if (open.headingsFrom === -1) this.pieces.push(open);
    else {
      this.pieces.push({ ...open, to: open.headingsFrom });
      this.open = { ...open, from: open.headingsFrom, header: undefined, firstKind: 'heading' };
    }
  }
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
