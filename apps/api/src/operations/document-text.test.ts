import type { IndexerStatus } from '@vault-mcp/shared/index-db/rows';
import { openIndexWriter } from '@vault-mcp/shared/index-db/writer';
import { describe, expect, it } from 'vitest';
import { noteOf, sha256 } from '../../../../test/support/index-records.ts';
import { readingSuite } from '../../../../test/support/reading-context.ts';
import { requireText } from './document-text.ts';
import { TOOL_WAYS } from './document-ways.ts';
import { mapNote } from './map-note.ts';
import { readNote } from './read-note.ts';

const FILES: Record<string, string> = {
  'House/Files/Manual.pdf': 'not really a pdf',
  'House/Files/Scan.pdf': 'a scan',
  'House/Files/New.pdf': 'just added',
  'House/Files/Locked.pdf': 'encrypted',
  'House/Files/Stamped.pdf': 'a scan with page numbers',
  'House/Files/Slow.pdf': 'takes too long',
  'House/Files/Broken.pdf': 'half a pdf',
  'House/Files/Blank.pdf': 'a blank page',
  'House/Files/Faded.pdf': 'a blank page and another',
  'Archive/Files/Old.pdf': 'never looked at',
};

/** Of a file that could not be looked at. */
const UNSEEN = { size: 0, mtimeMs: 0, ctimeMs: 0, inode: 0 };

const vault = readingSuite(FILES, { INDEX_EXCLUDE_DIRS: 'Archive' });

/** What the indexer would have stored of the documents. */
function indexDocuments(): void {
  const writer = openIndexWriter(vault.context.config.index.path);
  const document = (
    name: string,
    texts: string[],
    reason: string | null,
    state: 'indexed' | 'no_text' | 'quarantined',
  ) =>
    writer.putFile({
      ...noteOf(`House/Files/${name}`, texts),
      ...(state === 'quarantined' ? { stat: UNSEEN } : {}),
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
  document('Broken.pdf', [], 'It could not be opened (Invalid PDF structure.).', 'quarantined');
  document('Blank.pdf', [], 'no_text', 'no_text');
  document('Faded.pdf', [], 'no_text: page 2 could not be recognised', 'no_text');
  writer.close();
}

describe('reading a document', () => {
  it('says pending while there is no index, and the etag is right all the same', async () => {
    const document = await readNote(vault.context, { path: 'House/Files/Manual.pdf' });
    expect(document).toMatchObject({ extraction: 'pending', content: '', etag: sha256('not really a pdf') });
  });

  it('gives its text from the index, or why there is none', async () => {
    indexDocuments();
    const read = (name: string) => readNote(vault.context, { path: `House/Files/${name}` });
    expect(await read('Manual.pdf')).toMatchObject({
      kind: 'document',
      extraction: 'extracted',
      content: '## Page 1\nTurn the valve.',
      next_offset: null,
    });
    expect(await read('Scan.pdf')).toMatchObject({ extraction: 'needs_ocr', detail: 'tesseract is not installed' });
    expect(await read('Locked.pdf')).toMatchObject({ extraction: 'failed', detail: 'The document is encrypted.' });
    expect(await read('New.pdf')).toMatchObject({
      extraction: 'pending',
      detail: expect.stringMatching(/indexer has not/),
    });
    expect(await read('Slow.pdf')).toMatchObject({ extraction: 'failed', detail: 'It took longer than 90 seconds.' });
  });

  it('quotes a fault without its full stop, and says what to do about one that holds no text', async () => {
    const detailOf = async (name: string) => {
      const { detail } = (await readNote(vault.context, { path: `House/Files/${name}` })) as { detail: string };
      return detail;
    };
    expect(await detailOf('Broken.pdf')).toBe('It could not be opened (Invalid PDF structure).');
    expect(await detailOf('Blank.pdf')).toMatch(
      /^No text was found in it\. Open the document itself, and say in a note/,
    );
    expect(await detailOf('Faded.pdf')).toMatch(/^Page 2 could not be recognised\. Open the document itself/);
  });

  it('gives the little text of a scan, and says all the same that it was not read', async () => {
    expect(await readNote(vault.context, { path: 'House/Files/Stamped.pdf' })).toMatchObject({
      extraction: 'needs_ocr',
      detail: 'tesseract is not installed',
      content: 'Page 1 of 1',
      extracted_chars: 11,
    });
  });

  it('says how far a scan is that somebody reads by now, though others could not', async () => {
    const detailAt = async (step: 'text' | 'ocr') => {
      const writer = openIndexWriter(vault.context.config.index.path);
      const reading = [{ path: 'House/Files/Scan.pdf', sha256: sha256('a scan'), step, page: 3, pages: 9 }];
      const status = { heartbeatMs: Date.now(), queue: {}, extraction: { reading, ocr: null } };
      writer.publishStatus(status as unknown as IndexerStatus);
      writer.close();
      return (await readNote(vault.context, { path: 'House/Files/Scan.pdf' })) as {
        extraction: string;
        detail: string;
      };
    };
    expect(await detailAt('ocr')).toMatchObject({
      extraction: 'needs_ocr',
      detail: 'It is being read by now, page 3 of 9 (OCR): ask again in a moment.',
    });
    // As one does that lacks OCR too.
    expect(await detailAt('text')).toMatchObject({ extraction: 'needs_ocr', detail: 'tesseract is not installed' });
  });

  it('is not told to be on its way where the indexer never looks', async () => {
    expect(await readNote(vault.context, { path: 'Archive/Files/Old.pdf' })).toMatchObject({
      extraction: 'failed',
      detail: expect.stringContaining('index.exclude_dirs'),
      content: '',
    });
  });

  it('never gives text of bytes that have been replaced since', async () => {
    vault.put('House/Files/Manual.pdf', 'other bytes');
    const document = await readNote(vault.context, { path: 'House/Files/Manual.pdf' });
    expect(document).toMatchObject({ extraction: 'pending', content: '', etag: sha256('other bytes') });
  });

  it('is mapped as what is known of its extraction', async () => {
    expect(await mapNote(vault.context, { path: 'House/Files/Scan.pdf' })).toMatchObject({
      kind: 'document',
      extraction: 'needs_ocr',
      extracted_chars: 0,
    });
  });

  it('has pages for sections, and none while it has no text', async () => {
    await expect(readNote(vault.context, { path: 'House/Files/Scan.pdf', section: 'Page 1' })).rejects.toMatchObject({
      code: 'extraction_failed',
    });
  });
});

describe('asking for the text alone', () => {
  const document = { path: 'a.pdf', content: '', stat: { ctime: 0, mtime: 0, size: 2000 } };
  const limitedTo = (doc_max_bytes: number) => {
    const { config } = vault.context;
    return { config: { ...config, vault: { ...config.vault, doc_max_bytes } } };
  };

  it.each([
    ['pending', 'It is being read, page 2 of 5.', 'not_ready', /not there yet\. It is being read, page 2 of 5\. \?raw/],
    ['failed', 'It is encrypted.', 'extraction_failed', /: It is encrypted\. \?raw/],
    ['needs_ocr', 'tesseract is not installed', 'extraction_failed', /: tesseract is not installed\. \?raw/],
  ] as const)('is refused, with the reason, of one that has none to give: %s', (extraction, detail, code, message) => {
    expect(() => requireText(vault.context, { ...document, extraction, detail })).toThrow(
      expect.objectContaining({ code, message: expect.stringMatching(message) }),
    );
  });

  it('is refused over MCP in the words of its tools, for a query is nothing that could be asked there', () => {
    const failed = { ...document, extraction: 'failed' } as const;
    for (const ask of [
      () => requireText(vault.context, { ...document, extraction: 'pending' }, TOOL_WAYS),
      () => requireText(vault.context, failed, TOOL_WAYS),
      () => requireText(limitedTo(1), failed, TOOL_WAYS),
    ]) {
      expect(ask).toThrow(expect.objectContaining({ message: expect.stringMatching(/^[^?]*vault_map says[^?]*$/) }));
    }
  });

  it('is refused of one that is too large for its text to be extracted, unless it has some from before', () => {
    const failed = { ...document, extraction: 'failed' } as const;
    const tooLarge = expect.objectContaining({
      code: 'document_too_large',
      message: expect.stringMatching(/2000 bytes, .* up to 1999: .* raise vault\.doc_max_bytes\. \?raw/),
    });
    expect(() => requireText(limitedTo(1999), failed)).toThrow(tooLarge);
    expect(() => requireText(limitedTo(1999), { ...document, extraction: 'extracted', content: 'text' })).not.toThrow();
    for (const limit of [2000, 0]) {
      expect(() => requireText(limitedTo(limit), failed)).toThrow(
        expect.objectContaining({ code: 'extraction_failed' }),
      );
    }
  });

  it.each([
    ['extracted', 'text'],
    ['ocr', 'text'],
    ['needs_ocr', 'Page 1'],
    ['no_text', ''],
  ] as const)('gives what there is: %s %j', (extraction, content) => {
    expect(() => requireText(vault.context, { ...document, extraction, content })).not.toThrow();
  });
});
