/**
 * A document's text as the index holds it, or the state its extraction is in. Danger: extraction runs elsewhere and
 * later, so the stored text may be of bytes that are no longer there; then it is pending, whatever the row says.
 */
import { AppError } from '@vault-mcp/shared/errors';
import type { FileRow } from '@vault-mcp/shared/index-db/rows';
import { indexedPaths } from '@vault-mcp/shared/vault/indexed-paths';
import type { Located } from '@vault-mcp/shared/vault/vault';
import type { OperationContext } from '../context.ts';
import { etagOf } from './etag.ts';
import { indexedFile } from './indexed-file.ts';
import { joinedText } from './joined-text.ts';
import { type ReportedStat, reportedStat } from './reported-stat.ts';

/** `extracted`: from its text layer; `ocr`: read from pictures of its pages; `pending`: the indexer is not there yet. */
export type ExtractionState = 'extracted' | 'ocr' | 'needs_ocr' | 'no_text' | 'failed' | 'pending';

export interface DocumentFacts {
  readonly path: string;
  readonly kind: 'document';
  readonly extraction: ExtractionState;
  /** What to know or do about it; absent when there is nothing to say. */
  readonly detail?: string;
  /** Characters of text in the index. */
  readonly extracted_chars: number;
  readonly stat: ReportedStat;
  readonly etag: string;
}

export interface DocumentText extends DocumentFacts {
  /** The text the index holds: all of it, or with `needs_ocr` the little that a scan has besides its pictures. */
  readonly content: string;
}

type DocumentContext = Pick<OperationContext, 'vault' | 'reader' | 'config'>;

export async function readDocument(context: DocumentContext, file: Located): Promise<DocumentText> {
  const etag = await etagOf(context, file);
  const row = indexedFile(context.reader, file.path);
  const { extraction, detail } = isExtracted(context, file.path)
    ? extractionOf(row, etag)
    : withDetail('failed', LEFT_OUT);
  const hasText = extraction !== 'pending' && row?.state === 'indexed';
  const content = hasText ? joinedText(context.reader.chunksOf(file.path)) : '';
  return {
    path: file.path,
    kind: 'document',
    extraction,
    ...(detail === undefined ? {} : { detail }),
    extracted_chars: content.length,
    stat: reportedStat(file.stat),
    etag,
    content,
  };
}

/**
 * For an answer that is the text and nothing else, where an empty one would say that the document is empty. One in
 * which no text was found is just that.
 *
 * @throws AppError not_ready while it is being extracted; document_too_large when it never will be for its size;
 * extraction_failed, with the reason, when there is no text to give
 */
export function requireText(
  { config }: Pick<OperationContext, 'config'>,
  document: Pick<DocumentText, 'path' | 'extraction' | 'detail' | 'content' | 'stat'>,
): void {
  const { path, extraction, detail = '', content, stat } = document;
  if (extraction === 'pending') {
    throw new AppError(
      'not_ready',
      `The text of "${path}" is still being extracted. Ask again in a moment, or for ?raw, the document itself.`,
    );
  }
  const limit = config.vault.doc_max_bytes;
  if (extraction === 'failed' && limit > 0 && stat.size > limit) {
    throw new AppError(
      'document_too_large',
      `"${path}" has ${stat.size} bytes, and the text of documents is extracted up to ${limit}. Ask for ?raw, the document itself, or raise vault.doc_max_bytes.`,
    );
  }
  if (extraction !== 'failed' && !(extraction === 'needs_ocr' && content === '')) return;
  const reason = detail.replace(/\.?$/, '.');
  throw new AppError('extraction_failed', `"${path}" has no text to give: ${reason} ?raw is the document itself.`);
}

const DETAILS: Readonly<Record<Exclude<ExtractionState, 'extracted' | 'ocr'>, string>> = {
  pending: 'Its text is still being extracted; ask again in a moment.',
  needs_ocr: 'It has no text layer and was not read by OCR.',
  no_text: 'No text was found in it.',
  failed: 'Its text could not be extracted; the original is kept and served by ?raw.',
};

const LEFT_OUT = 'It is left out of the index (index.exclude_dirs, index.ignore), so its text is not extracted.';

/** Whether the indexer will ever come to it: else it would be pending for good. */
function isExtracted({ config: { index, vault } }: DocumentContext, path: string): boolean {
  return indexedPaths({ docSuffixes: vault.doc_suffixes, excludeDirs: index.exclude_dirs, ignore: index.ignore })(path);
}

/**
 * The row's reason is the extraction's status, followed by `: detail` where there is one; a quarantine's is prose. The
 * reason comes before the state: a scan may have some text and still need OCR.
 */
function extractionOf(row: FileRow | undefined, sha256: string): { extraction: ExtractionState; detail?: string } {
  if (!row || (row.sha256 !== '' && row.sha256 !== sha256)) return withDetail('pending');
  const [status = '', ...rest] = (row.reason ?? '').split(': ');
  if (status === 'pending' || status === 'needs_ocr' || status === 'no_text') {
    return withDetail(status, rest.join(': '));
  }
  if (row.state === 'indexed') return { extraction: status === 'ocr' ? 'ocr' : 'extracted' };
  // Ended before it was done, and tried again at the indexer's next start.
  if (status === 'interrupted') return withDetail('failed', rest.join(': '));
  return row.state === 'quarantined' ? withDetail('failed', row.reason ?? '') : withDetail('no_text');
}

function withDetail(extraction: keyof typeof DETAILS, detail = ''): { extraction: ExtractionState; detail: string } {
  return { extraction, detail: detail === '' ? DETAILS[extraction] : detail };
}
