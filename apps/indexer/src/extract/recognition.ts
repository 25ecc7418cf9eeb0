/**
 * Recognises those pages of a PDF that are scans: rendered and given to tesseract one at a time. Danger: each costs seconds
 * and may fail in ways of its own, so a fault costs its page, and what was not read is said and marked, never dropped.
 */

import type { Unfinished } from '@vault-mcp/shared/vault/document-pages';
import type { PDFParse } from 'pdf-parse';
import type { PDFDocumentProxy } from 'pdfjs-dist/legacy/build/pdf.mjs';
import { type ExtractorSettings, MAX_OCR_PAGES, PAGES_WITHOUT_OCR } from './extraction.ts';
import { faultOf } from './fault.ts';
import { joinHyphens } from './layout/hyphens.ts';
import { isPictured } from './layout/pictures.ts';
import { OcrError, recognizeImage } from './ocr.ts';
import { missingForOcr } from './ocr-check.ts';
import { type PageText, plainText } from './page-units.ts';
import { renderWidth } from './render-size.ts';
import type { Reading } from './text-layer.ts';

/** A page, and on average a document, with fewer raw characters has no text layer to speak of. */
export const TEXT_LAYER_CHARACTERS = 50;

/** Pages that tesseract failed on before it has read any: then it is broken, and each further one may take a minute. */
const FAILED_IN_VAIN = 3;

/** Pages named before the rest is only counted. */
const NAMED_PAGES = 10;

export interface ScannedDocument {
  readonly pdf: PDFParse;
  readonly document: PDFDocumentProxy;
  readonly layer: Reading;
  /** Then only pages that pictures cover are scans; without, every page that has no text of its own is. */
  readonly hasTextLayer: boolean;
}

export interface Recognition {
  /** Of every page, recognised or as it was. */
  readonly texts: PageText[];
  readonly faults: string[];
  /** Pages that OCR was asked for; those it gave an answer for, be it empty; those whose text is now OCR's. */
  asked: number;
  answered: number;
  found: number;
  unfinished: Unfinished | null;
}

interface State extends Recognition {
  /** Pages that tesseract failed on. */
  failed: number;
  /** What OCR lacks here; undefined until a page needs to know. */
  missing: string | null | undefined;
  /** Pages left out because of it. */
  readonly left: number[];
  isStopped: boolean;
}

/** Why no further page is begun. */
interface Stop {
  readonly why: string;
  readonly unfinished: Unfinished | null;
}

/** Pages that have a text layer of their own keep it. Never throws for a page's fault. */
export async function recogniseScans(source: ScannedDocument, settings: ExtractorSettings): Promise<Recognition> {
  const { faults, unfinished, texts } = source.layer;
  const state: State = {
    ...{ texts: [], faults: [...faults], unfinished, missing: undefined, left: [], isStopped: false },
    ...{ asked: 0, answered: 0, found: 0, failed: 0 },
  };
  for (const own of texts) {
    const isRead = own.characters >= TEXT_LAYER_CHARACTERS;
    state.texts.push(isRead ? own : await recognisePage(own, source, settings, state));
  }
  if (isBroken(state)) state.unfinished = 'ended';
  if (state.left.length > 0) {
    state.faults.unshift(`${PAGES_WITHOUT_OCR}${state.missing} Left out: ${nameOf(state.left)}.`);
    state.unfinished = 'no_ocr';
  }
  return state;
}

async function recognisePage(
  own: PageText,
  { pdf, document, hasTextLayer }: ScannedDocument,
  settings: ExtractorSettings,
  state: State,
): Promise<PageText> {
  const stop = whyStop(state, settings);
  if (stop !== null) return leftOut(own, stop, hasTextLayer, state);
  settings.onPage(own.page, document.numPages, 'ocr');
  try {
    if (hasTextLayer && !(await isScan(document, own.page))) return own;
    if (state.missing === undefined) state.missing = hasTextLayer ? await whyNoOcr(settings) : null;
    if (state.missing !== null) {
      state.left.push(own.page);
      return own;
    }
    state.asked++;
    const text = await textOf(await renderPage(pdf, own.page), settings);
    state.answered++;
    const both = hasTextLayer ? addedTo(own, text) : text.length >= own.characters ? text : '';
    if (both === '') return own;
    state.found++;
    return { ...own, text: both };
  } catch (error) {
    if (error instanceof OcrError && error.failure !== 'time') state.failed++;
    const unfinished = error instanceof OcrError && error.failure !== 'failed' ? error.failure : null;
    return notRead(own, `page ${own.page} could not be recognised (${faultOf(error)})`, unfinished, state);
  }
}

/**
 * What stands in the text layer is right to the letter, and a picture behind a title says the title once more.
 *
 * @returns empty where the picture adds nothing to speak of
 */
function addedTo(own: PageText, recognised: string): string {
  if (own.text === '') return recognised;
  return recognised.length < own.characters + TEXT_LAYER_CHARACTERS ? '' : `${own.text}\n\n${recognised}`;
}

/** In a document of text it is not known which of the pages left are scans: said once, not of each. */
function leftOut(own: PageText, { why, unfinished }: Stop, hasTextLayer: boolean, state: State): PageText {
  if (!hasTextLayer) return notRead(own, `page ${own.page} was not recognised (${why})`, unfinished, state);
  if (state.isStopped) return own;
  state.isStopped = true;
  return notRead(own, `pages from ${own.page} on that may be scans were not looked at (${why})`, unfinished, state);
}

function notRead(own: PageText, fault: string, unfinished: Unfinished | null, state: State): PageText {
  state.faults.push(fault);
  // What another start may cure is tried again then, with whatever time is allowed by then.
  if (unfinished !== null && state.unfinished !== 'ended') state.unfinished = unfinished;
  return own;
}

function whyStop(state: State, { deadlineMs }: ExtractorSettings): Stop | null {
  if (Date.now() > deadlineMs) return { why: 'limit of time reached', unfinished: 'time' };
  if (state.asked >= MAX_OCR_PAGES) return { why: `only ${MAX_OCR_PAGES} pages are recognised`, unfinished: null };
  return isBroken(state) ? { why: 'tesseract had failed on all before', unfinished: 'ended' } : null;
}

/** One page that it cannot read is that page's fault. */
function isBroken({ answered, failed }: State): boolean {
  return answered === 0 && failed >= FAILED_IN_VAIN;
}

/** @returns what has to be done before a scan can be read here, after a word on what it is; null when nothing has */
export async function whyNoOcr({ ocr, languages }: ExtractorSettings): Promise<string | null> {
  if (!ocr) return 'OCR is off. Set vault.doc_ocr (DOC_OCR) to true and restart to have it read.';
  const missing = await missingForOcr(languages);
  return missing === null ? null : `${missing} It is read after the next reconcile or restart of the indexer.`;
}

async function isScan(document: PDFDocumentProxy, page: number): Promise<boolean> {
  const proxy = await document.getPage(page);
  try {
    return isPictured(await proxy.getOperatorList(), proxy.getViewport({ scale: 1 }));
  } finally {
    proxy.cleanup();
  }
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

async function textOf(image: Uint8Array, { languages, pageDeadlineMs }: ExtractorSettings): Promise<string> {
  const recognised = await recognizeImage(image, languages, (pageDeadlineMs - Date.now()) / 1_000);
  const lines = recognised.split('\n').map((line) => line.trim());
  return plainText(joinHyphens(lines).join('\n'));
}

function nameOf(pages: readonly number[]): string {
  const named = pages.slice(0, NAMED_PAGES).join(', ');
  const more = pages.length > NAMED_PAGES ? ` and ${pages.length - NAMED_PAGES} more` : '';
  return `${pages.length === 1 ? 'page' : 'pages'} ${named}${more}`;
}
