import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findOccurrences } from './occurrences.ts';

function find(path: string, text: string, query: string, contextLength = 5) {
  return findOccurrences(path, text, query, { contextLength });
}

describe('plain search in one note', () => {
  it('finds the query whatever the case, with its place and context', async () => {
    expect(await find('House/Heating.md', 'The Heat Pump hums. heat pump!', 'heat pump')).toEqual({
      total: 2,
      occurrences: [
        { match: { start: 4, end: 13, source: 'content' }, context: 'The Heat Pump hums' },
        { match: { start: 20, end: 29, source: 'content' }, context: 'ums. heat pump!' },
      ],
    });
  });

  it('finds it in the name too', async () => {
    expect((await find('House/Heating.md', 'Nothing.', 'heat')).occurrences).toEqual([
      { match: { start: 0, end: 4, source: 'filename' }, context: 'Heating' },
    ]);
  });

  it('takes every character of the query literally', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.string({ minLength: 1, unit: 'grapheme' }),
        fc.string({ unit: 'grapheme' }),
        async (query, around) => {
          const text = `${around}${query}`;
          const { occurrences } = await find('x.md', text, query, 0);
          const content = occurrences.filter(({ match }) => match.source === 'content');
          expect(content.length).toBeGreaterThan(0);
          for (const { match } of content) {
            expect(text.slice(match.start, match.end).length).toBeGreaterThan(0);
          }
        },
      ),
    );
  });

  it('finds the query whichever normal form either is in, at its place in the text as it is', async () => {
    const text = 'Le Cafe\u0301, le CAF\u00c9 et le cafe.';
    for (const query of ['Caf\u00e9', 'cafe\u0301']) {
      const { total, occurrences } = await find('Cafe\u0301.md', text, query, 3);
      expect(total).toBe(3);
      expect(occurrences.map(({ match, context }) => [match.source, match.start, match.end, context])).toEqual([
        ['filename', 0, 5, 'Cafe\u0301'],
        ['content', 3, 8, 'Le Cafe\u0301, l'],
        ['content', 13, 17, 'le CAF\u00c9 et'],
      ]);
    }
  });

  it('finds the same in every normal form of a text, also where pieces of it meet', async () => {
    const unit = fc.constantFrom('a', 'é', 'ế', 'が', '각', 'e', 'か', '😀', ' ');
    const words = fc.array(unit, { minLength: 1, maxLength: 6 }).map((units) => units.join(''));
    await fc.assert(
      fc.asyncProperty(words, words, fc.integer({ min: 10_800, max: 16_500 }), async (query, other, at) => {
        const text = `${'ế'.repeat(at)}${query}${other}${query}`;
        const composed = await find('.md', text, query, 0);
        for (const form of [text.normalize('NFD'), text.slice(0, at) + text.slice(at).normalize('NFD')]) {
          const { total, occurrences } = await find('.md', form, query.normalize('NFD'), 0);
          expect(total).toBe(composed.total);
          for (const { match } of occurrences)
            expect(form.slice(match.start, match.end).normalize('NFC')).toBe(query.normalize('NFC'));
        }
      }),
      { numRuns: 60 },
    );
  });

  it('shows a bounded number of matches but counts on', async () => {
    const { total, occurrences } = await find('x.md', 'ab '.repeat(300), 'ab');
    expect(total).toBe(300);
    expect(occurrences).toHaveLength(50);
  });

  it('cuts no character of the context in half', async () => {
    expect((await find('x.md', '😀x😀', 'x', 1)).occurrences[0]?.context).toBe('x');
  });

  it('finds in a long text, searched in pieces, what one search through all of it finds', async () => {
    const around = fc.integer({ min: 32_700, max: 32_800 });
    const unit = fc.constantFrom('a', 'ab', '😀', 'ß', '\ud83d', '\ude00', '\n');
    await fc.assert(
      fc.asyncProperty(around, fc.array(unit, { minLength: 1, maxLength: 60 }), unit, async (at, units, filler) => {
        const query = units.join('');
        const text = `${filler.repeat(at)}${query}${query}${filler.repeat(40)}${query}`;
        const pattern = new RegExp(
          query.replace(/[^\n]/gu, (one) => `\\u{${one.codePointAt(0)?.toString(16)}}`),
          'giu',
        );
        const whole = [...text.matchAll(pattern)].map(({ index }) => index).slice(0, 50);
        const { occurrences } = await find('.md', text, query, 0);
        expect(occurrences.map(({ match }) => match.start)).toEqual(whole);
      }),
      { numRuns: 50 },
    );
  });

  it('counts no match twice that begins in one piece and ends in the next', async () => {
    const { occurrences } = await find('x.md', `${'x'.repeat(32 * 1024 - 1)}aaaa`, 'aa', 0);
    expect(occurrences.map(({ match }) => match.start)).toEqual([32 * 1024 - 1, 32 * 1024 + 1]);
  });

  it('lets others have their turn in between, and stops for a caller who went away', async () => {
    const text = 'a'.repeat(100_000);
    let turns = 0;
    const tick = () => {
      turns++;
      timer = setImmediate(tick);
    };
    let timer = setImmediate(tick);
    await find('x.md', text, 'aab');
    clearImmediate(timer);
    expect(turns).toBeGreaterThan(1);
    const signal = AbortSignal.abort(new Error('gone'));
    await expect(findOccurrences('x.md', text, 'aab', { contextLength: 0, signal })).rejects.toThrow('gone');
  });
});
