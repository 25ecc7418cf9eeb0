/**
 * Plain text as markdown that shows exactly it, to readers of CommonMark, of GFM and of Obsidian. Pure. Danger: names,
 * titles and messages are somebody's text, who would otherwise write links, tags, comments or blocks where they are put.
 */

/**
 * What may be read as more than itself, by CommonMark or by Obsidian; and what makes a link of a bare address, by GFM's
 * extended autolinks or, of any scheme, by Obsidian: the colon, the dot behind `www`, the at sign.
 */
const MARKUP =
  /[\\`*[\]<|~$&_#^=%]|(?<=[a-z\d+.-]):(?=\/\/)|(?<=(?<![a-z\d])(?:mailto|xmpp)):(?=\S)|(?<=(?<![a-z\d])www)\.(?=\S)|(?<=[\w+.-])@(?=[\w.-])/gi;
const ENTITY = /^&#?[a-z0-9]{1,32};/i;
const LETTER_OR_DIGIT = /[\p{L}\p{N}]/u;

/**
 * What begins a block where a line begins with it: a list, a quote, a line, an underlined heading. What begins others is
 * escaped wherever it stands.
 */
const BLOCK_START = /^(?:[-+>]|\d{1,9}(?=[.)](?:\s|$)))/;

/** One line, for the middle of a line: what stands before it is text already. */
export function escaped(line: string): string {
  return line.replace(MARKUP, (char, at: number) => (isPlain(char, line, at) ? char : `\\${char}`));
}

/** One line, for where a block may begin: alone in a paragraph, or first in an item of a list. */
export function escapedBlock(line: string): string {
  const [start] = BLOCK_START.exec(line) ?? [];
  if (start === undefined) return escaped(line);
  const rest = line.slice(start.length);
  // Of a number, what makes it a list's stands behind it.
  return /\d/.test(start) ? `${start}\\${rest.slice(0, 1)}${escaped(rest.slice(1))}` : `\\${start}${escaped(rest)}`;
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
