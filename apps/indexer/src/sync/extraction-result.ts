/**
 * What the extract lane says of a document, and how that becomes a row. Danger: a document without text stays in the
 * index with its reason, so that "not found" and "could not be read" never look alike.
 */
import { basename, extname } from 'node:path';
import type { StoredFile } from '@vault-mcp/shared/index-db/file-store';
import type { JobPayload } from '@vault-mcp/shared/queue/jobs';
import { OCR_ENDED, PAGES_WITHOUT_OCR, SCAN_WITHOUT_OCR } from '../extract/extraction.ts';
import type { Describer, FileDescription } from './describe-file.ts';

export type ExtractionResult = JobPayload<'store-extraction'>;

/** Begins the reason of a row whose document is a scan that could not be recognised, or not in part. */
const NEEDS_OCR = 'needs_ocr';
/** Begins what is said of a text that OCR has read before and cannot read now. */
const KEPT_TEXT = 'Its text is what OCR read of it before. ';
/** The same, of all of it or of some pages, for want of tesseract or a language: they may come while this program runs. */
export const LACKS_OCR: readonly string[] = [
  `${NEEDS_OCR}: ${SCAN_WITHOUT_OCR}`,
  `extracted: ${PAGES_WITHOUT_OCR}`,
  `ocr: ${KEPT_TEXT}`,
];
/** Begins the reason of a row whose document was being read when the reading was ended: too slow, too large, killed. */
const INTERRUPTED = 'interrupted';

/**
 * How reasons begin that say more about this machine than about the document: tesseract may be installed by now, and
 * the machine less busy. Rows with such a reason get another chance at each start; at each reconcile would be too dear.
 */
export const RETRIED_AT_START: readonly string[] = [
  ...[NEEDS_OCR, INTERRUPTED, ...LACKS_OCR],
  // Of a failure the reason stands alone.
  ...['extracted: ', 'ocr: ', 'no_text: ', ''].map((status) => `${status}${OCR_ENDED}`),
];

/**
 * @param known the row that is there of the same bytes
 * @returns what to say of a text that is there and would go since nothing recognises scans now; null where none would
 */
export function keptText(
  known: Pick<StoredFile, 'state' | 'reason'>,
  { unfinished, detail }: ExtractionResult,
): string | null {
  const wasRead = known.state === 'indexed' && (known.reason === 'ocr' || known.reason?.startsWith('ocr: '));
  return wasRead && unfinished === 'no_ocr' ? `ocr: ${KEPT_TEXT}${detail}` : null;
}

/** Whether the same bytes, read the same way, would give the same again; the time allowed is part of the way. */
export function isLasting(result: ExtractionResult): boolean {
  const { status, interrupted, unfinished } = result;
  return status !== 'needs_ocr' && !interrupted && unfinished !== 'no_ocr' && unfinished !== 'ended';
}

/** Whether it came out before OCR could play a part: a text layer, or bytes that cannot be read at all. */
export function isOcrFree({ status, interrupted, unfinished, ocr_pages }: ExtractionResult): boolean {
  if (interrupted || unfinished) return false;
  return status === 'failed' || (status === 'extracted' && !ocr_pages);
}

/**
 * @param result what was found, or null while the extraction is still to come
 * @param heldUp why it did not come from who was asked last
 */
export function describeExtraction(
  describer: Describer,
  path: string,
  result: ExtractionResult | null,
  heldUp?: string,
): FileDescription {
  const pages = result === null ? {} : pageFacts(result);
  if (result?.text) return { ...describer.document(path, result.text), reason: textReason(result), ...pages };
  return {
    kind: 'document',
    title: basename(path, extname(path)),
    description: '',
    type: null,
    tags: [],
    supersededBy: null,
    state: result?.status === 'failed' ? 'quarantined' : 'no_text',
    reason: result ? withoutTextReason(result) : withDetail('pending', heldUp),
    chunks: [],
    links: [],
    ...pages,
  };
}

/** No pages were found in what could not be opened: how many it has, and whether they hold text, is not known. */
function pageFacts({ pages = 0, has_text_layer }: ExtractionResult): Pick<FileDescription, 'pages'> {
  return pages === 0 ? {} : { pages: { count: pages, hasText: has_text_layer ?? false } };
}

/** What to know of a text: that a machine read it, that it is only the little a scan has, what was left out of it. */
function textReason({ status, detail }: ExtractionResult): string | null {
  return status === 'extracted' && !detail ? null : withDetail(status, detail);
}

function withoutTextReason({ status, detail, interrupted }: ExtractionResult): string {
  if (status === 'failed' && interrupted) return withDetail(INTERRUPTED, detail);
  // A failure's reason stands for itself in quarantine, where every reason is prose.
  if (status === 'failed') return detail || 'Its text could not be extracted.';
  return withDetail(status, detail);
}

function withDetail(status: string, detail: string | undefined): string {
  return detail ? `${status}: ${detail}` : status;
}
