/**
 * Reads a PDF: its text layer where it has one, otherwise its pages rendered and recognised. Danger: the parser works
 * synchronously and takes what memory the file makes it take, so this runs only in the extraction process. A fault of
 * one page costs that page, never the document.
 */
import { createRequire } from 'node:module';
import { dirname, join, sep } from 'node:path';
import { type LoadParameters, PDFParse } from 'pdf-parse';
import {
  type Extractor,
  type ExtractorResult,
  type ExtractorSettings,
  MAX_OCR_PAGES,
  MAX_TEXT_PAGES,
  withoutText,
} from './extraction.ts';
import { missingForOcr, recognizeImage } from './ocr.ts';
import { joinPages, type PageText, plainText } from './page-units.ts';
import { renderWidth } from './render-size.ts';

/** A document has a text layer when its pages hold at least this many raw characters on average. */
const TEXT_LAYER_CHARACTERS = 50;

/** Notes on single pages named in `detail` before the rest is only counted. */
const NAMED_FAULTS = 5;

interface Reading {
  readonly texts: PageText[];
  readonly faults: string[];
}

interface Recognition extends Reading {
  /** Pages that OCR was tried on, and those of them it gave an answer for, be it empty. */
  tried: number;
  answered: number;
}

export const extractPdf: Extractor = async (bytes, settings) => {
  const pdf = new PDFParse(loadParameters(bytes));
  try {
    const opened = await openPdf(pdf);
    if (typeof opened === 'string') return withoutText('failed', opened);
    return await readPdf(pdf, opened.pages, settings);
  } finally {
    await pdf.destroy();
  }
};

/** pdfjs needs its own data for CJK fonts, the fourteen standard fonts, and JPEG2000: without it scans come out blank. */
function loadParameters(bytes: Uint8Array): LoadParameters {
  const pdfParse = createRequire(import.meta.url).resolve('pdf-parse');
  const pdfjs = dirname(createRequire(pdfParse).resolve('pdfjs-dist/package.json'));
  const folder = (name: string): string => join(pdfjs, name) + sep;
  return {
    data: bytes,
    isEvalSupported: false,
    cMapUrl: folder('cmaps'),
    standardFontDataUrl: folder('standard_fonts'),
    wasmUrl: folder('wasm'),
  };
}

/** @returns the number of pages, or the reason why it cannot be opened */
async function openPdf(pdf: PDFParse): Promise<{ pages: number } | string> {
  try {
    const { total } = await pdf.getInfo();
    return total > 0 ? { pages: total } : 'The PDF has no pages.';
  } catch (error) {
    const { name, message } = error as Error;
    if (name === 'PasswordException') {
      return 'The PDF is protected by a password. Save a copy without one and file that.';
    }
    return `The PDF is damaged or not a PDF: ${message.split('\n')[0]}`;
  }
}

async function readPdf(pdf: PDFParse, pages: number, settings: ExtractorSettings): Promise<ExtractorResult> {
  const layer = await readTextLayer(pdf, pages, settings);
  const raw = layer.texts.reduce((sum, { text }) => sum + text.length, 0);
  // A document that none of whose pages could be parsed is damaged, not a scan.
  if (layer.texts.length === 0) return withoutText('failed', describeFaults(layer.faults), pages);
  if (raw / layer.texts.length >= TEXT_LAYER_CHARACTERS) return result('extracted', layer, pages);
  const missing = settings.ocr
    ? await missingForOcr(settings.languages)
    : 'This is a scan, and OCR is switched off (vault.doc_ocr).';
  if (missing !== null) return result('needs_ocr', { ...layer, faults: [missing, ...layer.faults] }, pages);
  const recognised = await recognisePages(pdf, layer, pages, settings);
  if (recognised.answered === 0 && recognised.faults.length > 0) return result('needs_ocr', recognised, pages);
  const found = result('ocr', recognised, pages);
  return found.text === '' ? withoutText('no_text', found.detail, pages) : found;
}

async function readTextLayer(pdf: PDFParse, pages: number, settings: ExtractorSettings): Promise<Reading> {
  const reading: Reading = { texts: [], faults: [] };
  const last = Math.min(pages, MAX_TEXT_PAGES);
  for (let page = 1; page <= last; page++) {
    if (Date.now() > settings.deadlineMs) {
      reading.faults.push(`time ran out after page ${page - 1} of ${pages}`);
      return reading;
    }
    settings.onPage(page, pages);
    try {
      const { text } = await pdf.getText({ partial: [page], pageJoiner: '' });
      reading.texts.push({ page, text: plainText(text) });
    } catch (error) {
      reading.faults.push(`page ${page} could not be parsed (${firstLine(error)})`);
    }
  }
  if (last < pages) reading.faults.push(`only the first ${last} of ${pages} pages were read`);
  return reading;
}

/** Pages that have a text layer of their own keep it; the others are rendered and recognised one at a time. */
async function recognisePages(
  pdf: PDFParse,
  layer: Reading,
  pages: number,
  settings: ExtractorSettings,
): Promise<Recognition> {
  const reading: Recognition = { texts: [], faults: [...layer.faults], tried: 0, answered: 0 };
  for (const own of layer.texts) {
    const stop = Date.now() > settings.deadlineMs || reading.tried >= MAX_OCR_PAGES;
    if (stop || own.text.length >= TEXT_LAYER_CHARACTERS) {
      reading.texts.push(own);
      if (stop) reading.faults.push(`page ${own.page} was not recognised (limit of time or pages reached)`);
      continue;
    }
    settings.onPage(own.page, pages);
    reading.tried++;
    try {
      const text = plainText(await recognizeImage(await renderPage(pdf, own.page), settings.languages));
      reading.answered++;
      reading.texts.push({ page: own.page, text: text.length >= own.text.length ? text : own.text });
    } catch (error) {
      reading.texts.push(own);
      reading.faults.push(`page ${own.page} could not be recognised (${firstLine(error)})`);
    }
  }
  return reading;
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

function firstLine(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).split('\n')[0] ?? '';
}
