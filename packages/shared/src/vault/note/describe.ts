/**
 * A note's title and description, for listings, the index page and what is embedded with each chunk. Both are plain
 * text of one line. Danger: a sentence is cut at a word, never inside a character of two code units.
 */

import { scanInline } from './inline.ts';
import { plainText } from './plain-text.ts';

/** SPEC §12. */
const MAX_DESCRIPTION = 240;
/** A first sentence is looked for in this many characters of the line. */
const MAX_LINE = 2000;

const sentences = new Intl.Segmenter(undefined, { granularity: 'sentence' });

/** A frontmatter value usable as one line of text: a string with something in it, or a number. */
export function textValue(value: unknown): string | undefined {
  if (typeof value === 'number' || typeof value === 'bigint') return String(value);
  if (typeof value !== 'string') return undefined;
  const line = value.replace(/\s+/g, ' ').trim();
  return line === '' ? undefined : line;
}

/** First sentence of a paragraph's first line that says something; undefined when none does. */
export function describeParagraph(markdown: string): string | undefined {
  for (const line of markdown.split('\n', 20)) {
    const description = describeLine(line);
    if (description !== undefined) return description;
  }
  return undefined;
}

function describeLine(line: string): string | undefined {
  const written = line.slice(0, MAX_LINE).replace(/\s\^[A-Za-z0-9-]{1,128}\s*$/, '');
  if (holdsOnlyEmbedsOrTags(written)) return undefined;
  const text = plainText(written).replace(/\s+/g, ' ').trim();
  if (!/[\p{L}\p{N}]/u.test(text)) return undefined;
  const [first] = sentences.segment(text);
  return cutAtWord((first?.segment ?? text).trim());
}

/** A picture or a row of tags introduces a note without describing it. */
function holdsOnlyEmbedsOrTags(line: string): boolean {
  const { links, tags } = scanInline(line);
  const ranges = [...links.filter(({ embed }) => embed).map(({ range }) => range), ...tags];
  if (ranges.length === 0) return false;
  let rest = '';
  let from = 0;
  for (const range of ranges.sort((a, b) => a.from - b.from)) {
    if (range.from >= from) rest += line.slice(from, range.from);
    from = Math.max(from, range.to);
  }
  return !/[\p{L}\p{N}]/u.test(rest + line.slice(from));
}

/** A description of one line, as far as there is room for it in a list. */
export function cutAtWord(text: string): string {
  if (text.length <= MAX_DESCRIPTION) return text;
  const room = text.slice(0, MAX_DESCRIPTION - 1);
  const space = room.lastIndexOf(' ');
  const cut = space > MAX_DESCRIPTION / 2 ? room.slice(0, space) : room.replace(/[\ud800-\udbff]$/, '');
  return `${cut.trimEnd()}…`;
}
