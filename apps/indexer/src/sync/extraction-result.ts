/**
 * What the extract lane says of a document, and how that becomes a row. Danger: a document without text stays in the
 * index with its reason, so that "not found" and "could not be read" never look alike.
 */
import { basename, extname } from 'node:path';
import type { JobPayload } from '@vault-mcp/shared/queue/jobs';
import type { Describer, FileDescription } from './describe-file.ts';

export type ExtractionResult = JobPayload<'store-extraction'>;

/** Whether the same bytes would give the same again; a missing OCR program or language may be there tomorrow. */
export function isLasting(result: ExtractionResult): boolean {
  return result.status !== 'needs_ocr';
}

/** @param result what was found, or null while the extraction is still to come */
export function describeExtraction(
  describer: Describer,
  path: string,
  result: ExtractionResult | null,
): FileDescription {
  if (result?.text) {
    return { ...describer.document(path, result.text), reason: result.status === 'ocr' ? 'ocr' : null };
  }
  return {
    kind: 'document',
    title: basename(path, extname(path)),
    description: '',
    type: null,
    tags: [],
    supersededBy: null,
    state: result?.status === 'failed' ? 'quarantined' : 'no_text',
    reason: result ? withoutTextReason(result) : 'pending',
    chunks: [],
    links: [],
  };
}

function withoutTextReason(result: ExtractionResult): string {
  // A failure's reason stands for itself in quarantine, where every reason is prose.
  if (result.status === 'failed') return result.detail || 'Its text could not be extracted.';
  return result.detail ? `${result.status}: ${result.detail}` : result.status;
}
