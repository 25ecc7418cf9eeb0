import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MAX_FRONTMATTER, parseFrontmatter } from './frontmatter.ts';

describe('the block', () => {
  it('stands between a line of hyphens at the very start and the next fence', () => {
    const text = '---\ntitle: Boiler\n---\n# Body\n';
    const { present, data, range, inner } = parseFrontmatter(text);
    expect({ present, data }).toEqual({ present: true, data: { title: 'Boiler' } });
    expect(text.slice(range.from, range.to)).toBe('---\ntitle: Boiler\n---\n');
    expect(text.slice(inner.from, inner.to)).toBe('title: Boiler\n');
  });

  it.each([
    ['a byte order mark', '\ufeff---\na: 1\n---\n'],
    ['CRLF', '---\r\na: 1\r\n---\r\nBody'],
    ['dots at its end', '---\na: 1\n...\nBody'],
    ['white space after the fences', '---  \na: 1\n---\t\nBody'],
    ['no line break after it', '---\na: 1\n---'],
  ])('may have %s', (_what, text) => {
    expect(parseFrontmatter(text)).toMatchObject({ present: true, data: { a: 1 } });
  });

  it.each([
    ['a fence that does not open the note', '\n---\na: 1\n---\n'],
    ['one that never closes', '---\na: 1\n'],
    ['a language behind the hyphens', '---js\nmodule.exports = process.exit(1)\n---\n'],
    ['four hyphens', '----\na: 1\n----\n'],
    ['nothing at all', ''],
  ])('is not there with %s', (_what, text) => {
    expect(parseFrontmatter(text)).toMatchObject({ present: false, data: {}, entries: [] });
  });

  it('may be empty, or hold comments alone', () => {
    for (const text of ['---\n---\n', '---\n# nothing yet\n---\n']) {
      expect(parseFrontmatter(text)).toEqual(expect.objectContaining({ present: true, data: {}, entries: [] }));
      expect(parseFrontmatter(text).error).toBeUndefined();
    }
  });
});

describe('its values', () => {
  it('are those of YAML 1.2: dates and yes stay text', () => {
    const { data } = parseFrontmatter(
      '---\nday: 2024-05-01\nok: yes\non: true\nn: 1.5\nnone: ~\nlist: [a, 2]\nmap: {x: 1}\n---\n',
    );
    expect(data).toEqual({ day: '2024-05-01', ok: 'yes', on: true, n: 1.5, none: null, list: ['a', 2], map: { x: 1 } });
  });

  it('follow an alias', () => {
    expect(parseFrontmatter('---\na: &x [1]\nb: *x\n---\n').data).toEqual({ a: [1], b: [1] });
  });

  it('never reach a prototype', () => {
    const { data } = parseFrontmatter(
      '---\n__proto__: {polluted: yes}\nconstructor: {prototype: 1}\ntoString: mine\n---\n',
    );
    expect(data).toEqual({ constructor: { prototype: 1 }, toString: 'mine' });
    expect(Object.getPrototypeOf(data)).toBeNull();
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });
});

describe('what cannot be used', () => {
  it.each([
    ['a: 1\n--- x\nb: 2', /^line 3: .*second YAML document/],
    ['a: b: c', /^line 2: /],
    ['a: 1\nb: 2\na: 3', /^line 4: the key "a" is there twice/],
    ['ok: 1\na:\n\t- x', /^line [34]: /],
    ['- a\n- b', /^line 2: the block is not a list of keys/],
    ['just text', /^line 2: the block is not/],
    ['a: !!js/function x', /^line 2: .*tag/],
    ['a: *nowhere', /^line 2: /],
    ['a: &a [*a]', /nested/],
    ['[a, b]: c', /a key is not plain text/],
  ])('%j is an error with its line, and empty data', (yaml, reason) => {
    const { present, data, error, entries } = parseFrontmatter(`---\n${yaml}\n---\nBody`);
    expect({ present, data, entries }).toEqual({ present: true, data: {}, entries: [] });
    expect(error).toMatch(reason);
  });

  it.each([
    ['brackets', '['.repeat(50_000)],
    ['braces', 'a: '.concat('{a: '.repeat(20_000))],
    ['list marks', '- '.repeat(50_000)],
    ['indentation', Array.from({ length: 100 }, (_, i) => `${' '.repeat(i)}a:`).join('\n')],
  ])('nested too deep by %s is never parsed to its end', (_what, yaml) => {
    expect(parseFrontmatter(`---\n${yaml}\n---\n`).error).toMatch(/nested more than 64 deep/);
  });

  it('larger than the limit is not parsed', () => {
    expect(parseFrontmatter(`---\na: ${'x'.repeat(MAX_FRONTMATTER)}\n---\n`).error).toMatch(/larger than/);
  });

  it('multiplied by aliases is stopped by count', () => {
    const levels = Array.from({ length: 12 }, (_, i) => `k${i + 1}: &k${i + 1} [${Array(9).fill(`*k${i}`).join(',')}]`);
    expect(parseFrontmatter(`---\nk0: &k0 [1]\n${levels.join('\n')}\n---\n`).error).toMatch(/more than 100 aliases/);
  });

  it('never throws, whatever stands in it', () => {
    const part = fc.oneof(
      fc.constantFrom(
        'a: ',
        '- ',
        '? ',
        '[',
        '{',
        '&x ',
        '*x',
        '!t ',
        '"',
        "'",
        '|\n',
        '>\n',
        '\n',
        '  ',
        '#',
        '%',
        '\t',
        '---',
        ': ',
      ),
      fc.string({ unit: 'binary', maxLength: 4 }),
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 30 }), (parts) => {
        const { data, error } = parseFrontmatter(`---\n${parts.join('')}\n---\n`);
        expect(error === undefined || Object.keys(data).length === 0).toBe(true);
      }),
      { numRuns: 1500 },
    );
  });
});

describe('the lines of each key', () => {
  it('end with its value and leave out comments and blank lines after it', () => {
    const text =
      '---\ntitle: A # why\n\n# about tags\ntags:\n  - a\n  - b\n\ntext: |\n  one\n  two\n"quoted key": 1\n---\n';
    const { entries } = parseFrontmatter(text);
    expect(
      entries.map(({ key, lineStart, lineEnd, range }) => [key, lineStart, lineEnd, text.slice(range.from, range.to)]),
    ).toEqual([
      ['title', 2, 2, 'title: A # why\n'],
      ['tags', 5, 7, 'tags:\n  - a\n  - b\n'],
      ['text', 9, 11, 'text: |\n  one\n  two\n'],
      ['quoted key', 12, 12, '"quoted key": 1\n'],
    ]);
  });

  it('hold a key without value, and CRLF whole', () => {
    const text = '---\r\na:\r\nb: 1\r\n---\r\n';
    expect(parseFrontmatter(text).entries.map(({ range }) => text.slice(range.from, range.to))).toEqual([
      'a:\r\n',
      'b: 1\r\n',
    ]);
  });
});
