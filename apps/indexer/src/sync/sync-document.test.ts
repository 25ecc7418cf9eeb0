/**
 * Documents one at a time into a real index: when their text is asked for, kept, and asked for anew.
 */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { describerFor, ENGLISH, SIZES, type SyncedVault, syncedVault } from '../../../../test/support/synced-vault.ts';
import { OCR_ENDED, PAGES_WITHOUT_OCR, SCAN_WITHOUT_OCR } from '../extract/extraction.ts';
import { type ExtractionResult, LACKS_OCR, RETRIED_AT_START } from './extraction-result.ts';
import { HANDED_BACK } from './unread-document.ts';

let vault: SyncedVault;
let { asked, jobs, deps, folder, put, reader, sync, syncWith, writer } = {} as SyncedVault;
beforeEach(async () => {
  vault = await syncedVault();
  ({ asked, jobs, deps, folder, put, reader, sync, syncWith, writer } = vault);
});
afterEach(() => vault.close());

function extraction(sha256: string, found: Partial<ExtractionResult>): ExtractionResult {
  return { path: 'a.pdf', sha256, status: 'extracted', text: '## Page 1\n\nA letter about gutters.\n', ...found };
}

const row = (path: string) => reader.fileByPath(path);
const digestOf = (path: string) => writer.storedFile(path)?.digest;

describe('the text of a document', () => {
  it('is read again for other OCR settings, not for other chunk sizes, and notes stay as they are', async () => {
    const sha256 = put('a.pdf', 'bytes of a document');
    await sync.storeExtraction(extraction(sha256, { status: 'ocr' }));
    expect(digestOf('a.pdf')).toBe(deps.describer.whole.documentDigest);
    expect(await sync.syncPath('a.pdf')).toBe('unchanged');

    const resized = describerFor(ENGLISH, { ...SIZES, targetTokens: 300 });
    expect(await syncWith({ describer: resized }).syncPath('a.pdf')).toBe('stored');

    const german = describerFor({ ocr: true, ocrLanguages: ['deu'] });
    expect(german.digest).toBe(deps.describer.digest);
    expect(await syncWith({ describer: german }).syncPath('a.pdf')).toBe('waiting');
    const without = describerFor({ ocr: false, ocrLanguages: ['eng'] });
    expect(await syncWith({ describer: without }).syncPath('a.pdf')).toBe('waiting');
    expect(await sync.syncPath('a.pdf')).toBe('stored');
  });

  it('that was read without OCR stays as it is for other OCR settings, in the index and in the cache', async () => {
    const sha256 = put('a.pdf', 'bytes of a document');
    await sync.storeExtraction(extraction(sha256, { status: 'extracted' }));
    const german = syncWith({ describer: describerFor({ ocr: true, ocrLanguages: ['deu'] }) });
    expect(await german.syncPath('a.pdf')).toBe('unchanged');
    put('copy.pdf', 'bytes of a document');
    expect([await german.syncPath('copy.pdf'), asked]).toEqual(['stored', []]);
  });

  it('that is only the little a scan has is searched, and still waits for OCR', async () => {
    const sha256 = put('a.pdf', 'bytes of a document');
    await sync.storeExtraction(extraction(sha256, { status: 'needs_ocr', detail: 'tesseract is not installed' }));
    expect(row('a.pdf')).toMatchObject({ state: 'indexed', reason: 'needs_ocr: tesseract is not installed' });
    expect(await sync.syncPath('a.pdf')).toBe('unchanged');
    for (const reason of RETRIED_AT_START) writer.makeStale(reason);
    expect(await sync.syncPath('a.pdf')).toBe('waiting');
  });

  it('whose reading was ended is asked for again at the next start, and not kept for other copies', async () => {
    const sha256 = put('a.pdf', 'bytes of a document');
    const ended = extraction(sha256, { status: 'failed', text: '', detail: 'It took too long.', interrupted: true });
    await sync.storeExtraction(ended);
    expect(row('a.pdf')).toMatchObject({ state: 'quarantined', reason: 'interrupted: It took too long.' });
    expect(await sync.syncPath('a.pdf')).toBe('unchanged');
    put('copy.pdf', 'bytes of a document');
    expect(await sync.syncPath('copy.pdf')).toBe('waiting');
    for (const reason of RETRIED_AT_START) writer.makeStale(reason);
    expect(await sync.syncPath('a.pdf')).toBe('waiting');
  });

  it('that the time allowed has cut short is read again when more is allowed, and for that alone', async () => {
    const sha256 = put('a.pdf', 'bytes of a document');
    const within = (totalSeconds: number) =>
      syncWith({ describer: describerFor({ ...ENGLISH, limits: { totalSeconds } }) });
    await within(60).storeExtraction(extraction(sha256, { status: 'ocr', unfinished: 'time', detail: 'page 9 …' }));
    for (const reason of RETRIED_AT_START) writer.makeStale(reason);
    put('copy.pdf', 'bytes of a document');
    expect([await within(60).syncPath('a.pdf'), await within(60).syncPath('copy.pdf')]).toEqual([
      'unchanged',
      'stored',
    ]);
    expect([await within(600).syncPath('a.pdf'), row('a.pdf')?.reason]).toEqual(['waiting', 'ocr: page 9 …']);
    expect(jobs.at(-1)?.payload).toMatchObject({ max_seconds: 600 });
    await within(600).storeExtraction(extraction(sha256, { status: 'ocr' }));
    expect(await within(60).syncPath('a.pdf')).toBe('unchanged');
  });

  it.each([
    ['of which tesseract was ended over a page', 'ended', OCR_ENDED, 'ocr'],
    ['some pages of which are scans that nothing recognised', 'no_ocr', PAGES_WITHOUT_OCR, 'extracted'],
  ] as const)(
    '%s is read again at the next start, and not kept for other copies',
    async (_what, unfinished, begins, status) => {
      const sha256 = put('a.pdf', 'bytes of a document');
      await sync.storeExtraction(extraction(sha256, { status, unfinished, detail: `${begins}…` }));
      expect(row('a.pdf')).toMatchObject({ state: 'indexed', reason: `${status}: ${begins}…` });
      expect(await sync.syncPath('a.pdf')).toBe('unchanged');
      put('copy.pdf', 'bytes of a document');
      expect(await sync.syncPath('copy.pdf')).toBe('waiting');
      for (const reason of RETRIED_AT_START) writer.makeStale(reason);
      expect(await sync.syncPath('a.pdf')).toBe('waiting');
      // Found meanwhile by what was read of it.
      expect(reader.chunksOf('a.pdf')).toHaveLength(1);
    },
  );

  it('whose pictures were looked at by OCR is read again for other languages, though its text is its own', async () => {
    const sha256 = put('a.pdf', 'bytes of a document');
    await sync.storeExtraction(extraction(sha256, { status: 'extracted', ocr_pages: 1 }));
    const german = syncWith({ describer: describerFor({ ocr: true, ocrLanguages: ['deu'] }) });
    expect(await german.syncPath('a.pdf')).toBe('waiting');
  });

  it('that OCR read before stays while nothing recognises it, and is read again once something does', async () => {
    const sha256 = put('a.pdf', 'bytes of a document');
    await sync.storeExtraction(extraction(sha256, { status: 'ocr', ocr_pages: 1 }));
    const without = { describer: describerFor({ ocr: false, ocrLanguages: ['eng'] }) };
    const detail = `${SCAN_WITHOUT_OCR}OCR is off.`;
    const lacking = extraction(sha256, { status: 'needs_ocr', text: '', unfinished: 'no_ocr', pages: 1, detail });
    expect(await syncWith(without).syncPath('a.pdf')).toBe('waiting');
    const handedBack = { ...lacking, retry: detail };
    for (const found of [handedBack, lacking]) {
      await syncWith(without).storeExtraction(found);
      expect(row('a.pdf')).toMatchObject({
        state: 'indexed',
        reason: `ocr: Its text is what OCR read of it before. ${detail}`,
      });
      expect(reader.chunksOf('a.pdf')).toHaveLength(1);
    }
    expect(await syncWith(without).syncPath('a.pdf')).toBe('unchanged');
    for (const reason of LACKS_OCR) writer.makeStale(reason, HANDED_BACK);
    expect(await syncWith(without).syncPath('a.pdf')).toBe('waiting');
    // As before, the text of that time is in the cache.
    expect([await sync.syncPath('a.pdf'), row('a.pdf')?.reason]).toEqual(['stored', 'ocr']);
  });

  it('that cannot be read is known for every copy', async () => {
    const sha256 = put('a.pdf', 'bytes of a document');
    await sync.storeExtraction(extraction(sha256, { status: 'failed', text: '', detail: 'It is encrypted.' }));
    put('copy.pdf', 'bytes of a document');
    expect(await sync.syncPath('copy.pdf')).toBe('stored');
    for (const path of ['a.pdf', 'copy.pdf']) {
      expect(row(path)).toMatchObject({ state: 'quarantined', reason: 'It is encrypted.' });
    }
    expect(asked).toEqual([]);
  });

  it('that a worker handed back is asked for anew, and says meanwhile what holds it up', async () => {
    const sha256 = put('a.pdf', 'bytes of a document');
    expect(await sync.syncPath('a.pdf')).toBe('waiting');
    const failed = extraction(sha256, { status: 'failed', text: '', interrupted: true });
    await sync.storeExtraction({ ...failed, retry: 'The worker has another vault.' });
    expect(row('a.pdf')).toMatchObject({ state: 'no_text', reason: 'pending: The worker has another vault.' });
    expect(asked).toEqual(['extract-document', 'extract-document']);
    // Stale, so that a reconcile asks again where the queue is lost.
    expect(digestOf('a.pdf')).toBe(HANDED_BACK);

    await sync.storeExtraction(extraction(sha256, { status: 'ocr' }));
    await sync.storeExtraction({ ...failed, retry: 'The worker has another vault.' });
    expect(row('a.pdf')).toMatchObject({ state: 'indexed', reason: 'ocr' });
    expect(asked).toHaveLength(2);
  });

  it.each<[string, string | undefined, () => void]>([
    ['is gone', undefined, () => rmSync(join(folder.path, 'vault', 'a.pdf'))],
    ['has other bytes', 'pending', () => void put('a.pdf', 'other bytes')],
  ])('is not held up where the document %s by the time that it is handed back', async (_how, reason, become) => {
    const sha256 = put('a.pdf', 'bytes of a document');
    await sync.syncPath('a.pdf');
    become();
    await sync.storeExtraction({ ...extraction(sha256, { status: 'failed', interrupted: true }), retry: 'Elsewhere.' });
    expect(row('a.pdf')?.reason).toBe(reason);
  });
});
