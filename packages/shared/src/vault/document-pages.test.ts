import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { pageOfHeading, pageUnit, unitsByPage } from './document-pages.ts';
import { parseNote } from './note/parse.ts';

describe('the page that a heading names', () => {
  it.each([
    ['Page 2', 2],
    ['Page 1203', 1203],
  ])('is the number in “%s”', (heading, page) => {
    expect(pageOfHeading(heading)).toBe(page);
  });

  it.each(['', 'Page', 'Page one', 'page 3', 'Page 3 of 4', 'The Page 3', 'Page 3 > Terms', 'Page 1234567890'])(
    'is none in “%s”',
    (heading) => {
      expect(pageOfHeading(heading)).toBeNull();
    },
  );
});

describe('the units of a document’s text', () => {
  const pages = fc.uniqueArray(
    fc.record({ page: fc.integer({ min: 1, max: 9_999 }), text: fc.stringMatching(/^[a-z ]*[a-z](\n+[a-z]+)*$/) }),
    { selector: ({ page }) => page, minLength: 1 },
  );

  it('come back by their page as they were written, in their order', () => {
    fc.assert(
      fc.property(pages, (written) => {
        const units = unitsByPage(written.map(({ page, text }) => pageUnit(page, text)).join('\n'));
        expect([...units.keys()]).toEqual(written.map(({ page }) => page));
        for (const { page, text } of written) expect(units.get(page)?.trimEnd()).toBe(pageUnit(page, text).trimEnd());
      }),
    );
  });

  it('begin with a heading that a markdown parser sees, and that names the page', () => {
    const { headings } = parseNote([2, 1203].map((page) => pageUnit(page, 'text')).join('\n'));
    expect(headings.map(({ depth, text }) => [depth, pageOfHeading(text)])).toEqual([
      [2, 2],
      [2, 1203],
    ]);
  });

  it('are none in a text without any, and none of what stands before the first', () => {
    expect(unitsByPage('The lease.\n').size).toBe(0);
    expect([...unitsByPage(`Before.\n\n${pageUnit(4, 'The fourth.')}`)]).toEqual([[4, '## Page 4\n\nThe fourth.\n']]);
  });
});
