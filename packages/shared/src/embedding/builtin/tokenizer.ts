/**
 * Cuts text into the model's word pieces: the most probable split by the vocabulary's log probabilities. Danger:
 * token numbers mean something only together with the weights; a test compares them with the library the weights
 * come from, whose rules (ties, unknown symbols) are kept exactly.
 */

/** Token of a symbol the vocabulary does not know; a run of them counts once. */
export const UNKNOWN = 0;
/** Numbers below are marks that no text produces. */
const RESERVED = 6;
const WORD_START = '\u2581';

interface Node {
  readonly next: Map<string, Node>;
  token: number;
  score: number;
}

export interface Tokenizer {
  tokenize(text: string): number[];
  /** Share of the text's letters and digits that no piece starts with, 0 to 1; 0 for a text without any. */
  unknownShare(text: string): number;
}

const LETTER = /[\p{L}\p{N}]/u;

/** @param vocabulary piece and log probability, by token number */
export function createTokenizer(vocabulary: readonly (readonly [string, number])[]): Tokenizer {
  const root: Node = { next: new Map(), token: -1, score: 0 };
  for (const [token, [piece, score]] of vocabulary.entries()) {
    if (token >= RESERVED) insert(root, piece, token, score);
  }
  return {
    tokenize(text) {
      const normal = text.normalize('NFKC');
      if (normal === '') return [];
      const symbols = Array.from(WORD_START + normal.replaceAll(' ', WORD_START));
      const { tokens, starts } = bestSplit(root, symbols);
      return walkBack(tokens, starts);
    },
    unknownShare(text) {
      const letters = Array.from(text.normalize('NFKC')).filter((symbol) => LETTER.test(symbol));
      const unknown = letters.filter((letter) => !root.next.has(letter)).length;
      return letters.length === 0 ? 0 : unknown / letters.length;
    },
  };
}

function insert(root: Node, piece: string, token: number, score: number): void {
  let node = root;
  for (const symbol of piece) {
    const next = node.next.get(symbol) ?? { next: new Map(), token: -1, score: 0 };
    node.next.set(symbol, next);
    node = next;
  }
  node.token = token;
  node.score = score;
}

/** For every end position: the token that ends there on the best path, and where it starts. */
function bestSplit(root: Node, symbols: readonly string[]): { tokens: Int32Array; starts: Int32Array } {
  const best = new Float64Array(symbols.length + 1);
  const tokens = new Int32Array(symbols.length + 1);
  // An end that no piece reaches counts as one unknown symbol.
  const starts = Int32Array.from({ length: symbols.length + 1 }, (_, end) => end - 1);
  const consider = (start: number, end: number, token: number, pieceScore: number) => {
    const score = pieceScore + (best[start] as number);
    if (best[end] !== 0 && score < (best[end] as number)) return;
    best[end] = score;
    tokens[end] = token;
    starts[end] = start;
  };
  for (let start = 0; start < symbols.length; start++) {
    let node: Node | undefined = root.next.get(symbols[start] as string);
    let found = false;
    for (let end = start + 1; node !== undefined; end++) {
      if (node.token >= 0) {
        consider(start, end, node.token, node.score);
        found = true;
      }
      node = end < symbols.length ? node.next.get(symbols[end] as string) : undefined;
    }
    if (!found) consider(start, start + 1, UNKNOWN, 0);
  }
  return { tokens, starts };
}

function walkBack(tokens: Int32Array, starts: Int32Array): number[] {
  const found: number[] = [];
  for (let end = tokens.length - 1; end > 0; end = starts[end] as number) {
    const token = tokens[end] as number;
    if (token !== UNKNOWN || found.at(-1) !== UNKNOWN) found.push(token);
  }
  return found.reverse();
}
