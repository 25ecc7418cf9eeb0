import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openIndexWriter } from '@vault-mcp/shared/index-db/writer';
import { parseVaultPath } from '@vault-mcp/shared/vault/path';
import { describe, expect, it, vi } from 'vitest';
import { noteOf, sha256 } from '../../../../test/support/index-records.ts';
import { ANYWHERE, writingSuite } from '../../../../test/support/writing-context.ts';
import type { WriteContext } from '../context.ts';
import { fileDocument, fileDocumentInput } from './file-document.ts';
import { parseInput } from './input.ts';

const vault = writingSuite({ 'House/Files/Lease.pdf': 'the lease' }, { INDEX_EXCLUDE_DIRS: 'Archive' });

const PLACE = 'House/Files/Deed.pdf';
const file = (
  text: string,
  input: Record<string, unknown> = {},
  { request = ANYWHERE, context = vault.context }: { request?: typeof ANYWHERE; context?: WriteContext } = {},
) => {
  async function* body() {
    yield Buffer.from(text);
  }
  const call = parseInput(fileDocumentInput, { path: PLACE, wait: 0, ...input });
  return fileDocument(context, call, request, { body: body(), statedBytes: null });
};

/** What the indexer would have stored of the document. */
function index(path: string, text: string, facts: Partial<Parameters<typeof noteOf>[2]> = {}): void {
  const writer = openIndexWriter(vault.context.config.index.path);
  writer.putFile({ ...noteOf(path, ['## Page 1', 'Signed.']), kind: 'document', sha256: sha256(text), ...facts });
  writer.close();
}

/** As another program does it. */
function replaced(): void {
  const place = join(vault.context.vault.root, PLACE);
  writeFileSync(`${place}.new`, 'another deed');
  renameSync(`${place}.new`, place);
}

describe('filing a document', () => {
  it('tells the index of it, and what it knows of its text so far', async () => {
    expect(await file('the deed')).toMatchObject({
      ...{ path: PLACE, status: 'filed', etag: sha256('the deed'), extraction: 'pending', indexed: 'queued' },
      detail: expect.stringMatching(/is stored\. The indexer has not reported yet: is it running\?/),
    });
    expect(vault.queue.synced).toEqual([PLACE]);
    index(PLACE, 'the deed', { pages: { count: 2, hasText: true } });
    expect(await file('the deed')).toMatchObject({
      ...{ status: 'unchanged', extraction: 'extracted', pages: 2, has_text_layer: true, extracted_chars: 17 },
      ...{ detail: null, indexed: 'indexed' },
    });
  });

  it('tells nothing of the text of other bytes', async () => {
    index(PLACE, 'older bytes', { pages: { count: 2, hasText: true } });
    expect(await file('the deed')).toMatchObject({ extraction: 'pending', pages: null, extracted_chars: 0 });
  });

  it('tells what to know of a text, and why there is none', async () => {
    index(PLACE, 'the deed', {
      reason: 'ocr: Only the first 500 pages were read.',
      pages: { count: 600, hasText: false },
    });
    expect(await file('the deed')).toMatchObject({
      ...{ extraction: 'ocr', pages: 600, has_text_layer: false, detail: 'Only the first 500 pages were read.' },
    });
    index(PLACE, 'the deed', { state: 'quarantined', reason: 'It is encrypted.', chunks: [] });
    expect(await file('the deed')).toMatchObject({ extraction: 'failed', detail: 'It is encrypted.', pages: null });
  });

  it('believes no failure of a file that could not be read, once another stands there', async () => {
    index(PLACE, '', { sha256: '', state: 'quarantined', reason: 'It has too many bytes.', chunks: [] });
    expect(await file('the deed')).toMatchObject({ extraction: 'pending' });
  });

  it('waits as long as it is told to, and no longer than somebody listens', async () => {
    for (const waiting of [{ wait: 0.05 }, { wait: 'indexed', timeout: 0.05 }, { wait: undefined, timeout: 0.05 }]) {
      await expect(file('the deed', waiting)).resolves.toMatchObject({ extraction: 'pending' });
    }
    const signal = AbortSignal.abort();
    const gone = file('the deed', { wait: 60 }, { request: { ...ANYWHERE, signal } });
    await expect(gone).resolves.toMatchObject({ extraction: 'pending' });
    for (const wait of [61, -1, 'soon', '5']) {
      expect(() => file('x', { wait })).toThrow(expect.objectContaining({ code: 'invalid_request' }));
    }
  });

  it.each([
    ['taken away', () => rmSync(join(vault.context.vault.root, PLACE))],
    ['moved', () => renameSync(join(vault.context.vault.root, PLACE), join(vault.context.vault.root, 'elsewhere.pdf'))],
    ['replaced', () => void replaced()],
  ])('waits no longer for the text of one that is %s meanwhile', async (_how, displace) => {
    // The longest wait there is: the test would meet its own limit.
    const answer = file('the deed', { wait: 60 });
    await vi.waitFor(() => expect(vault.queue.synced).toEqual([PLACE]));
    displace();
    await expect(answer).resolves.toMatchObject({
      ...{ status: 'filed', extraction: 'pending', indexed: 'queued' },
      detail: expect.stringMatching(/was stored, and since then replaced, moved or taken away/),
    });
  });

  it('is done whatever becomes of queue and index', async () => {
    const fails = () => {
      throw new Error('disk I/O error');
    };
    const reader = new Proxy(vault.context.reader, { get: () => fails });
    const queue = { ...vault.context.queue, add: async () => fails() };
    await expect(file('the deed', {}, { context: { ...vault.context, reader, queue } })).resolves.toMatchObject({
      ...{ status: 'filed', extraction: 'pending', indexed: 'deferred' },
      detail: expect.stringMatching(/is stored/),
    });
    expect((await vault.everything())[PLACE]).toBe('the deed');
  });

  it('is told to the history once, and only when something changed', async () => {
    const told: unknown[] = [];
    const context = { ...vault.context, history: { record: (change: unknown) => void told.push(change) } };
    await file('the deed', {}, { context });
    await file('the deed', {}, { context });
    await file('another', { dry_run: true, overwrite: true }, { context });
    expect(told).toEqual([{ operation: 'file-document', agent: 'operator', source: undefined, paths: [PLACE] }]);
  });

  it('says that its text is not looked for where nothing is indexed', async () => {
    expect(await file('x', { path: 'Archive/Files/x.pdf', wait: 60 })).toMatchObject({
      ...{ indexed: 'excluded', extraction: 'failed', detail: expect.stringContaining('index.exclude_dirs') },
    });
  });

  it('is refused by a server that is read-only, and outside the scope', async () => {
    const { config } = vault.context;
    const context = { ...vault.context, config: { ...config, server: { ...config.server, read_only: true } } };
    await vault.refused(() => file('x', {}, { context }), 'out_of_scope', /read-only/);
    const request = { ...ANYWHERE, scope: parseVaultPath('Garden') };
    await vault.refused(() => file('x', {}, { request }), 'out_of_scope');
  });
});
