/**
 * Names, titles and descriptions as they may stand in a line of the index page. Pure. Danger: whoever can name a file or
 * write a title would otherwise write links, tags, comments or lines of the page.
 */

/**
 * What would be read as more than itself, by CommonMark or by Obsidian: emphasis, code, links, HTML and entities, table
 * cells, math, tags, block ids and footnotes, highlights, comments. Inside a word `_` says nothing, and names are full of it.
 */
const MARKUP =
  /[\\`*[\]<|~$]|&(?=#?[a-z0-9]{1,32};)|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])|(?<![\p{L}\p{N}])[#^]|=(?==)|(?<==)=|%(?=%)|(?<=%)%/giu;

/** Control characters, line separators, and what makes text run backwards. */
const BLANK = /[\s\p{Cc}\u202a-\u202e\u2066-\u2069]+/gu;

/** On one line, with single spaces. */
export function oneLine(text: string): string {
  return text.toWellFormed().replace(BLANK, ' ').trim();
}

/** A line of plain text as markdown that shows exactly it. */
export function escaped(line: string): string {
  return line.replace(MARKUP, '\\$&');
}

/** A vault path as a link's destination, from the root. */
export function linkTo(path: string): string {
  return path.split('/').map(encodeSegment).join('/');
}

/** Also what `encodeURIComponent` leaves alone and markdown does not. */
function encodeSegment(segment: string): string {
  return encodeURIComponent(segment).replace(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`);
}
