/**
 * Turns the text of pages into the markdown that is indexed: one `## Page N` unit per page that has text. Danger: the
 * text is somebody else's, and a stray fence or comment mark in it would hide every later page from a markdown
 * parser, so what would read as block structure is escaped.
 */
import { pageUnit } from '@vault-mcp/shared/vault/document-pages';
import { MAX_TEXT_CHARACTERS } from './extraction.ts';

export interface PageText {
  /** 1-based. */
  readonly page: number;
  readonly text: string;
  /** Characters of the page's text layer, without what layout put around them. */
  readonly characters: number;
}

// Controls other than tab and line feed (NUL first of all), and surrogates without their partner.
// biome-ignore lint/suspicious/noControlCharactersInRegex: removing control characters is the point
const UNWANTED = /[\u0000-\u0008\u000b-\u001f\u007f\ufffe\uffff]|\p{Surrogate}/gu;

// Line starts that CommonMark takes for a heading, a fence, an HTML block, a setext underline or a rule.
const STRUCTURE = /^(?=#{1,6}(?:[ \t]|$)|`{3}|~{3}|<(?!!--)|=+[ \t]*$|-+[ \t]*$)/;

// Comment marks count anywhere in a line.
const COMMENT_MARK = /%%|<!--/g;

/**
 * @returns the text with lines trimmed, blank runs reduced to one, unwanted characters gone and block structure
 * escaped; empty when there is nothing in it
 */
export function plainText(raw: string): string {
  const lines = raw
    .replace(/\r\n?|[\u2028\u2029\f\v]/g, '\n')
    .replace(UNWANTED, '')
    .split('\n');
  return lines
    .map((line) => line.trim().replace(STRUCTURE, '\\').replace(COMMENT_MARK, escapeMark))
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}

/** @returns the units in page order, and whether the limit on characters left any of them out or short */
export function joinPages(
  pages: readonly Pick<PageText, 'page' | 'text'>[],
  maxCharacters = MAX_TEXT_CHARACTERS,
): { text: string; cut: boolean } {
  const units: string[] = [];
  let length = 0;
  for (const { page, text } of pages) {
    if (text === '') continue;
    const unit = pageUnit(page, text);
    const room = maxCharacters - length;
    if (unit.length > room) {
      units.push(wholeCharacters(unit.slice(0, Math.max(0, room))));
      return { text: units.join('\n'), cut: true };
    }
    units.push(unit);
    length += unit.length + 1;
  }
  return { text: units.join('\n'), cut: false };
}

function escapeMark(mark: string): string {
  return mark === '%%' ? '\\%\\%' : '\\<!--';
}

/** A cut may have split a surrogate pair. */
function wholeCharacters(text: string): string {
  return text.replace(/[\ud800-\udbff]$/, '');
}
