import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { factText, relateFact } from './fact.ts';

const STOP = new Set(['the', 'a', 'is', 'and', 'of', 'in']);
const relate = (fact: string, ...bullets: string[]) => relateFact(fact, bullets, (word) => !STOP.has(word));
const OLD = '- The boiler is serviced in May [[Boiler]] (added 2026-01-02)';

describe('a fact', () => {
  it('is compared without dash, links and date', () => {
    expect(factText(OLD)).toBe('The boiler is serviced in May');
    expect(factText('  * x ![[a|b]] y (added 2026-01-02) (added soon)')).toBe('x y (added soon)');
  });

  it.each([
    ['the same words, written another way', 'the BOILER is serviced in may.'],
    ['less than a bullet says', 'serviced in May'],
    ['the same but for a word of six', 'The boiler is serviced in May May'],
  ])('that is %s is the same', (_what, fact) => {
    expect(relate(fact, '- Other.', OLD)).toEqual({ is: 'same', bullet: OLD });
  });

  it.each([
    ['about something else', 'The chimney was swept in March'],
    ['of shared words, but not enough of them', 'The boiler is replaced in June'],
    ['that holds a bullet of three words', 'The red door sticks in winter'],
  ])('%s is new', (_what, fact) => {
    expect(relate(fact, OLD, '- the red door')).toEqual({ is: 'new' });
  });

  it('that holds a bullet and says more refines it, also where most words are shared', () => {
    const fact = 'The boiler is serviced in May by Aurelia';
    expect(relate(fact, OLD)).toEqual({ is: 'refines', bullet: OLD });
    const longer = '- In short: the boiler is serviced in May';
    expect(relate(`In short: ${fact}`, OLD, longer)).toEqual({ is: 'refines', bullet: longer });
  });

  it('that adds nothing but words without content does not refine', () => {
    expect(relate('and the boiler is serviced in May', OLD)).toEqual({ is: 'same', bullet: OLD });
  });

  it('is told apart in scripts without spaces too', () => {
    expect(relate('ボイラーは五月に点検する', '- ボイラーは五月に点検する')).toMatchObject({ is: 'same' });
    expect(relate('煙突は三月に掃除した', '- ボイラーは五月に点検する')).toEqual({ is: 'new' });
  });

  it('of a page without bullets, or of nothing but marks, is new', () => {
    expect(relate('Anything')).toEqual({ is: 'new' });
    expect(relate('!!!', OLD)).toEqual({ is: 'new' });
    expect(relate('Anything', '- [[Link]]', '-')).toEqual({ is: 'new' });
  });

  it('is always the same as itself, however it is written down', () => {
    fc.assert(
      fc.property(fc.array(fc.stringMatching(/^[a-z]{2,6}$/), { minLength: 1, maxLength: 8 }), (words) => {
        const fact = words.join(' ');
        const bullet = `- ${fact} [[x]] (added 2026-01-02)`;
        expect(relate(fact, bullet)).toEqual({ is: 'same', bullet });
      }),
    );
  });
});
