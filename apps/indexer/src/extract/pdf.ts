/**
 * Reads a PDF: its text layer where it has one, otherwise its pages rendered and recognised. Danger: the parser works
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
  MAX_OCR_PAGES,
  SCAN_WITHOUT_OCR,
  withoutText,
} from './extraction.ts';
import { faultOf } from './fault.ts';
import { joinHyphens } from './layout/hyphens.ts';
import { OcrError, recognizeImage } from './ocr.ts';
import { missingForOcr } from './ocr-check.ts';
import { joinPages, plainText } from './page-units.ts';
import { renderWidth } from './render-size.ts';
import { type Reading, readTextLayer } from './text-layer.ts';

/** A document has a text layer when its pages hold at least this many raw characters on average. */
const TEXT_LAYER_CHARACTERS = 50;

/** Pages that tesseract failed on before it has read any: then it is broken, and each further one may take a minute. */
const FAILED_IN_VAIN = 3;

/** Notes on single pages named in `detail` before the rest is only counted. */
const NAMED_FAULTS = 5;

/** What to do about a PDF that cannot be read. */
const MEND = 'If a PDF reader still shows it, print it to a new PDF and file that.';

interface Recognition extends Reading {
  /** Pages that OCR was tried on, and those of them it gave an answer for, be it empty. */
  tried: number;
  answered: number;
  /** Pages that tesseract failed on. */
  failed: number;
}

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
  const raw = layer.texts.reduce((sum, { characters }) => sum + characters, 0);
  // A document that none of whose pages could be parsed is damaged, not a scan.
  if (layer.texts.length === 0) {
    return withoutText('failed', `None of its pages could be read: ${describeFaults(layer.faults)}. ${MEND}`, pages);
  }
  if (raw / layer.texts.length >= TEXT_LAYER_CHARACTERS) return result('extracted', layer, pages);
  const missing = await whyNoOcr(settings);
  if (missing !== null) return result('needs_ocr', { ...layer, faults: [missing, ...layer.faults] }, pages);
  const recognised = await recognisePages(pdf, layer, pages, settings);
  if (recognised.answered === 0 && recognised.faults.length > 0) return result('needs_ocr', recognised, pages);
  const found = result('ocr', recognised, pages);
  return found.text === '' ? withoutText('no_text', found.detail, pages) : found;
}

/** What has to be done before a scan can be read here; null when nothing has. */
async function whyNoOcr({ ocr, languages }: ExtractorSettings): Promise<string | null> {
  if (!ocr) return `${SCAN_WITHOUT_OCR}OCR is off. Set vault.doc_ocr (DOC_OCR) to true and restart to have it read.`;
  const missing = await missingForOcr(languages);
  if (missing === null) return null;
  return `${SCAN_WITHOUT_OCR}${missing} It is read after the next reconcile or restart of the indexer.`;
}

/** Pages that have a text layer of their own keep it; the others are rendered and recognised one at a time. */
async function recognisePages(
  pdf: PDFParse,
  layer: Reading,
  pages: number,
  settings: ExtractorSettings,
): Promise<Recognition> {
  const reading: Recognition = { texts: [], faults: [...layer.faults], tried: 0, answered: 0, failed: 0 };
  for (const own of layer.texts) {
    const stop = whyStop(reading, settings);
    if (stop !== null || own.characters >= TEXT_LAYER_CHARACTERS) {
      reading.texts.push(own);
      if (stop !== null) reading.faults.push(`page ${own.page} was not recognised (${stop})`);
      continue;
    }
    settings.onPage(own.page, pages, 'ocr');
    reading.tried++;
    try {
      const lines = (await recognizeImage(await renderPage(pdf, own.page), settings.languages)).split('\n');
      const text = plainText(joinHyphens(lines.map((line) => line.trim())).join('\n'));
      reading.answered++;
      reading.texts.push(text.length >= own.characters ? { ...own, text } : own);
    } catch (error) {
      reading.texts.push(own);
      reading.faults.push(`page ${own.page} could not be recognised (${faultOf(error)})`);
      if (error instanceof OcrError) reading.failed++;
    }
  }
  return reading;
}

/** Why no further page is begun, as the reason of those left out; null while there is none. */
function whyStop({ tried, answered, failed }: Recognition, { deadlineMs }: ExtractorSettings): string | null {
  if (Date.now() > deadlineMs || tried >= MAX_OCR_PAGES) return 'limit of time or pages reached';
  return answered === 0 && failed >= FAILED_IN_VAIN ? 'tesseract had failed on all before' : null;
}

async function renderPage(pdf: PDFParse, page: number): Promise<Uint8Array> {
  const info = await pdf.getInfo({ partial: [page], parsePageInfo: true });
  const size = info.pages[0];
  const desiredWidth = size ? renderWidth(size.width, size.height) : null;
  if (desiredWidth === null) throw new Error('the page has no usable size');
  const rendered = await pdf.getScreenshot({ partial: [page], desiredWidth, imageDataUrl: false });
  const image = rendered.pages[0]?.data;
  if (!image) throw new Error('the page did not render');
  return image;
}

function result(status: 'extracted' | 'ocr' | 'needs_ocr', reading: Reading, pages: number): ExtractorResult {
  const { text, cut } = joinPages(reading.texts);
  const faults = cut ? [...reading.faults, 'the text was cut at the largest size kept'] : reading.faults;
  return { status, text, pages, has_text_layer: status === 'extracted', detail: describeFaults(faults) };
}

function describeFaults(faults: readonly string[]): string {
  const named = faults.slice(0, NAMED_FAULTS).join('; ');
  return faults.length > NAMED_FAULTS ? `${named}; and ${faults.length - NAMED_FAULTS} more` : named;
}
