/**
 * A scan that is left to workers none of which can read it, and then one that can: the writer, the api and the workers as
 * processes on one real Redis, with a program named tesseract of the test's own for each worker.
 */
import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { scannedPdf, textPdf } from '../fixtures/pdf-files.ts';
import { type FakeTesseract, fakeTesseract } from '../support/fake-tesseract.ts';
import { rowIdOf } from '../support/index-contents.ts';
import { KEY, type TwoPrograms, twoPrograms } from '../support/two-programs.ts';

const SCAN = 'Files/scan.pdf';
/** Counts how often it is asked for its languages, of which it has none. */
const NO_LANGUAGES = 'echo asked >> "$here/asked"; echo "List of available languages (0):"';

let lacking: FakeTesseract;
let whole: FakeTesseract;
let both: TwoPrograms;
beforeEach(async () => {
  [lacking, whole] = [await fakeTesseract(), await fakeTesseract()];
  lacking.install({ listing: NO_LANGUAGES });
  whole.install();
  both = await twoPrograms({ 'Harbour.md': '# Harbour\n' });
});
afterEach(async () => {
  await both?.close();
  await lacking?.remove();
  await whole?.remove();
});

const worker = ({ path }: FakeTesseract) => both.startIndexer({ INDEXER_ROLES: 'extract', PATH: path });
const file = async (path: string, bytes: Buffer) => {
  const headers = { authorization: `Bearer ${KEY}`, 'content-type': 'application/pdf' };
  const url = `${both.url}/vault/${path}?wait=60`;
  return (await (await fetch(url, { method: 'PUT', headers, body: new Uint8Array(bytes) })).json()) as Record<
    string,
    unknown
  >;
};
const facts = async () => (await both.get(`/vault/${SCAN}?map`)).body;
const waiting = async () => (await both.get('/readyz')).body.extraction as Record<string, unknown>;
const asked = () => readFileSync(join(lacking.path, 'asked'), 'utf8').trim().split('\n').length;
const idOf = (path: string) => rowIdOf(join(both.dataPath, 'index.db'), path);

it('says what it needs while every worker lacks it, stays so, and is read by the first that can', {
  timeout: 120_000,
}, async () => {
  both.startApi();
  both.startIndexer({ INDEXER_ROLES: 'watch,write' });
  await both.until(async () => (await both.get('/readyz')).status === 200, 'the index');
  worker(lacking);

  const filed = await file(SCAN, await scannedPdf(['A page that only a machine can read']));
  expect(filed).toMatchObject({ status: 'filed', extraction: 'needs_ocr', pages: 1, has_text_layer: false });
  expect(filed.detail).toMatch(/^This is a scan, and tesseract lacks the language data for eng\. Install it/);
  for (const secret of [hostname(), both.vaultPath]) expect(filed.detail).not.toContain(secret);
  expect(await facts()).toMatchObject({ extraction: 'needs_ocr', detail: filed.detail });
  expect(await waiting()).toMatchObject({ ok: true, pending: 0, needs_ocr: 1, failed: 0 });

  // It comes back to the worker, which has asked by now at its start, as it read it, and before it hands it back again.
  const row = idOf(SCAN);
  await both.until(async () => asked() > 2, 'the scan to come back');
  // What has text is read meanwhile.
  const letter = await textPdf(['A letter with words of its own about the pier. '.repeat(4)]);
  expect(await file('Files/letter.pdf', letter)).toMatchObject({ extraction: 'extracted' });
  expect(await facts()).toMatchObject({ extraction: 'needs_ocr', detail: filed.detail });
  expect((await both.get('/readyz')).body.index).toMatchObject({ documents: 2, quarantined: 0 });
  expect(idOf(SCAN)).toBe(row);

  worker(whole);
  await both.until(async () => (await facts()).extraction === 'ocr', 'the scan to be read by one that can');
  expect(await both.search('whale oil')).toContain(SCAN);
  expect(await waiting()).toMatchObject({ pending: 0, needs_ocr: 0 });
});
