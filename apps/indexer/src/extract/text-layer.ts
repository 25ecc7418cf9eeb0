/**
 * The text layer of a PDF, page by page, laid out. Danger: layout is a guess about somebody else's page: where it fails
 * the page's text comes in the file's order with a note, and where looking for tables would cost more than the text it
 * is left.
 */
import type { PDFDocumentProxy, PDFPageProxy } from 'pdfjs-dist/legacy/build/pdf.mjs';
import { type ExtractorSettings, MAX_TEXT_PAGES } from './extraction.ts';
import { faultOf } from './fault.ts';
import { formValues } from './form-values.ts';
import { pagesAsMarkdown } from './layout/markdown.ts';
import type { Block, IsBold, PageLayout, Row, Rule, Run } from './layout/model.ts';
import { inFileOrder, layOut, mayHoldTable } from './layout/page-layout.ts';
import { showsPicture } from './layout/pictures.ts';
import { rowsOf } from './layout/rows.ts';
import { rulesOf } from './layout/rules.ts';
import { placeText, turnedRule } from './layout/runs.ts';
import type { PageText } from './page-units.ts';

/** After so many pages that are a picture with text behind it and show no line, no page's lines are looked at. */
const PICTURES_IN_VAIN = 3;
/** A line of text as a heading may have it, for which a font's name is worth asking for. */
const SHORT_LINE = 100;

export interface Reading {
  readonly texts: PageText[];
  readonly faults: string[];
  /** `time` where pages were left out because it ran out. */
  readonly unfinished: 'time' | null;
}

/** What is found out about the document on the way. */
interface Known {
  /** Whether a font is bold, by the parser's name for it. */
  readonly bold: Map<string, boolean>;
  picturesInVain: number;
}

/** Pages up to the time allowed or the limit on pages; what is missing stands in `faults`. */
export async function readTextLayer(
  document: PDFDocumentProxy,
  pages: number,
  settings: ExtractorSettings,
): Promise<Reading> {
  const layouts: PageLayout[] = [];
  const faults: string[] = [];
  const known: Known = { bold: new Map(), picturesInVain: 0 };
  const last = Math.min(pages, MAX_TEXT_PAGES);
  let unfinished: Reading['unfinished'] = null;
  for (let page = 1; page <= last; page++) {
    if (Date.now() > settings.deadlineMs) {
      faults.push(`time ran out after page ${page - 1} of ${pages}`);
      unfinished = 'time';
      break;
    }
    settings.onPage(page, pages, 'text');
    let proxy: PDFPageProxy | undefined;
    try {
      proxy = await document.getPage(page);
      layouts.push(await readPage(proxy, known, faults));
    } catch (error) {
      faults.push(`page ${page} could not be parsed (${faultOf(error)})`);
    } finally {
      proxy?.cleanup();
    }
  }
  if (last < pages) faults.push(`only the first ${last} of ${pages} pages were read`);
  return { texts: pagesAsMarkdown(layouts, isBoldIn(known)), faults, unfinished };
}

async function readPage(page: PDFPageProxy, known: Known, faults: string[]): Promise<PageLayout> {
  const viewport = page.getViewport({ scale: 1 });
  const { runs: written, direction, others } = placeText(await page.getTextContent(), viewport);
  let runs: readonly Run[] = written;
  let blocks: Block[];
  try {
    runs = [...written, ...(await formValues(page, viewport, written, direction))];
    const rows = rowsOf(runs);
    const rules = await linesOf(page, rows, known);
    blocks = layOut(
      rows,
      runs,
      rules.map((rule) => turnedRule(rule, direction)),
      isBoldIn(known),
    );
  } catch (error) {
    blocks = inFileOrder(runs);
    faults.push(`page ${page.pageNumber} could not be laid out (${faultOf(error)})`);
  }
  const characters = [...runs, ...others].reduce((sum, { text }) => sum + text.length, 0);
  return { page: page.pageNumber, blocks: [...blocks, ...inFileOrder(others)], characters };
}

/** The lines a table may be ruled with, and on the way the names of the page's fonts; none where neither is needed. */
async function linesOf(page: PDFPageProxy, rows: readonly Row[], known: Known): Promise<Rule[]> {
  const fonts = fontsToName(rows, known);
  const wanted = mayHoldTable(rows);
  if ((!wanted && fonts.length === 0) || known.picturesInVain >= PICTURES_IN_VAIN) return [];
  const operators = await page.getOperatorList();
  for (const font of fonts) known.bold.set(font, isBold(page, font));
  const rules = rulesOf(operators, page.getViewport({ scale: 1 })) ?? [];
  if (rules.length > 0) known.picturesInVain = 0;
  else if (showsPicture(operators)) known.picturesInVain++;
  return wanted ? rules : [];
}

/** Fonts, other than the page's first by number of characters, that whole short lines are set in. */
function fontsToName(rows: readonly Row[], known: Known): string[] {
  const characters = new Map<string, number>();
  const alone = new Set<string>();
  for (const { segments } of rows) {
    for (const { runs } of segments) {
      for (const { font, text } of runs) characters.set(font, (characters.get(font) ?? 0) + text.length);
      const font = runs[0]?.font;
      const length = runs.reduce((sum, { text }) => sum + text.length, 0);
      if (font !== undefined && length <= SHORT_LINE && runs.every((run) => run.font === font)) alone.add(font);
    }
  }
  const [body] = [...characters].sort((a, b) => b[1] - a[1])[0] ?? [];
  return [...alone].filter((font) => font !== body && !known.bold.has(font));
}

function isBoldIn({ bold }: Known): IsBold {
  return (font) => bold.get(font) === true;
}

function isBold(page: PDFPageProxy, font: string): boolean {
  if (!page.commonObjs.has(font)) return false;
  const { bold, black, name } = page.commonObjs.get(font) as { bold?: boolean; black?: boolean; name?: string };
  return bold === true || black === true || /bold|black|heavy|semib/i.test(name ?? '');
}
