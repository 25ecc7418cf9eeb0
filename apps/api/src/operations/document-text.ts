/**
 * A document's text as the index holds it, or the state its extraction is in. Danger: extraction runs elsewhere and
 * later, so the stored text may be of bytes that are no longer there; then it is pending, whatever the row says.
 */
import { AppError } from '@vault-mcp/shared/errors';
import type { FileRow, FileStat } from '@vault-mcp/shared/index-db/rows';
import { detailSentence, withoutStrayStops } from '@vault-mcp/shared/vault/document-detail';
import { indexedPaths } from '@vault-mcp/shared/vault/indexed-paths';
import type { Located } from '@vault-mcp/shared/vault/vault';
import type { OperationContext } from '../context.ts';
import { type DocumentWays, REST_WAYS } from './document-ways.ts';
import { etagOf, statKey } from './etag.ts';
import { indexedFile } from './indexed-file.ts';
import { joinedText } from './joined-text.ts';
import { whileRecognised, whyPending } from './pending-text.ts';
import { type ReportedStat, reportedStat } from './reported-stat.ts';

/** `extracted`: from its text layer; `ocr`: read from pictures of its pages; `pending`: the indexer is not there yet. */
export type ExtractionState = 'extracted' | 'ocr' | 'needs_ocr' | 'no_text' | 'failed' | 'pending';

/** What is known of how a document's bytes were read. */
export interface ExtractionFacts {
  readonly extraction: ExtractionState;
  /** What to know or do about it; absent when there is nothing to say. */
  readonly detail?: string;
  /** Null while it is not known, and when the document could not be opened. */
  readonly pages: number | null;
  /** Whether it holds text of its own, and not only pictures of it. Null where `pages` is. */
  readonly has_text_layer: boolean | null;
  /** Characters of text in the index. */
  readonly extracted_chars: number;
}

export interface DocumentFacts extends ExtractionFacts {
  readonly path: string;
  readonly kind: 'document';
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
  const { facts: known, content } = extractedFrom(context, file.path, { sha256: etag, stat: file.stat });
  const facts = { ...known, ...progressOf(context, etag, known) };
  return { path: file.path, kind: 'document', ...facts, stat: reportedStat(file.stat), etag, content };
}

/** What takes the place of the stored detail, where something is being done about it. */
function progressOf(
  context: Pick<OperationContext, 'reader' | 'vault'>,
  sha256: string,
  { extraction, detail }: ExtractionFacts,
): Pick<ExtractionFacts, 'detail'> {
  if (extraction === 'pending') return { detail: whyPending(context, sha256, detail) };
  const progress = extraction === 'needs_ocr' ? whileRecognised(context, sha256) : null;
  return progress === null ? {} : { detail: progress };
}

export interface DocumentVersion {
  readonly sha256: string;
  readonly stat: FileStat;
}

/**
 * What the index knows of a document's text.
 *
 * @param version of the file that is there: of another nothing is told
 */
export function extractedFrom(
  context: Pick<OperationContext, 'reader' | 'config'>,
  path: string,
  version: DocumentVersion,
): { readonly facts: ExtractionFacts; readonly content: string } {
  const row = indexedFile(context.reader, path);
  const state = isExtracted(context, path) ? extractionOf(row, version) : withDetail('failed', LEFT_OUT);
  const isKnown = state.extraction !== 'pending';
  const content = isKnown && row?.state === 'indexed' ? joinedText(context.reader.chunksOf(path)) : '';
  const pages = isKnown ? row?.pages : undefined;
  const found = { pages: pages?.count ?? null, has_text_layer: pages?.hasText ?? null };
  return { facts: { ...state, ...found, extracted_chars: content.length }, content };
}

/**
 * For an answer that is the text and nothing else, where an empty one would say that the document is empty. One in
 * which no text was found is just that.
 *
 * @param ways what else can be asked of it where this is asked
 * @throws AppError not_ready while it is being extracted; document_too_large when it never will be for its size;
 * extraction_failed, with the reason, when there is no text to give
 */
export function requireText(
  { config }: Pick<OperationContext, 'config'>,
  document: Pick<DocumentText, 'path' | 'extraction' | 'detail' | 'content' | 'stat'>,
  ways: DocumentWays = REST_WAYS,
): void {
  const { path, extraction, detail = '', content, stat } = document;
  if (extraction === 'pending') {
    throw new AppError('not_ready', `The text of "${path}" is not there yet. ${detail} ${ways.pending}`);
  }
  const limit = config.vault.doc_max_bytes;
  if (extraction === 'failed' && limit > 0 && stat.size > limit) {
    throw new AppError(
      'document_too_large',
      `"${path}" has ${stat.size} bytes, and the text of documents is extracted up to ${limit}: to have it, raise vault.doc_max_bytes. ${ways.textless}`,
    );
  }
  if (extraction !== 'failed' && !(extraction === 'needs_ocr' && content === '')) return;
  const reason = detailSentence(detail);
  throw new AppError('extraction_failed', `"${path}" has no text to give: ${reason} ${ways.textless}`);
}

/** What to do about a document that holds no text: nothing will come of waiting. */
const NO_TEXT_NEXT = 'Open the document itself, and say in a note what is in it, so that search finds that.';

const DETAILS: Readonly<Record<Exclude<ExtractionState, 'extracted' | 'ocr'>, string>> = {
  // How far it is changes from moment to moment: see pending-text.
  pending: '',
  needs_ocr: 'It has no text layer and was not read by OCR.',
  no_text: `No text was found in it. ${NO_TEXT_NEXT}`,
  failed: 'Its text could not be extracted; the original is kept, and served by GET /vault/<path>?raw.',
};

const LEFT_OUT = 'It is left out of the index (index.exclude_dirs, index.ignore), so its text is not extracted.';

/** Whether the indexer will ever come to it: else it would be pending for good. */
function isExtracted({ config: { index, vault } }: Pick<OperationContext, 'config'>, path: string): boolean {
  return indexedPaths({ docSuffixes: vault.doc_suffixes, excludeDirs: index.exclude_dirs, ignore: index.ignore })(path);
}

/**
 * The row's reason is the extraction's status, followed by `: detail` where there is one; a quarantine's is prose. The
 * reason comes before the state: a scan may have some text and still need OCR.
 */
function extractionOf(
  row: FileRow | undefined,
  version: DocumentVersion,
): { extraction: ExtractionState; detail?: string } {
  if (!row || !isOf(row, version)) return withDetail('pending');
  const [status = '', ...rest] = (row.reason ?? '').split(': ');
  if (status === 'pending' || status === 'needs_ocr' || status === 'no_text') {
    return withDetail(status, rest.join(': '));
  }
  if (row.state === 'indexed') {
    const extraction = status === 'ocr' ? 'ocr' : 'extracted';
    // Only with something to know of it is a text from the text layer named so; and a note on its frontmatter is none.
    const detail = status === 'ocr' || status === 'extracted' ? rest.join(': ') : '';
    return detail === '' ? { extraction } : { extraction, detail };
  }
  // Ended before it was done, and tried again at the indexer's next start.
  if (status === 'interrupted') return withDetail('failed', rest.join(': '));
  return row.state === 'quarantined' ? withDetail('failed', row.reason ?? '') : withDetail('no_text');
}

/** A file that could not be read has no hash: its stat tells, unless it could not even be looked at. */
function isOf(row: FileRow, { sha256, stat }: DocumentVersion): boolean {
  if (row.sha256 !== '') return row.sha256 === sha256;
  return row.stat.inode === 0 || statKey(row.stat) === statKey(stat);
}

function withDetail(extraction: keyof typeof DETAILS, detail = ''): { extraction: ExtractionState; detail: string } {
  if (detail === '') return { extraction, detail: DETAILS[extraction] };
  return {
    extraction,
    detail: extraction === 'no_text' ? `${detailSentence(detail)} ${NO_TEXT_NEXT}` : withoutStrayStops(detail),
  };
}
