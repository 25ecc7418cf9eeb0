import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compoundsOf, joinHyphens } from './hyphens.ts';

describe('a word cut at a line’s end', () => {
  it.each([
    [
      ['the har-', 'bour sleeps'],
      ['the harbour', 'sleeps'],
    ],
    [['the break-', 'water.'], ['the breakwater.']],
    [
      ['“Break-', 'water,” she said'],
      ['“Breakwater,”', 'she said'],
    ],
    [
      ['inter-', 'na-', 'tional law'],
      ['international', 'law'],
    ],
    [['без напоми-', 'наний'], ['без напоминаний']],
    [['the har\u2010', 'bour'], ['the harbour']],
  ])('is made whole on the line it begins on: %j', (lines, joined) => {
    expect(joinHyphens(lines)).toEqual(joined);
  });

  it.each([
    [['COVID-', '19 rules']],
    [['monument EL-', '4471']],
    [['serial AH9-', 'x77']],
    [['pages 3-', 'fold']],
    [['the Anglo-', 'Saxon']],
    [['iPhone-', 'like']],
    [['a dash -', 'and on']],
    [['the end-', '', 'of it']],
    [['the end-', '(of it)']],
  ])('is left as it stands where the hyphen may belong: %j', (lines) => {
    expect(joinHyphens(lines)).toEqual(lines);
  });

  it('keeps its hyphen where the document writes it so elsewhere', () => {
    const lines = ['a well-', 'known wall, and a well-known tower'];
    expect(joinHyphens(lines, compoundsOf(lines))).toEqual(['a well-known', 'wall, and a well-known tower']);
  });

  it.each([
    [
      ['the state-of-the-', 'art ward'],
      ['the state-of-the-art', 'ward'],
    ],
    [
      ['by e-', 'mail only'],
      ['by e-mail', 'only'],
    ],
  ])('keeps its hyphen where it plainly is one: %j', (lines, joined) => {
    expect(joinHyphens(lines)).toEqual(joined);
  });

  it('is joined over a soft hyphen whatever letters follow, and none is left anywhere', () => {
    expect(joinHyphens(['Mc\u00ad', 'Donald e\u00adlec\u00adtric'])).toEqual(['McDonald', 'electric']);
  });

  it('loses nothing but hyphens and breaks, and no digit or capital ever moves', () => {
    const word = fc.stringMatching(/^[a-z]{1,4}[A-Z0-9]?-?$/);
    const line = fc.array(word, { minLength: 1, maxLength: 3 }).map((words) => words.join(' '));
    fc.assert(
      fc.property(fc.array(line, { maxLength: 6 }), (lines) => {
        const joined = joinHyphens(lines);
        const bare = (texts: readonly string[]): string => texts.join('').replace(/[-\s]/g, '');
        expect(bare(joined)).toBe(bare(lines));
        const marked = (texts: readonly string[]): number => texts.join('\n').match(/[A-Z0-9]-?\s/g)?.length ?? 0;
        expect(marked(joined)).toBe(marked(lines));
      }),
    );
  });
});
