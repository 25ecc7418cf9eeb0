/**
 * Estimates tokens without a tokenizer: 3.6 characters of spaced scripts make one, a CJK character is one by itself.
 * Good to some ten per cent for the models in question; what is cut by it stays well below a model's context.
 */

/** Units per token; a plain character counts 5 of them, so that sums stay whole numbers (18 / 5 = 3.6). */
const TOKEN = 18;
const PLAIN = 5;

function unitsOf(unit: number): number {
  if (unit < 0x1100) return unit === 0x0d ? 0 : PLAIN; // so that CRLF and LF weigh the same
  if (unit >= 0xd800 && unit <= 0xdfff) return unit < 0xdc00 ? TOKEN : 0; // a pair is one character
  return isWide(unit) ? TOKEN : PLAIN;
}

/** Han, Kana, Hangul and the full-width forms, by block. */
function isWide(unit: number): boolean {
  return (
    unit <= 0x11ff ||
    (unit >= 0x2e80 && unit <= 0x9fff) ||
    (unit >= 0xa960 && unit <= 0xa97f) ||
    (unit >= 0xac00 && unit <= 0xd7ff) ||
    (unit >= 0xf900 && unit <= 0xfaff) ||
    (unit >= 0xff00 && unit <= 0xffef)
  );
}

/** Measures any range of one text at once: chunking asks about the same ranges again at every level of nesting. */
export interface Ruler {
  /** Estimated tokens in `[from, to)`, not rounded. */
  tokens(from: number, to: number): number;
  /** The furthest offset up to which at most `tokens` lie after `from`. */
  advance(from: number, tokens: number): number;
  /** The nearest offset from which at most `tokens` lie before `to`. */
  retreat(to: number, tokens: number): number;
}

/** Four bytes per character of the text while it is being chunked. */
export function createRuler(text: string): Ruler {
  const sums = new Uint32Array(text.length + 1);
  let units = 0;
  for (let at = 0; at < text.length; at++) {
    units += unitsOf(text.charCodeAt(at));
    sums[at + 1] = units;
  }
  const sum = (at: number): number => sums[at] ?? 0;
  const lastAtMost = (units: number, low: number, high: number): number => {
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (sum(middle) <= units) low = middle;
      else high = middle - 1;
    }
    return low;
  };
  return {
    tokens: (from, to) => (sum(to) - sum(from)) / TOKEN,
    advance: (from, tokens) => lastAtMost(sum(from) + Math.floor(tokens * TOKEN), from, text.length),
    retreat: (to, tokens) => {
      const least = sum(to) - Math.floor(tokens * TOKEN);
      const before = lastAtMost(least - 1, 0, to);
      return sum(before) >= least ? before : Math.min(to, before + 1);
    },
  };
}
