/**
 * Identifiers that people write with spaces: plates, postcodes, IBANs, telephone numbers, `INV 0042`. Case must not
 * matter, so digits decide. Danger: what is taken for one identifier is held by a note only where it stands together
 * in order; the words by themselves are always asked for as well, so a wrong guess costs rank, never a result.
 */

/** Longer runs of numbers are tables, not identifiers (an IBAN has nine groups at most). */
const MAX_TOKENS = 9;

/** A word of the query that is no part of a compound. */
export interface PlainToken {
  readonly folded: string;
  /** Its index term. */
  readonly term: string;
  readonly stop: boolean;
  readonly from: number;
  readonly to: number;
}

/** @returns for each such identifier in the text the index terms of its tokens, in order */
export function spacedIdentifiers(tokens: readonly PlainToken[], text: string): string[][] {
  const found: string[][] = [];
  let at = 0;
  while (at < tokens.length) {
    const end = groupEnd(tokens, at, text);
    const group = extend(tokens, at, end, text);
    if (group.length > 1) found.push(group.map(({ term }) => term));
    at = Math.max(end, at + 1);
  }
  return found;
}

/** End of the run of neighbouring tokens with digits that starts at `from`; `from` itself when there is none. */
function groupEnd(tokens: readonly PlainToken[], from: number, text: string): number {
  let end = from;
  while (hasDigit(tokens[end]) && (end === from || adjacent(tokens[end - 1], tokens[end], text))) end += 1;
  return end;
}

/** The group with the short words that belong to it; empty when it is no identifier. */
function extend(tokens: readonly PlainToken[], from: number, end: number, text: string): readonly PlainToken[] {
  const group = tokens.slice(from, end);
  const mixed = group.some((token) => /\p{L}/u.test(token.folded));
  if (group.length > MAX_TOKENS) return [];
  if (group.length > 1) return mixed || group.length > 2 ? group : [];
  const [token] = group;
  if (token === undefined || !isCode(token.folded)) return [];
  const before = tokens[from - 1];
  const after = mixed ? tokens[end] : undefined; // `room 101 key`: a plain number takes no word after it
  return [
    ...(isShortWord(before) && adjacent(before, token, text) ? [before] : []),
    token,
    ...(isShortWord(after) && adjacent(token, after, text) ? [after] : []),
  ];
}

function isShortWord(token: PlainToken | undefined): token is PlainToken {
  return token !== undefined && !token.stop && /^\p{L}{2,3}$/u.test(token.folded);
}

/** Two digits and a letter, or three digits that are not a year. */
function isCode(word: string): boolean {
  const digits = word.replace(/[^0-9]/g, '').length;
  return digits >= 2 && (digits < word.length || (digits >= 3 && !/^(?:19|20)\d\d$/.test(word)));
}

function hasDigit(token: PlainToken | undefined): boolean {
  return token !== undefined && /\p{N}/u.test(token.folded);
}

function adjacent(a: PlainToken | undefined, b: PlainToken | undefined, text: string): boolean {
  return a !== undefined && b !== undefined && text.slice(a.to, b.from) === ' ';
}
