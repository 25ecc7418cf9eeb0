import { AppError } from '@vault-mcp/shared/errors';
import type { IndexReader } from '@vault-mcp/shared/index-db/reader';
import type { DocumentInHand } from '@vault-mcp/shared/index-db/rows';
import { createAccess, EVERYTHING } from '@vault-mcp/shared/vault/access';
import { describe, expect, it } from 'vitest';
import { whyPending } from './pending-text.ts';

const OTHER: DocumentInHand = { path: 'Files/secret.pdf', sha256: 'other', step: 'ocr', page: 3, pages: 12 };
const OWN: DocumentInHand = { path: 'a.pdf', sha256: 'own', step: 'text', page: 2, pages: 5 };

/** An index whose indexer has just reported that these are being read. */
function reading(documents: readonly DocumentInHand[], { pending = 1, heartbeatMs = Date.now(), readers = 1 } = {}) {
  const queue = { consumers: { index: 1, extract: readers, embed: 1 } };
  const reader = {
    indexerStatus: () => ({ heartbeatMs, queue, extraction: { reading: documents, ocr: null } }),
    documentStates: () => ({ pending, needsOcr: 0, failed: 0 }),
  };
  return { reader: reader as unknown as IndexReader, vault: { access: EVERYTHING } };
}

describe('what is said of a document whose text is still to come', () => {
  it('is the page it is at', () => {
    expect(whyPending(reading([OTHER, OWN]), 'own')).toBe('It is being read, page 2 of 5: ask again in a moment.');
    const recognised = { ...OWN, step: 'ocr' } as const;
    expect(whyPending(reading([recognised]), 'own')).toBe(
      'It is being read, page 2 of 5 (OCR): ask again in a moment.',
    );
  });

  it('is no page while it is being opened', () => {
    const opened = { ...OWN, page: 0, pages: 0 };
    expect(whyPending(reading([opened]), 'own')).toBe('It is being read: ask again in a moment.');
  });

  it('is how many wait beside it, and how far the one in work is, without its name', () => {
    expect(whyPending(reading([OTHER], { pending: 5 }), 'own')).toBe(
      'It waits to be read, as do 3 other documents, while one other document is being read, page 3 of 12 (OCR): ask again later.',
    );
    expect(whyPending(reading([OTHER, { ...OTHER, sha256: 'third' }], { pending: 4 }), 'own')).toBe(
      'It waits to be read, as does one other document, while 2 other documents are being read: ask again later.',
    );
    expect(whyPending(reading([], { pending: 2 }), 'own')).toBe(
      'It waits to be read, as does one other document: ask again later.',
    );
  });

  it('counts none that is being read among those that wait', () => {
    for (const pending of [1, 2]) {
      expect(whyPending(reading([OTHER], { pending }), 'own')).toBe(
        'It waits to be read, while one other document is being read, page 3 of 12 (OCR): ask again later.',
      );
    }
  });

  it('is the same for who reads a part of the vault, whatever else waits or is read', () => {
    const partly = { vault: { access: createAccess([{ prefix: 'Docs', read: true }]) } };
    for (const context of [reading([]), reading([], { pending: 7 }), reading([OTHER], { pending: 5 })]) {
      expect(whyPending({ ...context, ...partly }, 'own')).toBe('Its text is still to be extracted: ask again later.');
    }
    expect(whyPending({ ...reading([OWN]), ...partly }, 'own')).toMatch(/^It is being read, page 2 of 5/);
  });

  it('is plain where nothing else waits', () => {
    expect(whyPending(reading([]), 'own')).toBe('Its text is still to be extracted: ask again in a moment.');
  });

  it('is what holds it up, unless somebody reads it by now', () => {
    expect(whyPending(reading([]), 'own', 'A worker has another vault.')).toBe('A worker has another vault.');
    expect(whyPending(reading([OWN]), 'own', 'A worker has another vault.')).toMatch(/^It is being read/);
  });

  it('is that no process takes documents, whatever one said that has gone, unless somebody reads it', () => {
    const nobody = /^It waits to be read and no process with the extract role is there: .*INDEXER_ROLES=extract/;
    expect(whyPending(reading([], { readers: 0 }), 'own')).toMatch(nobody);
    expect(whyPending(reading([OTHER], { readers: 0, pending: 9 }), 'own', 'A worker has another vault.')).toMatch(
      nobody,
    );
    expect(whyPending(reading([OWN], { readers: 0 }), 'own')).toMatch(/^It is being read/);
  });

  it('is nothing of processes where nobody can tell how many there are', () => {
    const { reader, vault } = reading([]);
    const queue = { ok: true, depth: 0, failed: 0, error: null };
    const untold = { ...reader, indexerStatus: () => ({ ...reader.indexerStatus(), queue }) } as unknown as IndexReader;
    expect(whyPending({ reader: untold, vault }, 'own')).toMatch(/^Its text is still to be extracted/);
  });

  it('is that nobody is there, whatever was said last', () => {
    expect(whyPending(reading([OWN], { heartbeatMs: Date.now() - 60_000 }), 'own')).toMatch(/^The indexer has not/);
    const missing = () => {
      throw new AppError('not_ready', 'There is no index yet.');
    };
    const reader = { indexerStatus: missing, documentStates: missing } as unknown as IndexReader;
    expect(whyPending({ reader, vault: { access: EVERYTHING } }, 'own')).toMatch(/^The indexer has not reported yet/);
  });
});
