/** Documents that search cannot find, and documents that nobody would come by, as findings. Pure. */
import { findingId } from '../finding.ts';
import { type Found, firstFound, foundOf, foundTogether } from './found.ts';

export interface DocumentProblems {
  /** The first of them, with the extraction's own words. */
  readonly withoutText: readonly { readonly path: string; readonly reason: string }[];
  /** How many there are. */
  readonly withoutTextTotal: number;
  readonly unlinked: readonly string[];
}

export function documentFindings({ withoutText, withoutTextTotal, unlinked }: DocumentProblems): Found {
  const textless = firstFound(withoutText, withoutTextTotal, 'warning', ({ path, reason }) => ({
    ...{ id: findingId('document_without_text', path), code: 'document_without_text', severity: 'warning', path },
    message: `No text is known of it, so search does not find it: ${whyOf(reason)}.`,
    fix: 'Have scans read (vault.doc_ocr), file a version with text, or say in a note what is in it.',
  }));
  const alone = foundOf(unlinked, 'warning', (path) => ({
    ...{ id: findingId('unlinked_document', path), code: 'unlinked_document', severity: 'warning', path },
    message: 'No note links to this document.',
    fix: 'Link to it from the note that it belongs to.',
  }));
  return foundTogether(textless, alone);
}

/** What the extraction says, without its own word for it. */
function whyOf(reason: string): string {
  const [status = '', ...detail] = reason.split(': ');
  if (detail.length === 0) return status === 'no_text' ? 'it holds none' : status.replace(/\.$/, '');
  return (/^[a-z_]+$/.test(status) ? detail.join(': ') : reason).replace(/\.$/, '');
}
