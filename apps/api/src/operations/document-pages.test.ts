import { AppError } from '@vault-mcp/shared/errors';
import { describe, expect, it } from 'vitest';
import { pageOf } from './document-pages.ts';

const DEED = {
  path: 'Files/Deed.pdf',
  pages: 12,
  content: '## Page 1\n\nSigned.\n\n#### Terms\n\nSee page 2.\n\n## Page 3\n\nSealed.\n\n## Page 12\n\nDelivered.\n',
};
const refusal = (section: string, document: Parameters<typeof pageOf>[0] = DEED): string => {
  try {
    return pageOf(document, section);
  } catch (error) {
    return error instanceof AppError ? `${error.code}: ${error.message}` : String(error);
  }
};

describe('a page of a document', () => {
  it.each([
    ['Page 1', '## Page 1\n\nSigned.\n\n#### Terms\n\nSee page 2.\n'],
    ['page 3 ', '## Page 3\n\nSealed.\n'],
    ['Page 12', '## Page 12\n\nDelivered.\n'],
  ])('is read alone: %s', (section, text) => {
    expect(pageOf(DEED, section)).toBe(text);
  });

  it('that is blank is told from one that is not there, with the pages that have text', () => {
    expect(refusal('Page 2')).toBe(
      'no_such_heading: Page 2 of "Files/Deed.pdf" has no text. Pages with text: 1, 3, 12.',
    );
    for (const section of ['Page 13', 'Page 0', 'Terms', '^block', 'Page 1 > Terms']) {
      expect(refusal(section)).toMatch(
        /^no_such_heading: .* its sections are its pages, as "Page 1"\. Pages with text: 1, /,
      );
    }
  });

  it.each([
    [
      'Some of its pages are scans, and OCR is off. Set vault.doc_ocr to true. Left out: pages 2, 5.',
      'Page 2 of "Files/Deed.pdf" is a scan that was left out. Some of its pages are scans, and OCR is off. Set vault.doc_ocr to true. Left out: pages 2, 5.',
    ],
    [
      'Some of its pages are scans, and OCR is off. Left out: page 2.',
      'Page 2 of "Files/Deed.pdf" is a scan that was left out. Some of its pages are scans, and OCR is off. Left out: page 2.',
    ],
    [
      'Not all of it could be recognised this time: page 2 could not be recognised (tesseract was killed (SIGKILL))',
      'Page 2 of "Files/Deed.pdf" was not read. Not all of it could be recognised this time: page 2 could not be recognised (tesseract was killed (SIGKILL)).',
    ],
    [
      'pages from 2 on that may be scans were not looked at (limit of time reached)',
      'No text is known of page 2 of "Files/Deed.pdf". Pages from 2 on that may be scans were not looked at (limit of time reached).',
    ],
    [
      'Some of its pages are scans, and OCR is off. Left out: pages 4, 20 and 25.',
      'No text is known of page 2 of "Files/Deed.pdf". Some of its pages are scans, and OCR is off. Left out: pages 4, 20 and 25.',
    ],
  ])('that nobody could read is not said to be blank, but why it was not read: %s', (detail, message) => {
    expect(refusal('Page 2', { ...DEED, detail })).toBe(`no_such_heading: ${message} Pages with text: 1, 3, 12.`);
  });

  it('is in vain asked of a document without text, and not every page of a long one is named', () => {
    for (const section of ['Page 1', 'Terms']) {
      expect(refusal(section, { ...DEED, content: '', detail: 'No text was found in it.' })).toBe(
        'no_such_heading: "Files/Deed.pdf" is a document, and none of its pages has text. No text was found in it.',
      );
    }
    const content = Array.from({ length: 300 }, (_, at) => `## Page ${at + 1}\n\nText.\n`).join('\n');
    expect(refusal('Page 301', { ...DEED, pages: 300, content })).toMatch(/: 1, .*, 20 and 280 more, up to 300\.$/);
  });
});
