/**
 * What a caller sends as a fact, as one bullet of a page. Pure. Danger: the fact is somebody's text, which could begin with
 * what makes another block of it (a heading, code, a definition); it is put down so that it stays one line of text.
 */
import { AppError } from '@vault-mcp/shared/errors';
import { scanInline } from '@vault-mcp/shared/vault/note/inline';
import { slugify } from './slug.ts';

export interface Fact {
  /** One line. */
  readonly text: string;
  /** Slugs of pages to link, each once. */
  readonly links: readonly string[];
}

/** Characters of one fact. */
const MAX_FACT = 2000;
const ADDED = /\s*\(added \d{4}-\d{2}-\d{2}\)$/;

/** What would make something else of a line than text, but for numbers of a list, whose escape stands behind the digits. */
const BLOCK_START =
  /^(?:#{1,6}(?:\s|$)|>|[-*+](?:\s|$)|`{3}|~{3}|\[(?!\[)[^\]]{1,1000}\]:|<(?![a-z][a-z\d+.-]{1,30}[:@])[a-z!?/])/i;
const NUMBER_START = /^(\d{1,9})([.)](?:\s|$))/;

/**
 * @param links names of pages; what they come to is what is linked, and those of no letter or digit are dropped
 * @throws AppError `invalid_value` for one that says nothing, or too much to be one fact
 */
export function parseFact(content: string, links: readonly string[]): Fact {
  if (!content.isWellFormed())
    throw new AppError('invalid_value', 'The fact holds half of a character: send it whole.');
  const line = content.replace(/[\s\p{Cc}]+/gu, ' ').trim();
  const text = line
    .replace(/^[-*+](?: |$)/, '')
    .replace(ADDED, '')
    .trim();
  if (text === '') throw new AppError('invalid_value', 'The fact is empty: say one thing in one sentence.');
  if (text.length > MAX_FACT) {
    throw new AppError(
      'invalid_value',
      `The fact has ${text.length} characters, and one may have ${MAX_FACT}: say one thing in a call, and the next in another.`,
    );
  }
  const slugs = [...new Set(links.map(slugify))].filter((slug) => slug !== '' && !text.includes(`[[${slug}]]`));
  return { text: asText(text), links: slugs };
}

/**
 * The text of its bullet, without the dash.
 *
 * @param day on which it is added, `YYYY-MM-DD`
 */
export function bulletText({ text, links }: Fact, day: string): string {
  return [text, ...links.map((slug) => `[[${slug}]]`), `(added ${day})`].join(' ');
}

function asText(sent: string): string {
  // A comment that is left open would hide what is added after it.
  const line = scanInline(sent, 0).openComment === -1 ? sent : sent.replaceAll('%%', '\\%\\%');
  if (BLOCK_START.test(line)) return `\\${line}`;
  return line.replace(NUMBER_START, '$1\\$2');
}
