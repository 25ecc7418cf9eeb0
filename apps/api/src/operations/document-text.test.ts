import { openIndexWriter } from '@vault-mcp/shared/index-db/writer';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { noteOf, sha256 } from '../../../../test/support/index-records.ts';
import { type ReadingContext, readingContext } from '../../../../test/support/reading-context.ts';
import type { OperationContext } from '../context.ts';
import { mapNote } from './map-note.ts';
import { readNote } from './read-note.ts';

const FILES: Record<string, string> = {
  'House/Files/Manual.pdf': 'not really a pdf',
  'House/Files/Scan.pdf': 'a scan',
  'House/Files/New.pdf': 'just added',
  'House/Files/Locked.pdf': 'encrypted',
  'House/Files/Stamped.pdf': 'a scan with page numbers',
  'House/Files/Slow.pdf': 'takes too long',
};

let vault: ReadingContext;
let context: OperationContext;
beforeAll(async () => {
  vault = await readingContext(FILES);
  ({ context } = vault);
});
afterAll(() => vault.remove());

/** What the indexer would have stored of the documents. */
function indexDocuments(): void {
  const writer = openIndexWriter(context.config.index.path);
  const document = (
    name: string,
    texts: string[],
    reason: string | null,
    state: 'indexed' | 'no_text' | 'quarantined',
  ) =>
    writer.putFile({
      ...noteOf(`House/Files/${name}`, texts),
      kind: 'document',
      sha256: state === 'quarantined' ? '' : sha256(String(FILES[`House/Files/${name}`])),
      state,
      reason,
    });
  document('Manual.pdf', ['## Page 1', 'Turn the valve.'], null, 'indexed');
  document('Scan.pdf', [], 'needs_ocr: tesseract is not installed', 'no_text');
  document('Locked.pdf', [], 'The document is encrypted.', 'quarantined');
  document('Stamped.pdf', ['Page 1 of 1'], 'needs_ocr: tesseract is not installed', 'indexed');
  document('Slow.pdf', [], 'interrupted: It took longer than 90 seconds.', 'quarantined');
  writer.close();
}

describe('reading a document', () => {
  it('says pending while there is no index, and the etag is right all the same', async () => {
    const document = await readNote(context, { path: 'House/Files/Manual.pdf' });
    expect(document).toMatchObject({ extraction: 'pending', content: '', etag: sha256('not really a pdf') });
  });

  it('gives its text from the index, or why there is none', async () => {
    indexDocuments();
    const read = (name: string) => readNote(context, { path: `House/Files/${name}` });
    expect(await read('Manual.pdf')).toMatchObject({
      kind: 'document',
      extraction: 'extracted',
      content: '## Page 1\nTurn the valve.',
      next_offset: null,
    });
    expect(await read('Scan.pdf')).toMatchObject({ extraction: 'needs_ocr', detail: 'tesseract is not installed' });
    expect(await read('Locked.pdf')).toMatchObject({ extraction: 'failed', detail: 'The document is encrypted.' });
    expect(await read('New.pdf')).toMatchObject({ extraction: 'pending' });
    expect(await read('Slow.pdf')).toMatchObject({ extraction: 'failed', detail: 'It took longer than 90 seconds.' });
  });

  it('gives the little text of a scan, and says all the same that it was not read', async () => {
    expect(await readNote(context, { path: 'House/Files/Stamped.pdf' })).toMatchObject({
      extraction: 'needs_ocr',
      detail: 'tesseract is not installed',
      content: 'Page 1 of 1',
      extracted_chars: 11,
    });
  });

  it('never gives text of bytes that have been replaced since', async () => {
    await vault.put('House/Files/Manual.pdf', 'other bytes');
    const document = await readNote(context, { path: 'House/Files/Manual.pdf' });
    expect(document).toMatchObject({ extraction: 'pending', content: '', etag: sha256('other bytes') });
  });

  it('is mapped as what is known of its extraction', async () => {
    expect(await mapNote(context, { path: 'House/Files/Scan.pdf' })).toMatchObject({
      kind: 'document',
      extraction: 'needs_ocr',
      extracted_chars: 0,
    });
  });

  it('has no sections', async () => {
    await expect(readNote(context, { path: 'House/Files/Scan.pdf', section: 'Page 1' })).rejects.toMatchObject({
      code: 'is_document',
    });
  });
});
