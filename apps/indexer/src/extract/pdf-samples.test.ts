/**
 * What comes out of each kind of PDF people file, through the real, compiled extraction program.
 */
import { parseNote } from '@vault-mcp/shared/vault/note/parse';
import { describe, expect, it } from 'vitest';
import type { PdfSample } from '../../../../test/fixtures/pdf-sample.ts';
import { PDF_SAMPLES } from '../../../../test/fixtures/pdf-samples.ts';
import { findingsIn } from '../../../../test/support/sample-findings.ts';
import { type DocumentReading, extractDocument } from './extract.ts';

async function extract(sample: PdfSample): Promise<DocumentReading> {
  const source = { bytes: await sample.make(), suffix: '.pdf' };
  return await extractDocument(source, { ocr: true, languages: ['eng'], maxBytes: 0 });
}

const READ = PDF_SAMPLES.filter(({ status }) => status !== 'failed');
const FAILED = PDF_SAMPLES.filter(({ status }) => status === 'failed');

describe('from a PDF comes every sentence whole and in order, every heading and every table', () => {
  it.each(READ)('$name', async (sample) => {
    const found = await extract(sample);
    expect(found).toMatchObject({ status: sample.status, detail: '' });
    expect(findingsIn(sample, found.text).flaws).toEqual([]);
    if (sample.pages !== undefined) expect(found.pages).toBe(sample.pages);
    // A chunk's section is its page, whatever headings that has: nothing but pages is at a depth where sections are cut.
    const cuts = parseNote(found.text).headings.filter(({ depth }) => depth <= 3);
    expect(cuts.filter(({ text }) => !/^Page \d+$/.test(text))).toEqual([]);
    expect(cuts.length).toBeGreaterThan(0);
  });
});

describe('a PDF without text to be had is failed, with the reason', () => {
  it.each(FAILED)('$name', async (sample) => {
    const found = await extract(sample);
    expect(found).toMatchObject({ status: 'failed', text: '', interrupted: false });
    expect(found.detail).toMatch(sample.reason ?? /^$/);
  });
});
