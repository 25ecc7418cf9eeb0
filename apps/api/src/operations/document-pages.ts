/**
 * One page of a document's text, asked for by the name that a search result gives it. Pure. Danger: a page without text
 * has no unit in the text, and must not be mistaken for one that is not there.
 */
import { AppError } from '@vault-mcp/shared/errors';
import { pageOfHeading, unitsByPage } from '@vault-mcp/shared/vault/document-pages';
import type { DocumentText } from './document-text.ts';

/** Pages named in a refusal. */
const NAMED = 20;

/**
 * @param section `Page N`, in any case, as its heading in the text and the breadcrumb of a search result have it
 * @returns the page's text with its heading
 * @throws AppError no_such_heading when no text stands on such a page; the pages that have some are named
 */
export function pageOf(
  { path, content, pages }: Pick<DocumentText, 'path' | 'content' | 'pages'>,
  section: string,
): string {
  const units = unitsByPage(content);
  const wanted = pageOfHeading(section.trim().replace(/^page/i, 'Page'));
  const unit = wanted === null ? undefined : units.get(wanted);
  if (unit !== undefined) return `${unit.trimEnd()}\n`;
  const isBlank = wanted !== null && wanted >= 1 && wanted <= (pages ?? 0);
  throw new AppError(
    'no_such_heading',
    `${isBlank ? `Page ${wanted} of "${path}" has no text.` : `"${path}" is a document: its sections are its pages, as "Page 1".`} ` +
      withText([...units.keys()]),
  );
}

function withText(pages: readonly number[]): string {
  if (pages.length === 0) return 'None of its pages has text: ?map says why.';
  const named = pages.slice(0, NAMED).join(', ');
  return `Pages with text: ${named}${pages.length > NAMED ? ` and ${pages.length - NAMED} more, up to ${pages.at(-1)}` : ''}.`;
}
