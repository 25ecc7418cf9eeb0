/**
 * One page of a document's text, asked for by the name that a search result gives it. Pure. Danger: a page without text
 * has no unit in the text, and must not be mistaken for one that is not there; nor a page that nobody could read for one
 * on which nothing stands.
 */
import { AppError } from '@vault-mcp/shared/errors';
import { detailSentence } from '@vault-mcp/shared/vault/document-detail';
import { pageOfHeading, unitsByPage } from '@vault-mcp/shared/vault/document-pages';
import type { DocumentText } from './document-text.ts';

/** Pages named in a refusal. */
const NAMED = 20;

/**
 * @param section `Page N`, in any case, as its heading in the text and the breadcrumb of a search result have it
 * @returns the page's text with its heading
 * @throws AppError no_such_heading when no text stands on such a page; why, as far as that is known, and the pages that
 * have some are named
 */
export function pageOf(
  { path, content, pages, detail = '' }: Pick<DocumentText, 'path' | 'content' | 'pages' | 'detail'>,
  section: string,
): string {
  const units = unitsByPage(content);
  const wanted = pageOfHeading(section.trim().replace(/^page/i, 'Page'));
  const unit = wanted === null ? undefined : units.get(wanted);
  if (unit !== undefined) return `${unit.trimEnd()}\n`;
  const why = detail === '' ? '' : ` ${detailSentence(detail)}`;
  const named = [...units.keys()];
  if (named.length === 0) {
    throw new AppError('no_such_heading', `"${path}" is a document, and none of its pages has text.${why}`);
  }
  const isThere = wanted !== null && wanted >= 1 && wanted <= (pages ?? 0);
  const about = isThere
    ? `${withoutText(wanted, path, detail)}${why}`
    : `"${path}" is a document: its sections are its pages, as "Page 1".`;
  throw new AppError('no_such_heading', `${about} ${withText(named)}`);
}

/**
 * What a page is that has no text, told by what is known of the document: each of its pages that could not be read is named
 * there, unless they are many.
 */
function withoutText(page: number, path: string, detail: string): string {
  if (detail === '') return `Page ${page} of "${path}" has no text.`;
  const [, left = ''] = /Left out: pages? ([\d, ]+)/.exec(detail) ?? [];
  if (numbersIn(left).has(page)) return `Page ${page} of "${path}" is a scan that was left out.`;
  const others = [...detail.matchAll(/\bpages? (\d+(?:, \d+)*) (?:could not be|was not|were not|too\b)/g)];
  if (others.some(([, numbers = '']) => numbersIn(numbers).has(page))) return `Page ${page} of "${path}" was not read.`;
  return `No text is known of page ${page} of "${path}".`;
}

function numbersIn(list: string): ReadonlySet<number> {
  return new Set((list.match(/\d+/g) ?? []).map(Number));
}

function withText(pages: readonly number[]): string {
  const named = pages.slice(0, NAMED).join(', ');
  return `Pages with text: ${named}${pages.length > NAMED ? ` and ${pages.length - NAMED} more, up to ${pages.at(-1)}` : ''}.`;
}
