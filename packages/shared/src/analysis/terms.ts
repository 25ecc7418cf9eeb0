/**
 * The form of a term in the index. Danger: FTS5 cuts the joined terms apart again with its `ascii` tokenizer, so a
 * term may hold nothing but ASCII letters and digits, the characters below, and anything beyond ASCII.
 */

/** ASCII punctuation that may stand inside a term (`DEC-0054`, `src/vault/path.ts`, `c++`): FTS5's `tokenchars`. */
export const TERM_CHARACTERS = '-_./@:+#&,';

/** Longer terms are cut here, in index and query alike: enough for a SHA-256, too short for a blob to bloat the index. */
export const MAX_TERM_LENGTH = 64;

/** Cuts to {@link MAX_TERM_LENGTH} UTF-16 units without splitting a surrogate pair. */
export function cutTerm(term: string): string {
  if (term.length <= MAX_TERM_LENGTH) return term;
  const lastUnit = term.charCodeAt(MAX_TERM_LENGTH - 1);
  const splitsPair = lastUnit >= 0xd800 && lastUnit <= 0xdbff;
  return term.slice(0, splitsPair ? MAX_TERM_LENGTH - 1 : MAX_TERM_LENGTH);
}
