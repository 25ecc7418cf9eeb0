/**
 * English words that a hyphen belongs to although they are written in lower case on both sides of it. Danger: the same
 * letters may be the half of a solid word (`ex-` `ample`, `self-` `ish`), so only first parts stand here that hardly begin
 * any other word, each with how those go on; what English writes either way (`co-`, `re-`, `pre-`) is left to the document.
 */

/** How a solid word goes on after a first part that else keeps its hyphen. */
const SOLID_AFTER: Readonly<Record<string, RegExp>> = {
  self: /^(?:ish|less|same|hood)/,
  well: /^(?:ness|head|hole|spring|ington|come|ing|ed$)/,
  non: /^(?:sens|chalan|descript|pareil|plus|etheless|entit|ne|no)/,
  half: /^(?:way|wit|penn|tone|back)/,
  cross: /^(?:ing|ed$|es$|er$|word|road|bow|fire|over|bar|beam|walk|wind|wise)/,
  quasi: /^mod/,
};
/** Numbers go on in a solid word as these do: `seventeen`, `twofold`. */
const NUMBER = /^(?:two|three|four|five|six|seven|eight|nine|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety)$/;
const SOLID_AFTER_NUMBER = /^(?:t(?:y|een|ies|iet)|fold|some|scor|penc|square)/;

/** What stands behind a hyphen, and by itself, but at the end of hardly any solid word. */
const SECOND_PARTS = new Set([
  'based',
  'related',
  'oriented',
  'owned',
  'driven',
  'minded',
  'funded',
  'specific',
  'up',
  'off',
]);
/** Not behind these, though, which make a solid word of them, and not behind anything shorter than three letters. */
const SOLID_BEFORE = /^(?:cor|inter|mis|out|over|pre|sub|under)$/;

/** Pairs that are written so wherever they stand. */
const PAIRS = new Set([
  'long-term',
  'short-term',
  'medium-term',
  'long-range',
  'long-standing',
  'full-time',
  'part-time',
  'real-time',
  'first-time',
  'full-scale',
  'large-scale',
  'small-scale',
  'high-speed',
  'high-quality',
  'low-cost',
  'third-party',
  'so-called',
  'follow-up',
  'check-in',
  'ex-wife',
  'ex-husband',
  'ex-partner',
  'ex-president',
  'ex-works',
  'ex-factory',
  'ex-gratia',
]);

/** Words within a chain, behind which it goes on: `state-of-the-` `art`. */
const LINKS = new Set(['a', 'and', 'by', 'for', 'in', 'of', 'on', 'or', 'the', 'to', 'up', 'year', 'de', 'la', 'du']);

/** @param first @param rest what stands on either side of the hyphen, in lower case, without a hyphen inside */
export function isEnglishCompound(first: string, rest: string): boolean {
  if (PAIRS.has(`${first}-${rest}`)) return true;
  if (NUMBER.test(first)) return !SOLID_AFTER_NUMBER.test(rest);
  const solid = Object.hasOwn(SOLID_AFTER, first) ? SOLID_AFTER[first] : undefined;
  if (solid !== undefined) return !solid.test(rest);
  return SECOND_PARTS.has(rest) && first.length > 2 && !SOLID_BEFORE.test(first);
}

export function linksChain(word: string): boolean {
  return LINKS.has(word);
}
