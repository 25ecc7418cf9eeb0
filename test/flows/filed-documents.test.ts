/**
 * PDFs that are filed over REST, the whole way: stored, read by the real indexer, found by their text beside the notes;
 * and stored all the same while nobody is there to read them.
 */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { textPdf } from '../fixtures/pdf-files.ts';
import { API_KEY, type ServedVault, serveVault } from '../support/served-vault.ts';
import { KEY, twoPrograms } from '../support/two-programs.ts';

const INVOICE = readFileSync(join(import.meta.dirname, '../../examples/vault/Files/invoice-2026-0417.pdf'));
const hashOf = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

type Json = Record<string, unknown>;

async function put(server: { url: string; key: string }, path: string, pdf: Buffer): Promise<Json> {
  const headers = { authorization: `Bearer ${server.key}`, 'content-type': 'application/pdf' };
  const answer = await fetch(server.url + path, { method: 'PUT', headers, body: new Uint8Array(pdf) });
  expect([answer.status, answer.headers.get('etag')]).toEqual([200, `"${hashOf(pdf)}"`]);
  return (await answer.json()) as Json;
}

describe('a PDF that is filed', () => {
  let served: ServedVault;
  beforeAll(async () => {
    served = await serveVault(
      { 'Shed/Boiler.md': '# Boiler\n\nServiced in spring.\n', 'Archive/A.md': '# A\n' },
      {
        'index.exclude_dirs': ['Archive'],
      },
    );
  });
  afterAll(() => served?.close());

  const file = (path: string, pdf: Buffer, query = '') =>
    put({ url: served.url, key: API_KEY }, `/vault/${path}${query}`, pdf);
  const json = async (path: string): Promise<Json> =>
    (await (await served.get(path, { headers: { accept: 'application/json' } })).json()) as Json;
  const found = async (words: string) => {
    const { results } = await json(`/search?k=20&q=${encodeURIComponent(words)}`);
    return (results as { path: string; line_start: number; text: string }[]).filter(({ text }) => text.includes(words));
  };

  it('is read, and found by its text, once it is answered', async () => {
    const answer = await file('Shed/Files/invoice.pdf', INVOICE);
    expect(answer).toMatchObject({
      status: 'filed',
      extraction: 'extracted',
      has_text_layer: true,
      indexed: 'indexed',
    });
    expect(answer.pages).toBeGreaterThan(0);
    const { content, extracted_chars } = await json('/vault/Shed/Files/invoice.pdf');
    expect([extracted_chars, String(content).length]).toEqual([answer.extracted_chars, answer.extracted_chars]);
    expect(await found('2026-0417')).toContainEqual(expect.objectContaining({ path: 'Shed/Files/invoice.pdf' }));
    const raw = await served.get('/vault/Shed/Files/invoice.pdf?raw');
    expect(Buffer.from(await raw.arrayBuffer())).toEqual(INVOICE);
    // Nothing is read twice: the same bytes elsewhere are known, and the same in their place are there.
    expect(await file('Files/copy.pdf', INVOICE)).toMatchObject({ status: 'filed', extraction: 'extracted' });
    expect(await file('Shed/Files/invoice.pdf', INVOICE, '?wait=0')).toMatchObject({
      ...{ status: 'unchanged', extraction: 'extracted', indexed: 'indexed', detail: null },
      extracted_chars: answer.extracted_chars,
    });
  });

  it('is found by its new text alone once it has replaced another', async () => {
    const pdf = (word: string) => textPdf([`The ${word} valve leaks. ${'Call the plumber at once. '.repeat(4)}`]);
    await file('Shed/Files/valve.pdf', await pdf('vermilion'));
    expect(await found('vermilion valve')).toHaveLength(1);
    const replaced = await file('Shed/Files/valve.pdf', await pdf('turquoise'), '?overwrite&wait=indexed&timeout=60');
    expect(replaced).toMatchObject({ status: 'replaced', extraction: 'extracted', indexed: 'indexed' });
    expect([await found('vermilion valve'), await found('turquoise valve')]).toEqual([[], [expect.anything()]]);
  });

  it('is told to be left out where nothing is indexed', async () => {
    expect(await file('Archive/Files/invoice.pdf', INVOICE)).toMatchObject({
      ...{ status: 'filed', indexed: 'excluded', extraction: 'failed' },
      detail: expect.stringContaining('index.exclude_dirs'),
    });
  });
});

describe('a PDF that is filed while nobody reads it', () => {
  it('is stored, says why its text is pending, and is found once the indexer and the queue are there', async () => {
    const both = await twoPrograms({ 'Home.md': '# Home\n' });
    try {
      both.startApi();
      await both.until(async () => (await both.get('/vault/Home.md')).status === 200, 'the api');
      const file = async (name: string, word: string) => {
        const pdf = await textPdf([
          `The ${word} hangs behind the door. ${'Take it with you, and bring it back. '.repeat(3)}`,
        ]);
        return put({ url: both.url, key: KEY }, `/vault/Files/${name}.pdf?wait=1`, pdf);
      };
      expect(await file('early', 'sextant')).toMatchObject({
        ...{ status: 'filed', extraction: 'pending', pages: null, has_text_layer: null, extracted_chars: 0 },
        ...{ indexed: 'queued', detail: expect.stringMatching(/is stored\. The indexer has not reported/) },
      });
      both.startIndexer({ INDEX_RECONCILE_SECONDS: '3600' });
      await both.until(async () => (await both.search('sextant')).includes('Files/early.pdf'), 'the sextant');
      await both.redis.kill();
      expect(await file('late', 'theodolite')).toMatchObject({
        ...{ status: 'filed', extraction: 'pending', indexed: 'deferred' },
        detail: expect.stringMatching(/is stored\. The indexer could not be told/),
      });
      await both.redis.restart();
      await both.until(async () => (await both.search('theodolite')).includes('Files/late.pdf'), 'the theodolite');
    } finally {
      await both.close();
    }
  }, 180_000);
});
