import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findOccurrences, literalPattern } from './occurrences.ts';

function find(path: string, text: string, query: string, contextLength = 5) {
  return findOccurrences(path, text, literalPattern(query), contextLength);
}

describe('plain search in one note', () => {
  it('finds the query whatever the case, with its place and context', () => {
    expect(find('House/Heating.md', 'The Heat Pump hums. heat pump!', 'heat pump')).toEqual({
      total: 2,
      occurrences: [
        { match: { start: 4, end: 13, source: 'content' }, context: 'The Heat Pump hums' },
        { match: { start: 20, end: 29, source: 'content' }, context: 'ums. heat pump!' },
      ],
    });
  });

  it('finds it in the name too', () => {
    expect(find('House/Heating.md', 'Nothing.', 'heat').occurrences).toEqual([
      { match: { start: 0, end: 4, source: 'filename' }, context: 'Heating' },
    ]);
  });

  it('takes every character of the query literally', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1, unit: 'grapheme' }), fc.string({ unit: 'grapheme' }), (query, around) => {
        const text = `${around}${query}`;
        const { occurrences } = find('x.md', text, query, 0);
        const content = occurrences.filter(({ match }) => match.source === 'content');
        expect(content.length).toBeGreaterThan(0);
        for (const { match } of content) {
          expect(text.slice(match.start, match.end).length).toBeGreaterThan(0);
        }
      }),
    );
  });

  it('shows a bounded number of matches but counts on', () => {
    const { total, occurrences } = find('x.md', 'ab '.repeat(300), 'ab');
    expect(total).toBe(300);
    expect(occurrences).toHaveLength(50);
  });

  it('cuts no character of the context in half', () => {
    expect(find('x.md', '😀x😀', 'x', 1).occurrences[0]?.context).toBe('x');
  });
});
