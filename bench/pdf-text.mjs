/**
 * What text comes out of PDFs: of each sample that the tests make, before (the parser's text in the file's order, page by
 * page; scans by tesseract as the sheet lies) and after (what is indexed), held against what a reader of the page would
 * say. Every sample runs in this process, so the seconds hold no start of a program; and samples are small, so they are
 * for comparison only.
 *
 *   npm run bench:pdf              prints the table
 *   npm run bench:pdf -- --write   and puts it into bench/RESULTS.md
 */
import { execFileSync } from 'node:child_process';
import { parseArgs } from 'node:util';
import { PDFParse } from 'pdf-parse';
import { runnerImport } from 'vite';
import { joinPages, plainText } from '../apps/indexer/dist/extract/page-units.js';
import { extractPdf } from '../apps/indexer/dist/extract/pdf.js';
import { measuredBy, writeSection } from './report.mjs';

const COMMAND = 'npm run bench:pdf';
/** Where a document counts as a scan: characters a page. */
const TEXT_LAYER = 50;

const { values: options } = parseArgs({ options: { write: { type: 'boolean', default: false } } });
const {
  module: { PDF_SAMPLES },
} = await runnerImport('./test/fixtures/pdf-samples.ts');
const {
  module: { findingsIn },
} = await runnerImport('./test/support/sample-findings.ts');

const rows = [];
for (const sample of PDF_SAMPLES) {
  const bytes = await sample.make();
  rows.push({ sample, before: await timed(sample, bytes, before), after: await timed(sample, bytes, after) });
}
const table = render(rows);
process.stdout.write(table);
if (options.write) writeSection(COMMAND, table);
// The parser keeps handles open.
process.exit(0);

async function timed(sample, bytes, read) {
  const start = performance.now();
  const { status, text } = await read(new Uint8Array(bytes));
  return { status, seconds: (performance.now() - start) / 1_000, ...findingsIn(sample, text) };
}

async function after(data) {
  return await extractPdf(data, {
    ocr: true,
    languages: 'eng',
    deadlineMs: Number.POSITIVE_INFINITY,
    pageDeadlineMs: Number.POSITIVE_INFINITY,
    onPage: () => undefined,
  });
}

async function before(data) {
  const pdf = new PDFParse({ data, isEvalSupported: false, wasmUrl: 'node_modules/pdfjs-dist/wasm/' });
  try {
    const { pages } = await pdf.getText({ pageJoiner: '' });
    const raw = pages.reduce((sum, { text }) => sum + plainText(text).length, 0);
    if (pages.length === 0) return { status: 'failed', text: '' };
    const isScan = raw / pages.length < TEXT_LAYER;
    const texts = isScan ? await recognised(pdf) : pages.map(({ text }) => text);
    const units = texts.map((text, at) => ({ page: at + 1, text: plainText(text) }));
    return { status: isScan ? 'ocr' : 'extracted', text: joinPages(units).text };
  } catch {
    return { status: 'failed', text: '' };
  } finally {
    await pdf.destroy();
  }
}

async function recognised(pdf) {
  const { pages } = await pdf.getScreenshot({ desiredWidth: 2_480, imageDataUrl: false });
  return pages.map(({ data }) =>
    execFileSync('tesseract', ['-', '-', '-l', 'eng', '--psm', '3'], {
      input: Buffer.from(data),
      encoding: 'utf8',
      env: { ...process.env, OMP_THREAD_LIMIT: '1' },
      stdio: ['pipe', 'pipe', 'ignore'],
    }),
  );
}

function render(measured) {
  const lines = measured.map(({ sample, before: old, after: now }) => {
    const expected = { whole: sample.sentences.length, headings: sample.headings?.length, rows: sample.rows?.length };
    const shares = ['whole', 'headings', 'rows'].map((what) => change(old[what], now[what], expected[what]));
    const order = expected.whole > 1 ? `${yes(inOrder(old))} → ${yes(inOrder(now))}` : '';
    const seconds = `${old.seconds.toFixed(2)} → ${now.seconds.toFixed(2)}`;
    return `| ${[sample.name, now.status, shares[0], order, shares[1], shares[2], seconds].join(' | ')} |`;
  });
  return [
    `${measuredBy(COMMAND)}.`,
    '',
    '| sample | comes out | sentences whole | in order | headings | table rows | seconds |',
    '| --- | --- | --- | --- | --- | --- | --- |',
    ...lines,
    total(measured),
    '',
  ].join('\n');
}

function total(measured) {
  const expected = (what) => measured.reduce((sum, { sample }) => sum + (sample[what]?.length ?? 0), 0);
  const found = (side, what) => measured.reduce((sum, row) => sum + row[side][what], 0);
  const orders = measured.filter(({ sample }) => sample.sentences.length > 1);
  const ordered = (side) => orders.filter((row) => inOrder(row[side])).length;
  const shares = [
    change(found('before', 'whole'), found('after', 'whole'), expected('sentences')),
    change(ordered('before'), ordered('after'), orders.length),
    change(found('before', 'headings'), found('after', 'headings'), expected('headings')),
    change(found('before', 'rows'), found('after', 'rows'), expected('rows')),
  ];
  const seconds = ['before', 'after'].map((side) => found(side, 'seconds').toFixed(1));
  return `| **all ${measured.length}** | | ${shares.join(' | ')} | ${seconds.join(' → ')} |`;
}

function change(before, after, expected) {
  return expected ? `${before} → ${after} of ${expected}` : '';
}

function yes(value) {
  return value ? 'yes' : 'no';
}

/** One sentence alone has no order. */
function inOrder({ ordered, whole }) {
  return ordered && whole > 1;
}
