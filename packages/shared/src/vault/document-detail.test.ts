import { describe, expect, it } from 'vitest';
import { detailSentence, withoutStrayStops } from './document-detail.ts';

describe('what is known of how a document was read', () => {
  it.each([
    [
      'The document could not be opened (Invalid PDF structure.).',
      'The document could not be opened (Invalid PDF structure).',
    ],
    ['page 3 was not read (Bad image.)', 'Page 3 was not read (Bad image).'],
    ['page 3 was not read (Bad image.). Try again', 'Page 3 was not read (Bad image). Try again.'],
    ['pages from 4 on were not looked at', 'Pages from 4 on were not looked at.'],
    ['tesseract is not installed', 'tesseract is not installed.'],
    ['It is encrypted.', 'It is encrypted.'],
  ])('is told in whole sentences with one full stop each: %s', (detail, sentence) => {
    expect(detailSentence(detail)).toBe(sentence);
  });

  it('stays as it is where nothing is quoted', () => {
    for (const detail of ['', 'a (b) c.', 'Install it (Debian: tesseract-ocr).', 'see (v. 2.1) there'])
      expect(withoutStrayStops(detail)).toBe(detail);
  });
});
