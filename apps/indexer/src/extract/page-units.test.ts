import { parseNote } from '@vault-mcp/shared/vault/note/parse';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { joinPages, plainText } from './page-units.ts';

describe('plainText', () => {
  it('drops NULs and other control characters and keeps what people wrote', () => {
    expect(plainText('a\u0000b\u0007c\td\u200be — 漢字 😀')).toBe('abc\td\u200be — 漢字 😀');
  });

  it('drops halves of surrogate pairs, so that the text can be stored', () => {
    expect(plainText('a\ud83dz')).toBe('az');
  });

  it('trims lines and reduces runs of blank lines to one', () => {
    expect(plainText('  one  \r\n\n\n\n    two\f\r three ')).toBe('one\n\ntwo\n\nthree');
  });

  it.each([
    ['# include', '\\# include'],
    ['```', '\\```'],
    ['~~~~ x', '\\~~~~ x'],
    ['<script>', '\\<script>'],
    ['<!-- x', '\\<!-- x'],
    ['mid <!-- x', 'mid \\<!-- x'],
    ['100%% sure', '100\\%\\% sure'],
    ['====', '\\===='],
    ['---', '\\---'],
  ])('escapes %s, which would read as structure', (raw, escaped) => {
    expect(plainText(raw)).toBe(escaped);
  });

  it.each(['#1 in sales', '- item', '3 < 4', 'C# and F#', 'a = b', '-5,000.00'])('leaves %s as it is', (line) => {
    expect(plainText(line)).toBe(line);
  });

  it('is settled after one pass but for its own backslashes', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (raw) => {
        const once = plainText(raw);
        // biome-ignore lint/suspicious/noControlCharactersInRegex: their absence is what is tested
        expect(once).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f]|\n{3}|^\s|\s$/);
        expect(Buffer.from(once, 'utf8').toString('utf8')).toBe(once);
      }),
    );
  });
});

describe('joinPages', () => {
  it('makes one unit per page that has text', () => {
    const { text, cut } = joinPages([
      { page: 1, text: 'one' },
      { page: 2, text: '' },
      { page: 3, text: 'three' },
    ]);
    expect(text).toBe('## Page 1\n\none\n\n## Page 3\n\nthree\n');
    expect(cut).toBe(false);
  });

  it('cuts at the limit and says so', () => {
    const { text, cut } = joinPages(
      [
        { page: 1, text: 'x'.repeat(50) },
        { page: 2, text: 'y'.repeat(50) },
      ],
      80,
    );
    expect(text.length).toBeLessThanOrEqual(80);
    expect(text).toContain('## Page 2');
    expect(cut).toBe(true);
  });

  it('does not cut a character in two', () => {
    for (let limit = 12; limit < 20; limit++) {
      expect(joinPages([{ page: 1, text: '😀'.repeat(9) }], limit).text).not.toMatch(/[\ud800-\udbff]$/);
    }
  });

  it('gives units that a markdown parser sees whole, whatever stands in the pages', () => {
    const hostile = fc.constantFrom(
      '```',
      '~~~',
      '%%',
      '<!--',
      '<script>',
      '<pre>',
      '# x',
      '===',
      '---',
      '- a',
      '> q',
      '    c',
      '$$',
      '[a]: b',
      'word',
    );
    fc.assert(
      fc.property(
        fc.array(fc.array(hostile, { minLength: 1, maxLength: 6 }), { minLength: 1, maxLength: 5 }),
        (pages) => {
          const { text } = joinPages(pages.map((lines, at) => ({ page: at + 1, text: plainText(lines.join('\n')) })));
          expect(parseNote(text).headings.map((heading) => heading.text)).toEqual(
            pages.map((_, at) => `Page ${at + 1}`),
          );
        },
      ),
    );
  });
});
