import type { IndexReader } from '@vault-mcp/shared/index-db/reader';
import type { IndexerStatus } from '@vault-mcp/shared/index-db/rows';
import { UNNAMEABLE_REASON } from '@vault-mcp/shared/vault/walk-folder';
import { describe, expect, it } from 'vitest';
import { findingsOf, needsPerson } from './findings.ts';
import type { IndexProgress } from './indexing-progress.ts';

const WELL: IndexProgress = {
  state: 'ready',
  error: null,
  waiting: 0,
  idle: true,
  counts: { notes: 1, documents: 0, quarantined: 0, chunks: 2, embedded: 2, pending: 0, failed: 0 },
  embedder: { ok: true, provider: 'builtin', model: 'm', error: null },
};

type Parts = Pick<IndexReader, 'quarantined' | 'documentsLacking' | 'failedChunks' | 'indexerStatus'>;

/** As much of a reader as findings ask for. */
const reader = (parts: Partial<Parts> = {}): IndexReader =>
  ({
    quarantined: () => [],
    documentsLacking: () => [],
    failedChunks: () => [],
    indexerStatus: () => null,
    ...parts,
  }) as Parts as IndexReader;

/** One document that lacks this and nothing else. */
const lacking = (what: 'text' | 'parts', reason: string): Partial<Parts> => ({
  documentsLacking: (asked) => (asked === what ? [{ path: 'scan.pdf', reason }] : []),
});

const status = (changes: Partial<IndexerStatus>): Partial<Parts> => ({
  indexerStatus: () => ({ unreadable: [], cache: { ok: true, state: 'on', error: null }, ...changes }) as IndexerStatus,
});

const NO_PAGE = { ok: true, entries: 0, error: null } as const;

describe('what doctor finds', () => {
  it('is nothing in an index that is well', () => {
    expect(findingsOf(WELL, reader(status({})), { ok: true, error: null })).toEqual([]);
  });

  it.each([
    [
      'an index that could not be built',
      { ...WELL, state: 'failed' as const, error: 'no permission' },
      reader(),
      'index_not_ready',
    ],
    [
      'a file in quarantine',
      WELL,
      reader({ quarantined: () => [{ path: 'a.md', reason: 'NUL' }] }),
      'file_quarantined',
    ],
    [
      'a chunk without vector',
      WELL,
      reader({ failedChunks: () => [{ path: 'a.md', lineStart: 3, reason: 'too long' }] }),
      'chunk_without_vector',
    ],
    [
      'a scan nobody could read',
      WELL,
      reader(lacking('text', 'needs_ocr: tesseract is not installed')),
      'document_needs_ocr',
    ],
    [
      'a document with pages nobody could read',
      WELL,
      reader(lacking('parts', 'extracted: Some of its pages are scans, and OCR is off. Left out: page 2.')),
      'document_read_in_part',
    ],
    [
      'a dead embedder',
      { ...WELL, embedder: { ...WELL.embedder, ok: false, error: 'refused' } },
      reader(),
      'embedder_unreachable',
    ],
    [
      'an unreadable folder',
      WELL,
      reader(status({ unreadable: [{ path: 'B', reason: 'EACCES' }] })),
      'folder_unreadable',
    ],
    [
      'a name that nobody could ask for',
      WELL,
      reader(status({ unreadable: [{ path: 'a\nb.md', reason: UNNAMEABLE_REASON }] })),
      'name_not_served',
    ],
    [
      'a broken cache',
      WELL,
      reader(status({ cache: { ok: false, state: 'broken', error: 'corrupt' } })),
      'cache_broken',
    ],
    [
      'an index page that cannot be written',
      WELL,
      reader(
        status({ indexDoc: { ok: false, state: 'failed', entries: 0, error: 'The disk is full.', detail: null } }),
      ),
      'index_page_failed',
    ],
    [
      'an index page that nobody may write',
      WELL,
      reader(
        status({ indexDoc: { ...NO_PAGE, state: 'disabled', detail: 'Grant it write access.', forbidden: true } }),
      ),
      'index_page_forbidden',
    ],
    [
      'a second index page that was generated',
      WELL,
      reader(status({ indexDoc: { ...NO_PAGE, state: 'published', detail: 'Delete it.', spare: ['INDEX.md'] } })),
      'index_page_spare',
    ],
  ])('names %s, and that it needs a person', (_what, progress, from, code) => {
    const findings = findingsOf(progress, from, null);
    expect(findings.map((finding) => finding.code)).toEqual([code]);
    expect(findings.every(needsPerson)).toBe(true);
  });

  it.each([
    [
      'needs_ocr: This is a scan, and tesseract is not installed here. Install it (Debian: tesseract-ocr).',
      'was not read by OCR. This is a scan, and tesseract is not installed here. Install it (Debian: tesseract-ocr).',
    ],
    [
      'needs_ocr: page 1 could not be recognised (tesseract failed (exit code 1)); page 2 too',
      'was not read by OCR. Page 1 could not be recognised (tesseract failed (exit code 1)); page 2 too.',
    ],
    ['needs_ocr', 'was not read by OCR.'],
    ['pending', 'is still to be read.'],
    [
      'pending: An extract worker does not have it in its vault. Check that each has the same: all of it.',
      'is still to be read. An extract worker does not have it in its vault. Check that each has the same: all of it.',
    ],
    ['no_text', 'holds no text.'],
    ['no_text: the text was cut', 'holds no text. The text was cut.'],
  ])('says of a document without text, in whole sentences and each thing once: %s', (reason, message) => {
    expect(findingsOf(WELL, reader(lacking('text', reason)), null)).toMatchObject([{ path: 'scan.pdf', message }]);
  });

  it.each([
    [
      'extracted: Some of its pages are scans, and OCR is off. Left out: pages 2, 5.',
      'is found by a part of its text only. Some of its pages are scans, and OCR is off. Left out: pages 2, 5.',
    ],
    [
      'ocr: page 3 could not be recognised (Bad image.)',
      'is found by a part of its text only. Page 3 could not be recognised (Bad image).',
    ],
  ])('says of a document that was read in part what was not: %s', (reason, message) => {
    expect(findingsOf(WELL, reader(lacking('parts', reason)), null)).toMatchObject([{ path: 'scan.pdf', message }]);
  });

  it.each([
    [
      'interrupted: Reading it was stopped: it took longer than 90 seconds. Raise vault.doc_max_seconds.',
      'is in quarantine, not in the index. Reading it was stopped: it took longer than 90 seconds. Raise vault.doc_max_seconds.',
    ],
    [
      'The file cannot be read (EACCES). Check its permissions and its disk.',
      'is in quarantine, not in the index. The file cannot be read (EACCES). Check its permissions and its disk.',
    ],
  ])('says of a file in quarantine, in whole sentences: %s', (reason, message) => {
    const quarantined = () => [{ path: 'a.pdf', reason }];
    expect(findingsOf(WELL, reader({ quarantined }), null)).toMatchObject([{ path: 'a.pdf', message }]);
  });

  it('names a watcher that is down', () => {
    expect(findingsOf(WELL, reader(), { ok: false, error: 'ENOSPC' }).map(({ code }) => code)).toEqual([
      'watcher_down',
    ]);
  });

  it('says of an index.md of a person’s own how to hand it over, which needs nobody', () => {
    const indexDoc = { ok: true, state: 'foreign' as const, entries: 0, error: null, detail: 'It is left alone.' };
    const findings = findingsOf(WELL, reader(status({ indexDoc })), null);
    expect(findings).toEqual([{ code: 'index_page_foreign', severity: 'info', message: 'It is left alone.' }]);
    expect(findings.some(needsPerson)).toBe(false);
  });

  it('says nothing of an index page that is switched off, or of a disk that is only read', () => {
    const indexDoc = { ...NO_PAGE, state: 'disabled' as const, detail: 'The vault is mounted read-only.' };
    expect(findingsOf(WELL, reader(status({ indexDoc })), null)).toEqual([]);
  });

  it('mentions vectors still to come, which need nobody', () => {
    const findings = findingsOf({ ...WELL, counts: { ...WELL.counts, embedded: 1, pending: 1 } }, reader(), null);
    expect(findings.map(({ code }) => code)).toEqual(['vectors_pending']);
    expect(findings.some(needsPerson)).toBe(false);
  });
});
