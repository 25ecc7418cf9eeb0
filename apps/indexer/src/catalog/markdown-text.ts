/**
 * Names, titles and descriptions as they may stand in a line of the index page, on one line each. Pure. Danger: whoever can
 * name a file or write a title would otherwise write lines of the page.
 */

/** Control characters, line separators, and what makes text run backwards. */
const BLANK = /[\s\p{Cc}\u202a-\u202e\u2066-\u2069]+/gu;
/** Whether there is anything of it but single spaces: most lines have none. */
const OTHER_BLANK = /[^\S ]|[\p{Cc}\u202a-\u202e\u2066-\u2069]| {2}/u;

/** What is neither white space nor, by Unicode, to be shown as nothing; the braille pattern without a dot is blank as well. */
const VISIBLE = /[^\s\p{Cc}\p{Cf}\p{Z}\p{Default_Ignorable_Code_Point}\u2800]/u;

/** On one line, with single spaces. */
export function oneLine(text: string): string {
  const line = text.toWellFormed();
  return (OTHER_BLANK.test(line) ? line.replace(BLANK, ' ') : line).trim();
}

/** Whether a line shows anything: a link without a text could not be seen nor clicked. */
export function isVisible(line: string): boolean {
  return VISIBLE.test(line);
}

/** A segment of a vault path as it stands in a link's destination. */
export function encodedSegment(segment: string): string {
  // Also what `encodeURIComponent` leaves alone and markdown does not.
  return encodeURIComponent(segment).replace(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`);
}
