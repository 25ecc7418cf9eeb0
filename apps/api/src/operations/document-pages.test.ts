import { AppError } from '@vault-mcp/shared/errors';
import { describe, expect, it } from 'vitest';
import { pageOf } from './document-pages.ts';

const DEED = {
  path: 'Files/Deed.pdf',
  pages: 12,
  content: '## Page 1\n\nSigned.\n\n#### Terms\n\nSee page 2.\n\n## Page 3\n\nSealed.\n\n## Page 12\n\nDelivered.\n',
};
const refusal = (section: string, document = DEED): string => {
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

  it('is in vain asked of a document without text, and not every page of a long one is named', () => {
    expect(refusal('Page 1', { ...DEED, content: '' })).toContain('None of its pages has text');
    const content = Array.from({ length: 300 }, (_, at) => `## Page ${at + 1}\n\nText.\n`).join('\n');
    expect(refusal('Page 301', { ...DEED, pages: 300, content })).toMatch(/: 1, .*, 20 and 280 more, up to 300\.$/);
  });
});
