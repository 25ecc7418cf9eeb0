/**
 * How far a document is that is being read, as callers and the terminal see it: with the reading in the process that
 * writes, in another one, and all in one process.
 */
import { join } from 'node:path';
import { openIndexReader } from '@vault-mcp/shared/index-db/reader';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { describeDocuments, documentsProgress } from '../../apps/cli/src/documents-progress.ts';
import { scannedPdf } from '../fixtures/pdf-files.ts';
import { type FakeTesseract, fakeTesseract, HELD } from '../support/fake-tesseract.ts';
import { API_KEY, serveVault } from '../support/served-vault.ts';
import { KEY, type TwoPrograms, twoPrograms } from '../support/two-programs.ts';

let scan: Buffer;
let other: Buffer;
beforeAll(async () => {
  scan = await scannedPdf(['One', 'Two', 'Three']);
  other = await scannedPdf(['Another']);
});
let tesseract: FakeTesseract;
beforeEach(async () => {
  tesseract = await fakeTesseract();
  tesseract.install({ page: HELD });
});
afterEach(() => tesseract?.remove());

type Json = Record<string, unknown>;

async function file(url: string, key: string, path: string, pdf: Buffer): Promise<Json> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/pdf' };
  const answer = await fetch(`${url}/vault/${path}?wait=0`, { method: 'PUT', headers, body: new Uint8Array(pdf) });
  return (await answer.json()) as Json;
}

describe('two programs', { timeout: 120_000 }, () => {
  let both: TwoPrograms;
  beforeEach(async () => {
    both = await twoPrograms({ 'Home.md': '# Home\n' });
    both.startApi();
  });
  afterEach(() => both?.close());

  const extraction = async () => (await both.get('/readyz')).body.extraction as Json;
  const isAt = (page: number) =>
    both.until(async () => {
      const { reading } = await extraction();
      return JSON.stringify(reading) === JSON.stringify([{ step: 'ocr', page, pages: 3 }]);
    }, `page ${page}`);
  const isIndexed = () => both.until(async () => (await both.search('home')).includes('Home.md'), 'the index');
  const terminal = () => {
    const reader = openIndexReader(join(both.dataPath, 'index.db'));
    try {
      return describeDocuments(documentsProgress(reader));
    } finally {
      reader.close();
    }
  };

  it('tell page by page how far a scan is, and what waits behind it, until it has been read', async () => {
    both.startIndexer({ PATH: tesseract.path });
    await isIndexed();
    const filed = await file(both.url, KEY, 'Files/scan.pdf', scan);
    expect(filed).toMatchObject({ status: 'filed', extraction: 'pending' });
    expect(filed.detail).toMatch(/^The document is stored\. .*\?map/);
    await isAt(1);
    tesseract.letThrough(1);
    await isAt(2);
    expect((await both.get('/vault/Files/scan.pdf?map')).body).toMatchObject({
      extraction: 'pending',
      detail: 'It is being read, page 2 of 3 (OCR): ask again in a moment.',
    });
    const read = await both.get('/vault/Files/scan.pdf');
    expect(JSON.stringify(read.body)).toContain('page 2 of 3 (OCR)');
    await file(both.url, KEY, 'Files/other.pdf', other);
    await both.until(async () => (await extraction()).pending === 2, 'the other to wait');
    const waiting = (await both.get('/vault/Files/other.pdf?map')).body;
    expect(waiting.detail).toBe(
      'It waits to be read, while one other document is being read, page 2 of 3 (OCR): ask again later.',
    );
    expect(JSON.stringify([await extraction(), waiting.detail])).not.toContain('scan.pdf');
    expect(terminal()).toBe('reading Files/scan.pdf, page 2 of 3 (OCR); 1 document waits to be read');

    tesseract.letThrough(100);
    await both.until(async () => (await extraction()).pending === 0, 'both to be read');
    await both.until(async () => ((await extraction()).reading as unknown[]).length === 0, 'nothing to be in hand');
    expect(terminal()).toBeNull();
    expect((await both.get('/vault/Files/scan.pdf')).body).toMatchObject({ extraction: 'ocr', pages: 3 });
  });

  it('tell of nothing in hand once the indexer is killed, and of the page again once another has taken over', async () => {
    const doomed = both.startIndexer({ PATH: tesseract.path });
    await isIndexed();
    await file(both.url, KEY, 'Files/scan.pdf', scan);
    tesseract.letThrough(1);
    await isAt(2);
    await doomed.kill('SIGKILL');
    await both.until(async () => ((await extraction()).reading as unknown[]).length === 0, 'the silence to be noticed');
    expect(await extraction()).toMatchObject({ ok: false, pending: 1 });
    expect((await both.get('/vault/Files/scan.pdf?map')).body.detail).toMatch(/^The indexer has not reported/);
    tesseract.letThrough(100);
    both.startIndexer({ PATH: tesseract.path });
    await both.until(async () => (await both.get('/vault/Files/scan.pdf?map')).body.extraction === 'ocr', 'its text');
    await both.until(async () => ((await extraction()).reading as unknown[]).length === 0, 'nothing to be in hand');
  });

  it('tell it of a document that is read in another process as well', async () => {
    both.startIndexer({ INDEXER_ROLES: 'watch,write,embed', PATH: '/nonexistent' });
    await isIndexed();
    await file(both.url, KEY, 'Files/scan.pdf', scan);
    await both.until(async () => (await extraction()).ok === false, 'somebody to be missed');
    expect(await extraction()).toMatchObject({ error: expect.stringContaining('INDEXER_ROLES=extract'), ocr: null });
    const nobody = /waits to be read and no process with the extract role is there.*INDEXER_ROLES=extract/;
    await both.until(
      async () => nobody.test(String((await both.get('/vault/Files/scan.pdf?map')).body.detail)),
      'that to be said',
    );
    const headers = { authorization: `Bearer ${KEY}`, accept: 'text/plain' };
    const again = { method: 'PUT', body: new Uint8Array(scan) };
    for (const [query, init] of [
      ['', {}],
      ['?map', {}],
      ['?wait=0', again],
    ] as const) {
      const answer = await fetch(`${both.url}/vault/Files/scan.pdf${query}`, { ...init, headers });
      expect(await answer.text()).toMatch(nobody);
    }
    both.startIndexer({ INDEXER_ROLES: 'extract', PATH: tesseract.path });
    tesseract.letThrough(1);
    await isAt(2);
    expect((await both.get('/vault/Files/scan.pdf?map')).body.detail).toContain('page 2 of 3 (OCR)');
    tesseract.letThrough(100);
    await both.until(async () => (await both.get('/vault/Files/scan.pdf?map')).body.extraction === 'ocr', 'its text');
  });
});

describe('one process', { timeout: 120_000 }, () => {
  it('tells it too', async () => {
    const own = process.env.PATH;
    process.env.PATH = tesseract.path;
    const served = await serveVault({ 'Home.md': '# Home\n' }).finally(() => {
      process.env.PATH = own;
    });
    try {
      await file(served.url, API_KEY, 'Files/scan.pdf', scan);
      tesseract.letThrough(1);
      const map = async () =>
        (await (
          await served.get('/vault/Files/scan.pdf?map', { headers: { accept: 'application/json' } })
        ).json()) as Json;
      await expect.poll(async () => (await map()).detail, { timeout: 60_000 }).toContain('page 2 of 3 (OCR)');
      tesseract.letThrough(100);
      await expect.poll(async () => (await map()).extraction, { timeout: 60_000 }).toBe('ocr');
    } finally {
      await served.close();
    }
  });
});
