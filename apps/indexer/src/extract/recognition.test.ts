/**
 * What of a PDF is given to OCR and what becomes of it, with the compiled extraction program; tesseract is the real one but
 * where it has to misbehave.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { build, textImage } from '../../../../test/fixtures/pdf-files.ts';
import { type FakeTesseract, fakeTesseract } from '../../../../test/support/fake-tesseract.ts';
import { type DocumentReading, type ExtractOptions, extractDocument } from './extract.ts';
import type { ExtractorResult } from './extraction.ts';
import { extractPdf } from './pdf.ts';

const SENTENCE = 'The quick brown fox jumps over the lazy dog while the harbour sleeps in the morning fog. ';
const SCANNED = 'Invoice 2026-0417 for one heat pump';

type Page = (doc: PDFKit.PDFDocument) => void;

const typed: Page = (doc) => doc.font('Helvetica').fontSize(12).text(SENTENCE.repeat(3));
const blank: Page = () => undefined;

async function scanned(text = SCANNED): Promise<Page> {
  const image = await textImage(text);
  return (doc) => doc.image(image, 0, 0, { width: doc.page.width, height: doc.page.height });
}

async function read(pages: readonly Page[], options: Partial<ExtractOptions> = {}): Promise<DocumentReading> {
  const bytes = await build(pages.length, (doc, page) => pages[page - 1]?.(doc));
  return await extractDocument({ bytes, suffix: '.pdf' }, { ocr: true, languages: ['eng'], maxBytes: 0, ...options });
}

it.each([
  [50, 'extracted'],
  [49, 'needs_ocr'],
] as const)('a document with %i characters a page on average is %s where OCR is off', async (characters, status) => {
  const of =
    (length: number): Page =>
    (doc) =>
      doc.fontSize(8).text('x'.repeat(length), { lineBreak: false });
  // Uneven, so that only the average tells.
  const found = await read([of(characters - 20), of(characters + 20)], { ocr: false });
  expect(found).toMatchObject({ status, has_text_layer: status === 'extracted' });
});

describe('a scanned page among pages of text', () => {
  it('is recognised, and pages that are only short are left as they are', async () => {
    const heading: Page = (doc) => doc.fontSize(30).text('Chapter 2');
    const found = await read([typed, heading, blank, await scanned(), typed]);
    expect(found).toMatchObject({ status: 'ocr', has_text_layer: true, ocr_pages: 1, unfinished: null, detail: '' });
    expect(found.text).toMatch(/Chapter 2[^#]*## Page 4\n\n[^#]*Invoice 2026-0417[^#]*## Page 5/);
  });

  it('is recognised when the scanner laid it down in strips', async () => {
    const image = await textImage(SCANNED);
    const strips: Page = (doc) => {
      const strip = doc.page.height / 6;
      for (let at = 0; at < 6; at++) {
        doc
          .save()
          .rect(0, at * strip, doc.page.width, strip)
          .clip();
        doc.image(image, 0, 0, { width: doc.page.width, height: doc.page.height }).restore();
      }
    };
    expect((await read([typed, strips])).text).toContain('Invoice 2026-0417');
  });

  it('adds to the words that stand on it, and takes no letter of them', async () => {
    const [cover, page] = [await scanned('Olforderung 2024 ~'), await scanned(`${SCANNED}. `.repeat(4))];
    const titled =
      (picture: Page): Page =>
      (doc) => {
        picture(doc);
        doc.fontSize(12).text('Ölförderung 2024', 56, 700);
      };
    const { text } = await read([typed, titled(cover), titled(page)]);
    expect(text).toMatch(
      /## Page 2\n\n(#+ )?Ölförderung 2024\n\n## Page 3\n\n(#+ )?Ölförderung 2024\n\n[^#]*Invoice 2026-0417/,
    );
  });

  it('that shows no writing costs a look, and the document counts as what it is', async () => {
    const photograph = await scanned('');
    const found = await read([typed, photograph]);
    expect(found).toMatchObject({ status: 'extracted', ocr_pages: 1, unfinished: null, detail: '' });
  });

  it('is not taken for one where a picture covers less than half of it', async () => {
    const image = await textImage(SCANNED);
    const logo: Page = (doc) => doc.image(image, 50, 50, { width: 200, height: 280 });
    expect(await read([typed, logo])).toMatchObject({ status: 'extracted', ocr_pages: 0 });
  });

  it.each([
    ['OCR is off', { ocr: false }, /^Some of its pages are scans, and OCR is off\. .*Left out: page 2\.$/],
    [
      'tesseract is missing',
      { environment: { PATH: '/nowhere' } },
      /^Some of its pages are scans, and tesseract is not /,
    ],
  ])('is named where %s, and the text of the others is kept', async (_why, options, detail) => {
    const found = await read([typed, await scanned(), typed], options);
    expect(found).toMatchObject({ status: 'extracted', has_text_layer: true, unfinished: 'no_ocr', ocr_pages: 0 });
    expect(found.detail).toMatch(detail);
    expect(found.text).toMatch(/quick brown fox[^#]*## Page 3/);
  });
});

describe('a tesseract that is in the way of its own pages', () => {
  let tesseract: FakeTesseract;
  beforeEach(async () => {
    tesseract = await fakeTesseract();
  });
  afterEach(() => tesseract.remove());
  const inPath = (): Partial<ExtractOptions> => ({ environment: { PATH: tesseract.path } });
  const second = (lines: string): string => `[ "$(cat "$here/count")" = 2 ] && ${lines}; echo "Words of a page"`;

  it('and is there is asked for its languages once, and fails on one page for good', async () => {
    tesseract.install({
      listing: 'echo asked >> "$here/asked"; echo eng',
      page: second('kill -SEGV $$'),
    });
    const page = await scanned();
    const found = await read([typed, page, page, page], inPath());
    expect(found).toMatchObject({ status: 'ocr', unfinished: null, ocr_pages: 3 });
    expect(found.detail).toMatch(/^page 3 could not be recognised \(tesseract was killed \(SIGSEGV\)\)$/);
    expect(readFileSync(join(tesseract.path, 'asked'), 'utf8')).toBe('asked\n');
  });

  it('and is killed over one of them leaves the others, and the reading unfinished', async () => {
    tesseract.install({ page: second('kill -9 $$') });
    const page = await scanned();
    const found = await read([page, page, page], inPath());
    expect(found).toMatchObject({ status: 'ocr', unfinished: 'ended', ocr_pages: 3 });
    expect(found.detail).toBe(
      'Not all of it could be recognised this time: page 2 could not be recognised (tesseract was killed (SIGKILL))',
    );
    expect(found.text).toMatch(/## Page 1\n\nWords of a page\n\n## Page 3/);
  });

  it('and fails on one of them leaves the others, and that is all that there is', async () => {
    tesseract.install({ page: second('exit 3') });
    const page = await scanned();
    const found = await read([page, page], inPath());
    expect(found).toMatchObject({ status: 'ocr', unfinished: null, detail: expect.stringMatching(/^page 2 .*code 3/) });
  });

  /** In this process, with `left` seconds for the page in hand once one was read; a page begun then is the last. */
  async function readWithin(left: number, pages: readonly Page[]): Promise<ExtractorResult> {
    const bytes = await build(pages.length, (doc, page) => pages[page - 1]?.(doc));
    const { PATH } = process.env;
    process.env.PATH = tesseract.path;
    try {
      return await extractPdf(new Uint8Array(bytes), {
        ...{ ocr: true, languages: 'eng', onPage: () => undefined },
        get deadlineMs() {
          return tesseract.pages().length < 2 ? Number.POSITIVE_INFINITY : 0;
        },
        get pageDeadlineMs() {
          return Date.now() + (tesseract.pages().length < 1 ? 600 : left) * 1_000;
        },
      });
    } finally {
      process.env.PATH = PATH;
    }
  }

  it.runIf(process.platform === 'linux')(
    'and hangs loses no page before it: it is given up when time runs out',
    async () => {
      tesseract.install({ page: second('exec sleep 600') });
      const page = await scanned();
      const found = await readWithin(20, [page, page, page]);
      expect(found).toMatchObject({ status: 'ocr', unfinished: 'time' });
      expect(found.detail).toContain('page 2 could not be recognised (limit of time reached)');
      expect(found.detail).toContain('page 3 was not recognised (limit of time reached)');
      expect(found.text).toContain('## Page 1\n\nWords of a page');
    },
  );

  it.runIf(process.platform === 'linux')('has its work counted, not the time that others take', async () => {
    tesseract.install({ page: 'echo "at most $(ulimit -S -t) seconds of work, $(ulimit -c) blocks of memory kept"' });
    expect((await read([await scanned()], inPath())).text).toContain('at most 60 seconds of work, 0 blocks of memory');
  });
});
