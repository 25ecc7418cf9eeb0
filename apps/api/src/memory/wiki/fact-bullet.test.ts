import { listItems } from '@vault-mcp/shared/vault/note/list-items';
import { parseStructure } from '@vault-mcp/shared/vault/note/parse';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bulletText, parseFact } from './fact-bullet.ts';

const written = (content: string, ...links: string[]) => bulletText(parseFact(content, links), '2026-11-30');

describe('a fact as a bullet', () => {
  it('is one line with its links and the day, whatever marker and date it was sent with', () => {
    expect(written(' - The boiler\r\n is serviced\tin May (added 2020-01-01) ')).toBe(
      'The boiler is serviced in May (added 2026-11-30)',
    );
    expect(written('Met [[ada]]', 'Ada', 'Kitchen Tap', 'kitchen-tap', '!!!')).toBe(
      'Met [[ada]] [[kitchen-tap]] (added 2026-11-30)',
    );
  });

  it.each([
    ['says nothing', '  \n'],
    ['is a dash', '- '],
    ['is a date', '(added 2026-11-30)'],
    ['holds half of a character', 'a \ud800'],
    ['is too long for one fact', 'x'.repeat(2001)],
  ])('is refused where it %s', (_what, content) => {
    expect(() => parseFact(content, [])).toThrow(expect.objectContaining({ code: 'invalid_value' }));
  });

  it('may have two thousand characters', () => {
    expect(parseFact('x'.repeat(2000), []).text).toHaveLength(2000);
  });

  it.each([
    ['# 1 in the charts', '\\# 1 in the charts'],
    ['> 90 per cent', '\\> 90 per cent'],
    ['1. FC is a club', '1\\. FC is a club'],
    ['```code', '\\```code'],
    ['- - twice', '\\- twice'],
    ['<div> is a tag', '\\<div> is a tag'],
    ['[id]: 5', '\\[id]: 5'],
    ['[^1]: note', '\\[^1]: note'],
    ['[[Ada]]: a person', '[[Ada]]: a person'],
    ['<https://a.example> is down', '<https://a.example> is down'],
    ['#tag stays one', '#tag stays one'],
    ['1.5 litres', '1.5 litres'],
    ['It grew by 5 %% or so', 'It grew by 5 \\%\\% or so'],
    ['%% open', '\\%\\% open'],
    ['%%hidden%% and seen', '%%hidden%% and seen'],
    ['**bold** and `code`', '**bold** and `code`'],
    ['2026 was warm', '2026 was warm'],
  ])('that is %j is written %j', (content, text) => {
    expect(parseFact(content, []).text).toBe(text);
  });

  it('is always read back as one item, and hides nothing behind it', () => {
    const starts = ['#', '>', '-', '*', '1.', '12)', '```', '~~~', '<!--', '<p>', '[a]:', '[ ]', '|', '---', '%%', '='];
    const rest = fc.string({ unit: fc.constantFrom('a', ' ', '%', '`', '*', '[', ']', '\\', '<', '#'), maxLength: 20 });
    fc.assert(
      fc.property(fc.constantFrom(...starts), fc.constantFrom('', ' '), rest, (first, gap, text) => {
        const content = `${first}${gap}${text}a`;
        const page = [`- ${written(content)}`, '- ends %% here'];
        const read = page.join('\n');
        const items = listItems(parseStructure(read));
        expect(items.map(({ range }) => read.slice(range.from, range.to))).toEqual(page);
      }),
      { numRuns: 500 },
    );
  });
});
