/**
 * Text of the index page as others read it: by the rules of CommonMark and GFM, whose extended autolinks make links of bare
 * addresses. The grammar here is the parser's own, with GFM, and none of this repository's extensions.
 */
import { GFM, parser } from '@lezer/markdown';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { escaped, oneLine } from './markdown-text.ts';

const gfm = parser.configure(GFM);

/** What a reader of GFM sees in a paragraph, and what it holds besides text. */
function read(markdown: string): { readonly shown: string; readonly nodes: readonly string[] } {
  const source = `- ${markdown}`;
  const nodes: string[] = [];
  let shown = '';
  let copied = 2;
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

describe('a line of the index page', () => {
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
});
