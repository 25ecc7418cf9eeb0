/**
 * What becomes of a scan where OCR is off, tesseract is missing, lacks a language or is broken, and once that has changed:
 * the two programs on one real Redis, with a program of that name of the test's own.
 */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { scannedPdf, textPdf } from '../fixtures/pdf-files.ts';
import { type FakeTesseract, fakeTesseract } from '../support/fake-tesseract.ts';
import { rowIdOf } from '../support/index-contents.ts';
import { KEY, type Program, type TwoPrograms, twoPrograms } from '../support/two-programs.ts';

const SCAN = 'Files/scan.pdf';
const LETTER = 'Files/letter.pdf';

let tesseract: FakeTesseract;
let both: TwoPrograms;
beforeEach(async () => {
  tesseract = await fakeTesseract();
  both = await twoPrograms({ 'Harbour.md': '# Harbour\n\nThe pier is closed in winter.\n' });
  await mkdir(join(both.vaultPath, 'Files'));
  await writeFile(join(both.vaultPath, SCAN), await scannedPdf(['A page that only a machine can read']));
  await writeFile(
    join(both.vaultPath, LETTER),
    await textPdf(['A letter with words of its own about the pier. '.repeat(4)]),
  );
});
afterEach(async () => {
  await both?.close();
  await tesseract?.remove();
});

const start = (environment: Record<string, string> = {}): Program => {
  both.startApi();
  return both.startIndexer({ PATH: tesseract.path, ...environment });
};
const facts = async (path: string) => (await both.get(`/vault/${path}?map`)).body;
const scanIs = (extraction: string) =>
  both.until(async () => (await facts(SCAN)).extraction === extraction, `the scan to be ${extraction}`);
const ready = async () => (await both.get('/readyz')).body as { extraction: Record<string, unknown> };
const idOf = (path: string) => rowIdOf(join(both.dataPath, 'index.db'), path);
const notesAreFound = async () => expect(await both.search('pier winter')).toContain('Harbour.md');

describe('a scan', { timeout: 120_000 }, () => {
  it('says what to set while OCR is off, and is read once it is on; what has text is read once', async () => {
    tesseract.install();
    const first = start({ DOC_OCR: 'false' });
    await scanIs('needs_ocr');
    expect((await facts(SCAN)).detail).toMatch(/OCR is off\. Set vault\.doc_ocr \(DOC_OCR\) to true/);
    await both.until(async () => (await facts(LETTER)).extraction === 'extracted', 'the letter');
    expect((await ready()).extraction).toMatchObject({
      ...{ pending: 0, needs_ocr: 1, failed: 0 },
      ocr: { ok: true, enabled: false, error: null },
    });
    const letter = idOf(LETTER);
    await first.kill('SIGTERM');
    both.startIndexer({ PATH: tesseract.path });
    await scanIs('ocr');
    expect([idOf(LETTER), tesseract.pages()]).toEqual([letter, ['eng']]);
    expect((await ready()).extraction).toMatchObject({ needs_ocr: 0, ocr: { ok: true, enabled: true } });
  });

  it('is read again in other languages, and what has text is not', async () => {
    tesseract.install({ languages: ['eng', 'deu'] });
    const first = start();
    await scanIs('ocr');
    await both.until(async () => (await facts(LETTER)).extraction === 'extracted', 'the letter');
    const letter = idOf(LETTER);
    await first.kill('SIGTERM');
    both.startIndexer({ PATH: tesseract.path, DOC_OCR_LANGUAGES: 'deu, eng' });
    await both.until(async () => tesseract.pages().length === 2, 'the second reading');
    await scanIs('ocr');
    expect([tesseract.pages(), idOf(LETTER)]).toEqual([['eng', 'deu+eng'], letter]);
  });

  it('names the tesseract that is missing, and is read at the next reconcile once it is there', async () => {
    start();
    await scanIs('needs_ocr');
    expect((await facts(SCAN)).detail).toMatch(/^This is a scan, and tesseract is not installed here.*tesseract-ocr/);
    await both.until(async () => {
      const { ocr } = (await ready()).extraction as { ocr: { ok: boolean; error: string | null } | null };
      return ocr?.ok === false && (ocr.error?.includes('not installed') ?? false);
    }, '/readyz to name it');
    await notesAreFound();
    tesseract.install();
    const headers = { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' };
    expect((await fetch(`${both.url}/reindex`, { method: 'POST', headers, body: '{}' })).status).toBe(200);
    await scanIs('ocr');
    await both.until(async () => (await both.search('whale oil')).includes(SCAN), 'its words');
    expect((await ready()).extraction).toMatchObject({ needs_ocr: 0, ocr: { ok: true, error: null } });
  });

  it('names the language that is missing and how to get it, in the log as well', async () => {
    tesseract.install({ languages: ['eng'] });
    const indexer = start({ DOC_OCR_LANGUAGES: 'eng, deu_frak' });
    await scanIs('needs_ocr');
    const missing = /lacks the language data for deu_frak\. Install it \(Debian: tesseract-ocr-deu-frak\)/;
    expect((await facts(SCAN)).detail).toMatch(missing);
    await indexer.kill('SIGTERM');
    expect(await indexer.errors).toMatch(missing);
  });

  it.each([
    ['fails', { page: 'exit 1' }, /tesseract failed \(exit code 1\)/],
    ['is killed', { page: 'kill -9 $$' }, /tesseract was killed \(SIGKILL\)/],
    ['answers garbage', { page: 'head -c 2000 /dev/urandom' }, /something that is no text/],
    ['cannot list its languages', { listing: 'exit 1' }, /does not work here: it ended with exit code 1/],
    ['hangs when it is asked', { listing: 'exec sleep 600' }, /does not answer here within 10 seconds/],
  ])('says that tesseract %s, and everything else goes on', async (_how, behaviour, reason) => {
    tesseract.install(behaviour);
    start();
    // Whatever becomes of the scan, nothing waits for it.
    await both.until(async () => (await both.search('pier winter')).includes('Harbour.md'), 'the note');
    await scanIs('needs_ocr');
    expect((await facts(SCAN)).detail).toMatch(reason);
    await both.until(async () => (await facts(LETTER)).extraction === 'extracted', 'the letter');
    expect((await both.get('/readyz')).status).toBe(200);
  });
});
