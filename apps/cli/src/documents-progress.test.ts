import { describe, expect, it } from 'vitest';
import { type DocumentsProgress, describeDocuments, documentBar } from './documents-progress.ts';

const SCAN = { path: 'Files/scan.pdf', step: 'ocr', page: 3, pages: 12 } as const;
const documents = (changes: Partial<DocumentsProgress>): DocumentsProgress => ({
  ...{ pending: 0, needsOcr: 0, reading: [] },
  ...changes,
});

describe('documents that are being read', () => {
  it('are told with the page they are at and how many wait', () => {
    expect(describeDocuments(documents({ pending: 5, reading: [SCAN] }))).toBe(
      'reading Files/scan.pdf, page 3 of 12 (OCR); 4 documents wait to be read',
    );
  });

  it('are told without a name where a server gives none, and without a page while they are opened', () => {
    const opened = { step: 'text', page: 0, pages: 0 } as const;
    expect(describeDocuments(documents({ pending: 2, reading: [opened] }))).toBe(
      'reading a document; 1 document waits to be read',
    );
  });

  it('are nothing to tell of when there are none', () => {
    expect([describeDocuments(documents({})), documentBar(documents({ pending: 3 }))]).toEqual([null, null]);
  });

  it('are a bar of the pages that are done', () => {
    expect(documentBar(documents({ reading: [SCAN] }))).toEqual({
      label: 'OCR of Files/scan.pdf ',
      done: 2,
      total: 12,
    });
  });

  it('have names that cannot write over the terminal', () => {
    const strange = { ...SCAN, path: 'a\u001b[2J\nb.pdf' };
    expect(describeDocuments(documents({ reading: [strange] }))).toContain('a␛[2J␊b.pdf');
  });
});
