/**
 * Escaped text as others read it: by the rules of CommonMark and GFM, whose extended autolinks make links of bare
 * addresses. The grammar here is the parser's own, with GFM, and none of this repository's extensions.
 */
import { GFM, parser } from '@lezer/markdown';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { escaped, escapedBlock } from './escaped-text.ts';

const gfm = parser.configure(GFM);

/** On one line, as what is to be escaped stands. */
function oneLine(text: string): string {
  return text
    .toWellFormed()
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim();
}

/** What a reader of GFM sees in a paragraph of a list's item, or in one of its own, and what it holds besides text. */
function read(markdown: string, mark = '- '): { readonly shown: string; readonly nodes: readonly string[] } {
  const source = `${mark}${markdown}`;
  const nodes: string[] = [];
  let shown = '';
  let copied = mark.length;
  gfm.parse(source).iterate({
    enter({ name, from }) {
      if (name === 'Escape') {
        shown += source.slice(copied, from);
        copied = from + 1;
      } else if (!['Document', 'BulletList', 'ListItem', 'ListMark', 'Paragraph'].includes(name)) nodes.push(name);
    },
  });
  return { shown: shown + source.slice(copied), nodes };
}

describe('escaped text', () => {
  it.each([
    ['https://example.org/a?b=1', 'https\\://example.org/a?b=1'],
    ['(HTTP://EXAMPLE.ORG)', '(HTTP\\://EXAMPLE.ORG)'],
    ['obsidian://open?vault=x', 'obsidian\\://open?vault=x'],
    ['www.example.org, WWW.example.org', 'www\\.example.org, WWW\\.example.org'],
    ['Write to jan.brandt+home@example.org!', 'Write to jan.brandt+home\\@example.org!'],
    ['mailto:a@b.c xmpp:a@b.c/d', 'mailto\\:a\\@b.c xmpp\\:a\\@b.c/d'],
  ])('makes no link of an address that it names: %s', (text, markdown) => {
    expect(escaped(text)).toBe(markdown);
    expect(read(escaped(text))).toEqual({ shown: text, nodes: [] });
  });

  it.each(['Hotel: two nights', '10:30 // noon', 'Meet @ noon, @home', 'awww. www. 1.2.3', 'C:/Users', 'v1.8.10 a.b'])(
    'leaves alone what is none: %s',
    (text) => {
      expect(escaped(text)).toBe(text);
    },
  );

  it('is nothing but its text to whoever reads GFM, whatever it holds', () => {
    const piece = fc.constantFrom(
      ...['http', 'https', 'ftp', 'mailto', 'xmpp', 'www', ':', '//', '.', '@', 'a', 'b-c', 'org', '_', '+', '-', '/'],
      ...[' ', '(', ')', '<', '>', '[', ']', '*', '~', '~~', '`', '\\', '&', '&amp;', '|', '?x=1', '#', '"', "'", '!'],
    );
    const any = fc.oneof(
      { weight: 4, arbitrary: fc.array(piece, { minLength: 1, maxLength: 14 }).map((parts) => parts.join('')) },
      { weight: 2, arbitrary: fc.webUrl() },
      { weight: 2, arbitrary: fc.emailAddress() },
      fc.string({ unit: 'grapheme', maxLength: 40 }),
    );
    fc.assert(
      fc.property(fc.array(any, { minLength: 1, maxLength: 3 }), (parts) => {
        const text = oneLine(`x ${parts.join(' ')}`);
        expect(read(escaped(text))).toEqual({ shown: text, nodes: [] });
      }),
      { numRuns: 2000 },
    );
  });

  it.each([
    ['# heading', '\\# heading'],
    ['- item', '\\- item'],
    ['+ item', '\\+ item'],
    ['* item', '\\* item'],
    ['> quote', '\\> quote'],
    ['1. one', '1\\. one'],
    ['12) twelve', '12\\) twelve'],
    ['1.', '1\\.'],
    ['---', '\\---'],
    ['```', '\\`\\`\\`'],
    ['~~~ x', '\\~\\~\\~ x'],
    ['[a]: b', '\\[a\\]: b'],
    ['1.5 l of oil', '1.5 l of oil'],
    ['2026-01-31 was a day', '2026-01-31 was a day'],
  ])('begins no block where one could begin: %s', (text, markdown) => {
    expect(escapedBlock(text)).toBe(markdown);
    for (const mark of ['', '- ']) expect(read(escapedBlock(text), mark)).toEqual({ shown: text, nodes: [] });
  });

  it('is nothing but its text also where a block could begin, whatever it begins with', () => {
    const start = fc.constantFrom(
      '#',
      '##',
      '-',
      '+',
      '*',
      '>',
      '=',
      '_',
      '~',
      '`',
      '|',
      '<',
      '[x]',
      '1',
      '23',
      '.',
      ')',
      ':',
      ' ',
    );
    fc.assert(
      fc.property(fc.array(start, { minLength: 1, maxLength: 6 }), fc.string({ maxLength: 10 }), (parts, rest) => {
        const text = oneLine(`${parts.join('')}${rest}`);
        fc.pre(text !== '');
        for (const mark of ['', '- ']) expect(read(escapedBlock(text), mark)).toEqual({ shown: text, nodes: [] });
      }),
      { numRuns: 2000 },
    );
  });
});
