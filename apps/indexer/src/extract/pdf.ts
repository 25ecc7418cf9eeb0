/**
 * Reads a PDF: its text layer where it has one, and what is scanned in it by OCR. Danger: the parser works
 * synchronously and takes what memory the file makes it take, so this runs only in the extraction process. A fault of
 * one page costs that page, never the document.
 */
import { createRequire } from 'node:module';
import { dirname, join, sep } from 'node:path';
import { type LoadParameters, PDFParse } from 'pdf-parse';
import type { PDFDocumentProxy } from 'pdfjs-dist/legacy/build/pdf.mjs';
import {
  type Extractor,
  type ExtractorResult,
  type ExtractorSettings,
  OCR_ENDED,
  SCAN_WITHOUT_OCR,
  withoutText,
} from './extraction.ts';
import { faultOf } from './fault.ts';
import { joinPages } from './page-units.ts';
import { type Recognition, recogniseScans, TEXT_LAYER_CHARACTERS, whyNoOcr } from './recognition.ts';
import { type Reading, readTextLayer } from './text-layer.ts';

/** Notes on single pages named in `detail` before the rest is only counted. */
const NAMED_FAULTS = 5;

/** What to do about a PDF that cannot be read. */
const MEND = 'If a PDF reader still shows it, print it to a new PDF and file that.';

export const extractPdf: Extractor = async (bytes, settings) => {
  const pdf = new PDFParse(loadParameters(bytes));
  try {
    const opened = await openPdf(pdf);
    if (typeof opened === 'string') return withoutText('failed', opened);
    return await readPdf(pdf, opened, settings);
  } finally {
    await pdf.destroy();
  }
};

/** pdfjs needs its own data for CJK fonts, the fourteen standard fonts, and JPEG2000: without it scans come out blank. */
function loadParameters(bytes: Uint8Array): LoadParameters {
  const pdfjs = dirname(createRequire(import.meta.url).resolve('pdfjs-dist/package.json'));
  const folder = (name: string): string => join(pdfjs, name) + sep;
  return {
    data: bytes,
    isEvalSupported: false,
    cMapUrl: folder('cmaps'),
    standardFontDataUrl: folder('standard_fonts'),
    wasmUrl: folder('wasm'),
  };
}

/**
 * pdf-parse gives text without its places. The document behind it, which its types keep to itself, is opened once for
 * text and pictures; the version of pdf-parse is pinned, and the tests of this folder fail when a newer one has none.
 */
type Opening = { load(): Promise<PDFDocumentProxy> };

/** @returns the document, or the reason why it cannot be opened */
async function openPdf(pdf: PDFParse): Promise<PDFDocumentProxy | string> {
  try {
    const document = await (pdf as unknown as Opening).load();
    return document.numPages > 0 ? document : `The PDF has no pages. ${MEND}`;
  } catch (error) {
    if ((error as Error).name === 'PasswordException') {
      return 'The PDF is protected by a password. Save a copy without one and file that.';
    }
    return `The PDF is damaged or not a PDF (${faultOf(error)}). ${MEND}`;
  }
}

async function readPdf(
  pdf: PDFParse,
  document: PDFDocumentProxy,
  settings: ExtractorSettings,
): Promise<ExtractorResult> {
  const pages = document.numPages;
  const layer = await readTextLayer(document, pages, settings);
  if (layer.texts.length === 0)
    return { ...withoutText('failed', whyNoPage(layer), pages), unfinished: layer.unfinished };
  const raw = layer.texts.reduce((sum, { characters }) => sum + characters, 0);
  const hasTextLayer = raw / layer.texts.length >= TEXT_LAYER_CHARACTERS;
  const missing = hasTextLayer ? null : await whyNoOcr(settings);
  if (missing !== null) {
    const faults = [`${SCAN_WITHOUT_OCR}${missing}`, ...layer.faults];
    return result('needs_ocr', { ...layer, faults, asked: 0, unfinished: 'no_ocr' }, { pages, hasTextLayer });
  }
  if (hasTextLayer && layer.texts.some(({ characters }) => characters < TEXT_LAYER_CHARACTERS)) {
    settings.onTextLayer?.(result('extracted', { ...layer, asked: 0 }, { pages, hasTextLayer }));
  }
  const recognised = await recogniseScans({ pdf, document, layer, hasTextLayer }, settings);
  return result(statusOf(recognised, hasTextLayer), recognised, { pages, hasTextLayer });
}

/** A document that none of whose pages could be parsed is damaged, not a scan. */
function whyNoPage({ faults, unfinished }: Reading): string {
  return unfinished === 'time'
    ? 'The time allowed ran out before a page of it was read. Raise vault.doc_max_seconds and restart the indexer.'
    : `None of its pages could be read: ${describeFaults(faults)}. ${MEND}`;
}

function statusOf({ texts, faults, answered, found }: Recognition, hasTextLayer: boolean): ReadStatus {
  if (hasTextLayer) return found > 0 ? 'ocr' : 'extracted';
  if (answered === 0 && faults.length > 0) return 'needs_ocr';
  return texts.some(({ text }) => text !== '') ? 'ocr' : 'no_text';
}

type ReadStatus = 'extracted' | 'ocr' | 'needs_ocr' | 'no_text';

function result(
  status: ReadStatus,
  { texts, faults, asked, unfinished }: Pick<Recognition, 'texts' | 'faults' | 'asked' | 'unfinished'>,
  { pages, hasTextLayer }: { pages: number; hasTextLayer: boolean },
): ExtractorResult {
  const { text, cut } = joinPages(texts);
  const detail = describeFaults(cut ? [...faults, 'the text was cut at the largest size kept'] : faults);
  return {
    ...{ status, text, pages, unfinished, ocr_pages: asked, has_text_layer: hasTextLayer },
    // What cannot be read at all for want of OCR says so by its status.
    detail: unfinished === 'ended' && status !== 'needs_ocr' ? `${OCR_ENDED}${detail}` : detail,
  };
}

function describeFaults(faults: readonly string[]): string {
  const named = faults.slice(0, NAMED_FAULTS).join('; ');
  return faults.length > NAMED_FAULTS ? `${named}; and ${faults.length - NAMED_FAULTS} more` : named;
}
