import { createAnalyzer } from '@vault-mcp/shared/analysis/analyzer';
import { expect, it } from 'vitest';
import { scannedPdf } from '../../../../test/fixtures/pdf-files.ts';
import { extractPdf } from '../extract/pdf.ts';
import { createDescriber } from './describe-file.ts';
import { describeExtraction, LACKS_OCR } from './extraction-result.ts';

const FOREVER = { deadlineMs: Number.POSITIVE_INFINITY, pageDeadlineMs: Number.POSITIVE_INFINITY };

const SIZES = { targetTokens: 400, overlapTokens: 60, minTokens: 120, maxTokens: 1500 };

it('tells a scan that waits for what this machine lacks by the beginning of its reason, and from one that failed', async () => {
  const describer = createDescriber(createAnalyzer('en'), SIZES, { ocr: true, ocrLanguages: ['eng'] });
  const scan = new Uint8Array(await scannedPdf(['A scan']));
  const settings = { languages: 'zzz', ...FOREVER, onPage: () => undefined };
  const reasonOf = async (ocr: boolean) => {
    const found = {
      ...(await extractPdf(scan.slice(), { ...settings, ocr })),
      path: 'a.pdf',
      sha256: 'a',
    };
    return describeExtraction(describer, 'a.pdf', found).reason;
  };
  expect(await reasonOf(true)).toMatch(new RegExp(`^${LACKS_OCR[0]}tesseract lacks the language data for zzz`));
  expect(await reasonOf(false)).toMatch(new RegExp(`^${LACKS_OCR[0]}OCR is off`));
  const failed = { status: 'needs_ocr', text: '', pages: 1, has_text_layer: false, detail: 'page 1 failed' } as const;
  const { reason } = describeExtraction(describer, 'a.pdf', {
    ...failed,
    path: 'a.pdf',
    sha256: 'a',
  });
  expect(LACKS_OCR.some((begin) => reason?.startsWith(begin))).toBe(false);
});

it('says nothing of the pages of a document that could not be opened, and how many one has whose pages could not be read', () => {
  const describer = createDescriber(createAnalyzer('en'), SIZES, { ocr: true, ocrLanguages: ['eng'] });
  const pagesOf = (facts: { pages?: number; has_text_layer?: boolean }) =>
    describeExtraction(describer, 'a.pdf', { path: 'a.pdf', sha256: 'a', status: 'failed', text: '', ...facts }).pages;
  // A worker hands on what it has: no pages, and none of them with text.
  expect(pagesOf({ pages: 0, has_text_layer: false })).toBeUndefined();
  expect(pagesOf({})).toBeUndefined();
  expect(pagesOf({ pages: 3, has_text_layer: false })).toEqual({ count: 3, hasText: false });
});
