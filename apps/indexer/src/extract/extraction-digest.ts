/**
 * Names how the text of a document comes about. Pure. Danger: whatever makes other text come out of the same bytes has
 * to be part of it, or text read the old way stays in index and cache for good.
 */
import { createHash } from 'node:crypto';

/** Raise it when other text comes out of the same bytes. */
const EXTRACTOR_VERSION = 4;

export interface ExtractionBehaviour {
  /** `vault.doc_ocr` */
  readonly ocr: boolean;
  /** `vault.doc_ocr_languages`; their order counts, tesseract tries them in it. */
  readonly ocrLanguages: readonly string[];
  /** `vault.doc_max_seconds`, as far as it is set. */
  readonly limits?: { readonly totalSeconds?: number };
}

/** Without OCR its languages change nothing. */
export function extractionDigest({ ocr, ocrLanguages }: ExtractionBehaviour): string {
  return digestOf([EXTRACTOR_VERSION, ocr ? ocrLanguages : null]);
}

/** For what came out before OCR could play a part: other languages are no reason to read that again. */
export function ocrFreeDigest(): string {
  return digestOf([EXTRACTOR_VERSION, 'before OCR']);
}

/** For what the time allowed has cut short: with more of it more would come out. */
export function cutShortDigest(behaviour: ExtractionBehaviour): string {
  return digestOf([extractionDigest(behaviour), 'cut short', behaviour.limits?.totalSeconds ?? null]);
}

function digestOf(behaviour: readonly unknown[]): string {
  return createHash('sha256').update(JSON.stringify(behaviour)).digest('hex').slice(0, 16);
}
