import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseFrontmatter, readFrontmatter } from './frontmatter.ts';
import { readPlainBlock } from './plain-frontmatter.ts';
import { indexLines } from './text.ts';

const note = (lines: readonly string[]) => `---\n${lines.map((line) => `${line}\n`).join('')}---\nText.\n`;

function readPlainly(text: string) {
  const lines = indexLines(text);
  const { inner } = parseFrontmatter(text);
  return readPlainBlock(text.slice(inner.from, inner.to), inner, lines);
}

/** By the library, whatever the block is: a comment is none of what is read plainly. */
function strings(lines: readonly string[]) {
  const text = note([...lines, '# end']);
  return readFrontmatter(text, indexLines(text)).strings;
}

function holdsAsTheLibraryReads(lines: readonly string[]): void {
  const text = note(lines);
  const plain = readPlainly(text);
  if (plain === null) return;
  const { data, entries, error } = parseFrontmatter(text);
  expect({ ...plain, error: undefined }).toEqual({ data, entries, strings: strings(lines), error });
  expect(Object.getPrototypeOf(plain.data)).toBe(Object.getPrototypeOf(data));
}

const word = fc.constantFrom(
  ...[
    'a',
    'Title',
    'Zürich',
    '日本',
    'true',
    'True',
    'NULL',
    'no',
    'y',
    '~',
    '0',
    '7',
    '007',
    '12',
    '-3',
    '1.5',
    '1e3',
  ],
  ...[
    '0x1f',
    '.inf',
    '2026-11-30',
    '2026-11-30T10:00',
    '12:30',
    'https://a.example/b',
    'a:b',
    'c#',
    '#tag',
    '&x',
    '*x',
  ],
  ...[
    "it's",
    '"',
    "'",
    '[[Note]]',
    '[a]',
    '{b}',
    ',',
    '-',
    '?',
    '|',
    '>',
    '!t',
    '%',
    '@',
    '`',
    ':',
    '\\',
    '\t',
    '\u00a0',
  ],
  ...['\u2028', '\ufeff', '\u0085', '\r', '\u{1f600}', '\ud800'],
);
const text = fc.array(word, { maxLength: 4 }).map((words) => words.join(' '));
const scalar = fc.oneof(
  text,
  text.map((inside) => `"${inside}"`),
  text.map((inside) => `'${inside}'`),
  fc.array(word, { maxLength: 3 }).map((words) => `[${words.join(', ')}]`),
);
const key = fc.constantFrom('title', 'tags', 'a-b', 'true', 'null', '__proto__', 'constructor', 'x y', '"q"', 'é', '1');
const line = fc.oneof(
  fc.tuple(key, fc.constantFrom(': ', ':  ', ':', ' : '), scalar).map((parts) => parts.join('')),
  key.map((name) => `${name}:`),
  fc
    .tuple(fc.constantFrom('', ' ', '  ', '    '), fc.constantFrom('- ', '-  ', '-'), scalar)
    .map((parts) => parts.join('')),
  fc.tuple(fc.constantFrom('  ', ''), text).map((parts) => parts.join('')),
  scalar.map((value) => `title: ${value}  `),
);

describe('a frontmatter block that is read plainly', () => {
  it('comes to what the library comes to, or is left to it', () => {
    fc.assert(fc.property(fc.array(line, { maxLength: 6 }), holdsAsTheLibraryReads), { numRuns: 3000 });
  });

  it('comes to the same where every line is of a kind that is understood', () => {
    const value = fc.constantFrom(
      'Some title',
      "it's 5 o'clock",
      '"a: b"',
      "'# c'",
      '12',
      'true',
      '2026-11-30',
      '日本 語',
    );
    const field = fc.oneof(
      value.map((written) => [`: ${written}`]),
      fc.array(value, { maxLength: 3 }).map((items) => [':', ...items.map((item) => `  - ${item}`)]),
      fc.array(value, { maxLength: 3 }).map((items) => [':', ...items.map((item) => `- ${item}`)]),
      fc.constantFrom([': [one, two/three]'], [': [a b,c d, e]'], [': null'], [': 2026-11-30T10:00:00Z']),
    );
    const block = fc
      .array(field, { minLength: 1, maxLength: 5 })
      .map((fields) => fields.flatMap(([first, ...others], i) => [`key${i}${first}`, ...others]));
    fc.assert(
      fc.property(block, (lines) => {
        expect(readPlainly(note(lines))).not.toBeNull();
        holdsAsTheLibraryReads(lines);
      }),
    );
  });

  it('takes time as its length, whatever it is like', () => {
    const hostile = ['[a', '[a a', '[a,', '"', '- a', 'a: ', ' '].map((part) => `a: ${part.repeat(20_000)}!`);
    for (const written of hostile) expect(readPlainly(note([written]))?.data ?? null).toBeNull();
  });

  it.each([
    ['brackets in a title', [`title: a ${'['.repeat(65)}`]],
    ['a list of what looks like links', ['links:', ...Array.from({ length: 70 }, () => '- "[draft"')]],
  ])('is too deep to every reader or to none: %s', (_what, lines) => {
    const text = note(lines);
    const { data, error } = readFrontmatter(text, indexLines(text)).frontmatter;
    expect({ data, error }).toEqual({ data: {}, error: expect.stringContaining('nested more than 64 deep') });
    expect(parseFrontmatter(text)).toMatchObject({ data, error });
  });

  it.each([
    ['a comment', ['title: A # b']],
    ['a value of two lines', ['title: A', '  b']],
    ['a key that is there twice', ['title: A', 'title: B']],
    ['a map in a list', ['list:', '  - a: b']],
    ['an escape', ['title: "a\\tb"']],
    ['an anchor', ['title: &a b']],
    ['a number with a zero before it', ['id: 007']],
    ['nothing in another case', ['title: Null']],
    ['a carriage return', ['title: A\r']],
  ])('leaves to the library: %s', (_what, lines) => {
    expect(readPlainly(note(lines))).toBeNull();
  });
});
