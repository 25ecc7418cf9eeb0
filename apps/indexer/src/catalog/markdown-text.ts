/**
 * Names, titles and descriptions as they may stand in a line of the index page. Pure. Danger: whoever can name a file or
 * write a title would otherwise write links, tags, comments or lines of the page.
 */

/**
 * What may be read as more than itself, by CommonMark or by Obsidian; and what makes a link of a bare address, by GFM's
 * extended autolinks or, of any scheme, by Obsidian: the colon, the dot behind `www`, the at sign.
 */
const MARKUP =
  /[\\`*[\]<|~$&_#^=%]|(?<=[a-z\d+.-]):(?=\/\/)|(?<=(?<![a-z\d])(?:mailto|xmpp)):(?=\S)|(?<=(?<![a-z\d])www)\.(?=\S)|(?<=[\w+.-])@(?=[\w.-])/gi;
const ENTITY = /^&#?[a-z0-9]{1,32};/i;
const LETTER_OR_DIGIT = /[\p{L}\p{N}]/u;

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

/** A line of plain text as markdown that shows exactly it. */
export function escaped(line: string): string {
  return line.replace(MARKUP, (char, at: number) => (isPlain(char, line, at) ? char : `\\${char}`));
}

/** Where a character says nothing: so that names, which are full of them, stay as they are. */
function isPlain(char: string, line: string, at: number): boolean {
  switch (char) {
    case '_':
      // Inside a word.
      return isWordBefore(line, at) && isWordAfter(line, at);
    case '#':
    case '^':
      // No tag, block id or footnote begins behind a letter: `C#`.
      return isWordBefore(line, at);
    case '=':
    case '%':
      // Highlights and comments have two.
      return line[at - 1] !== char && line[at + 1] !== char;
    case '&':
      return !ENTITY.test(line.slice(at, at + 35));
    default:
      return false;
  }
}

function isWordBefore(line: string, at: number): boolean {
  // A character of two code units ends in one that is no letter by itself.
  const before = at > 1 && /[\udc00-\udfff]/.test(line[at - 1] ?? '') ? line.slice(at - 2, at) : line.slice(at - 1, at);
  return at > 0 && LETTER_OR_DIGIT.test(before);
}

function isWordAfter(line: string, at: number): boolean {
  return LETTER_OR_DIGIT.test(String.fromCodePoint(line.codePointAt(at + 1) ?? 0));
}

/** A segment of a vault path as it stands in a link's destination. */
export function encodedSegment(segment: string): string {
  // Also what `encodeURIComponent` leaves alone and markdown does not.
  return encodeURIComponent(segment).replace(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`);
}
