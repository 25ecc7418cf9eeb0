/**
 * Inputs that make note parsers quadratic, exponential or overflow the stack, at a size where such a parser does not
 * come back within the time limit. What is asserted is that the answer is whole.
 */
import { describe, expect, it } from 'vitest';
import { parseNote } from './parse.ts';

const SIZE = 250_000;
const fill = (unit: string): string => unit.repeat(Math.ceil(SIZE / unit.length)).slice(0, SIZE);
const grow = (line: (i: number) => string): string => {
  let text = '';
  for (let i = 0; text.length < SIZE; i++) text += line(i);
  return text;
};

const PATTERNS: [string, string][] = [
  ...[
    '[a](',
    '](',
    '[',
    '[[',
    '[[a|[',
    '![](',
    '<',
    '<a b="',
    '`',
    '` `` ',
    '*a ',
    'a_b ',
    '~~a',
    '>',
    '- ',
    '1. ',
    '%%',
    '%% ',
    '<!--',
    '<?',
    '<![CDATA[',
    '\\',
    '[a][b',
    '[a](<',
    '[a](b "',
    "[a](b '",
    '[a](b (',
    '#a ',
    ' ',
    '\t',
    '|',
    '&a',
    '$',
    'a',
  ].map((unit): [string, string] => [`one line of ${JSON.stringify(unit)}`, fill(unit)]),
  ...[
    '\n',
    '\r\n',
    '- a\n',
    '# a\n',
    '#\n',
    '> a\n',
    '> [a](b)\n',
    '[a]: b\n',
    '[a]:\n',
    '[a\n',
    '[a]: b "\n',
    '> [a]:\n> b\n',
    '%%\n',
    'a %% b\n\n',
    '<div>\n',
    '<!-- \n',
    '<a\n',
    '```\n',
    '    a\n',
    'a|b\n',
    'a\n===\n',
    '---\n',
    '- [ ] a\n',
    'a ^id\n\n',
  ].map((unit): [string, string] => [`lines of ${JSON.stringify(unit)}`, fill(unit)]),
  ['backtick runs of growing length', grow((i) => `${'`'.repeat(i)} `)],
  ['lists of growing depth', grow((i) => `${' '.repeat(2 * i)}- x\n`)],
  ['lists by tabs', grow((i) => `${'\t'.repeat(i % 1000)}- x\n`)],
  ['deep lists, then blank lines', `${'- '.repeat(1000)}${fill('\n')}`],
  ['deep quotes again and again', grow(() => `${'>'.repeat(500)}\n\n`)],
  ['quotes and lists of changing depth', grow((i) => `${'> - '.repeat(i % 40)}a\n\n`)],
  ['a table in a quote', `> |a|\n> |-|\n${fill('> |a|\n')}`],
  ['a table of a hundred thousand columns', `|${fill('a|')}\n|${fill('-|')}\n`],
  ['a delimiter row that is none after all', `a|b\n|${fill('-|')}x\n`],
  ['white space before a delimiter row', `a|b\n${fill(' ')}x\n`],
  ['a tag of a hundred thousand attributes', `<a ${fill('b ')}`],
  ['a heading around white space', `# a${fill(' ')}b`],
  ['brackets that all close', `${fill('[')}${fill(']')}`],
  ['links around links', `${'['.repeat(SIZE)}a${'](b)'.repeat(SIZE / 4)}`],
  ['a far closing bracket', `${fill('<')}>`],
  ['a tag of slashes', `---\ntags: ["${'/'.repeat(120_000)}x"]\n---\n`],
  ['headings of every depth, all alike', grow((i) => `${'#'.repeat(1 + (i % 6))} **a**\n`)],
];

/** Milliseconds: twenty times what the slowest takes on an idle machine, and far less than a quadratic parser would. */
const LIMIT = 30_000;

describe('no note holds the process', { timeout: LIMIT }, () => {
  it.each(PATTERNS)('%s', (_what, text) => {
    const parsed = parseNote(text);
    expect(parsed.text.length).toBe(text.length);
    expect(parsed.headings.at(-1)?.section.to ?? text.length).toBe(text.length);
  });
});

describe('within the bounds structure is whole', { timeout: LIMIT }, () => {
  it('thirty nested list levels keep their links', () => {
    const text = Array.from({ length: 30 }, (_, i) => `${'  '.repeat(i)}- [[level ${i}]]`).join('\n');
    expect(parseNote(text).links.map(({ target }) => target)).toEqual(
      Array.from({ length: 30 }, (_, i) => `level ${i}`),
    );
  });

  it('beyond them links are still found, and what follows is not disturbed', () => {
    const text = `${Array.from({ length: 200 }, (_, i) => `${'  '.repeat(i)}- [[level ${i}]]`).join('\n')}\n\n# After\n`;
    const { links, headings } = parseNote(text);
    expect(links).toHaveLength(200);
    expect(headings.map((heading) => heading.text)).toEqual(['After']);
  });

  it('past a budget of blocks the rest is one paragraph, with its links', () => {
    const { links, headings } = parseNote(`${'a\n\n'.repeat(200_001)}# Too late\n\n[[found]]\n`);
    expect(headings).toEqual([]);
    expect(links.map(({ target }) => target)).toEqual(['found']);
  });

  it('a note of fifty thousand list items keeps every one of them', () => {
    const { links } = parseNote(Array.from({ length: 50_000 }, (_, i) => `- [[${i}]]\n`).join(''));
    expect(links).toHaveLength(50_000);
  });
});
