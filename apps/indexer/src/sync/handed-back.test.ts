/**
 * Documents that workers hand back, in a real index: what is said of them, how they are asked for anew, and that saying the
 * same again changes nothing.
 */
import type { JobPayload } from '@vault-mcp/shared/queue/jobs';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type SyncedVault, syncedVault } from '../../../../test/support/synced-vault.ts';
import type { ExtractionResult } from './extraction-result.ts';
import type { FileSync } from './sync-file.ts';
import { OF_BEFORE_START } from './unread-document.ts';

const LACK = 'tesseract is not installed here.';
const DETAIL = `This is a scan, and ${LACK} It is read later.`;

let vault: SyncedVault;
let sync: FileSync;
let asked: JobPayload<'extract-document'>[];
let sha256: string;
beforeEach(async () => {
  vault = await syncedVault();
  asked = [];
  sync = vault.syncWith({
    producer: { ...vault.deps.producer, add: async (_name, job) => void asked.push(job as (typeof asked)[number]) },
  });
  sha256 = vault.put('a.pdf', 'bytes of a document');
  await sync.syncPath('a.pdf');
});
afterEach(() => vault.close());

const row = () => vault.reader.fileByPath('a.pdf');
/** A worker without OCR has read what there is without. */
const stamped = (): ExtractionResult => ({
  ...{ path: 'a.pdf', sha256, status: 'needs_ocr', detail: DETAIL, retry: DETAIL },
  ...{ text: '## Page 1\n\nA stamp about gutters.\n', pages: 1, has_text_layer: false, interrupted: false },
});
const unopened = (): ExtractionResult => ({ path: 'a.pdf', sha256, status: 'needs_ocr', detail: LACK, retry: LACK });
const elsewhere = (): ExtractionResult => ({
  ...{ path: 'a.pdf', sha256, status: 'failed', interrupted: true, retry: 'An extract worker has another vault.' },
});

it('says at once what a scan needs, with the little that can be read of it, and asks for it anew', async () => {
  await sync.storeExtraction(stamped());
  expect(row()).toMatchObject({
    state: 'indexed',
    reason: `needs_ocr: ${DETAIL}`,
    pages: { count: 1, hasText: false },
  });
  expect(vault.reader.chunksOf('a.pdf')).toHaveLength(1);
  expect(vault.reader.documentStates()).toMatchObject({ pending: 0, needsOcr: 1, failed: 0 });
  expect(asked.map(({ needs_ocr }) => needs_ocr ?? false)).toEqual([false, true]);
});

it('writes nothing while it comes back for the same, or is asked for by a reconcile, and asks each time', async () => {
  await sync.storeExtraction(stamped());
  const [before, generation] = [row(), vault.reader.generation()];
  for (const result of [unopened(), stamped(), elsewhere()]) await sync.storeExtraction(result);
  expect(await sync.syncPath('a.pdf')).toBe('waiting');
  expect([row(), vault.reader.generation()]).toEqual([before, generation]);
  expect(asked.slice(1).map(({ needs_ocr }) => needs_ocr)).toEqual(Array.from({ length: 5 }, () => true));
});

it('writes nothing while a document that cannot be read elsewhere comes back, or waits', async () => {
  await sync.syncPath('a.pdf');
  const generation = vault.reader.generation();
  for (let i = 0; i < 3; i++) await sync.storeExtraction(elsewhere());
  expect(await sync.syncPath('a.pdf')).toBe('waiting');
  expect(row()).toMatchObject({ state: 'no_text', reason: 'pending: An extract worker has another vault.' });
  expect(vault.reader.generation()).toBe(generation);
  expect(asked.map(({ needs_ocr }) => needs_ocr)).toEqual(Array.from({ length: 6 }, () => undefined));
});

it('is replaced by what the first worker that can read it finds, and kept by what comes back after that', async () => {
  await sync.storeExtraction(stamped());
  await sync.storeExtraction({
    path: 'a.pdf',
    sha256,
    status: 'ocr',
    text: '## Page 1\n\nThe gutters leak.\n',
    pages: 1,
  });
  for (const result of [unopened(), stamped(), elsewhere()]) await sync.storeExtraction(result);
  expect(row()).toMatchObject({ state: 'indexed', reason: 'ocr' });
  expect(asked).toHaveLength(2);
});

it('is asked for anew after a start, and found meanwhile by what is known of it', async () => {
  await sync.storeExtraction(stamped());
  for (const reason of OF_BEFORE_START) vault.writer.makeStale(reason);
  await sync.syncPath('a.pdf');
  expect(row()).toMatchObject({ state: 'indexed', reason: `needs_ocr: ${DETAIL}` });
  // Who does not open it cannot say what there is in it: the next one is to look.
  await sync.storeExtraction(unopened());
  expect([row()?.reason, asked.at(-1)?.needs_ocr]).toEqual([`needs_ocr: ${DETAIL}`, undefined]);
  await sync.storeExtraction(stamped());
  expect(row()?.reason).toBe(`needs_ocr: ${DETAIL}`);
});

it('is said of every copy, each of which is another document once its bytes change', async () => {
  vault.put('copy.pdf', 'bytes of a document');
  await sync.syncPath('copy.pdf');
  await sync.storeExtraction(stamped());
  vault.put('copy.pdf', 'other bytes');
  await sync.storeExtraction(unopened());
  await sync.syncPath('copy.pdf');
  expect(row()?.reason).toBe(`needs_ocr: ${DETAIL}`);
  expect(vault.reader.fileByPath('copy.pdf')?.reason).toBe('pending');
});
