/**
 * How far the reading of documents has come, in words for the terminal. Names come from the index's own record, which only
 * who may read the data folder sees; a server answers without any. Danger: a file's name is anybody's text.
 */
import { placeOf } from '@vault-mcp/api/operations/pending-text';
import { documentStates, documentsInHand } from '@vault-mcp/api/operations/status';
import { oneLine } from '@vault-mcp/api/rendering/one-line';
import type { IndexReader } from '@vault-mcp/shared/index-db/reader';
import type { DocumentInHand } from '@vault-mcp/shared/index-db/rows';
import { counted } from './output.ts';

export interface DocumentsProgress {
  /** Their text is still to come, those being read included. */
  readonly pending: number;
  readonly needsOcr: number;
  readonly reading: readonly (Pick<DocumentInHand, 'step' | 'page' | 'pages'> & { readonly path?: string })[];
}

/** As the index in this data folder has it. */
export function documentsProgress(reader: IndexReader): DocumentsProgress {
  const { pending, needsOcr } = documentStates({ reader });
  return { pending, needsOcr, reading: documentsInHand({ reader }) };
}

/** `reading Files/scan.pdf, page 3 of 12 (OCR); 4 documents wait`; null when nothing waits. */
export function describeDocuments({ pending, reading }: DocumentsProgress): string | null {
  const waiting = Math.max(pending - reading.length, 0);
  const parts = reading.map((document) => `reading ${nameOf(document)}${placeOf(document)}`);
  if (waiting > 0) parts.push(`${counted(waiting, 'document waits', 'documents wait')} to be read`);
  return parts.length === 0 ? null : parts.join('; ');
}

/** What a bar shows of the document in work: pages gone through, of all there are. Null while none is at a page. */
export function documentBar({ reading }: DocumentsProgress): { label: string; done: number; total: number } | null {
  const document = reading.find(({ page }) => page > 0);
  if (document === undefined) return null;
  const { step, page, pages } = document;
  return { label: `${step === 'ocr' ? 'OCR of' : 'Reading'} ${nameOf(document)} `, done: page - 1, total: pages };
}

function nameOf({ path }: { readonly path?: string }): string {
  return path === undefined ? 'a document' : oneLine(path);
}
