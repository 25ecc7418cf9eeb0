import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { clusterBoundary, composed } from './composed-text.ts';

const unit = fc.constantFrom(
  'a',
  'é',
  'e\u0301',
  'ế',
  'e\u0302\u0301',
  'e\u0301\u0302',
  '각',
  '각',
  '\u0301',
  '\u1161',
  'ᾂ',
  'α\u0313\u0300\u0345',
  '\u212b',
  '😀',
  '\ud83d',
  '❤\ufe0f',
  '\n',
  'が',
  'か\u3099',
);
const text = fc.array(unit, { maxLength: 30 }).map((units) => units.join(''));

describe('composed text', () => {
  it('knows of each of its characters where it stands in the text as it is', () => {
    fc.assert(
      fc.property(text, (original) => {
        const form = composed(original);
        expect(form.text).toBe(original.normalize('NFC'));
        let offset = 0;
        for (const character of form.text) {
          const [from, to] = [form.startOf(offset), form.endOf(offset + character.length)];
          expect(from).toBeLessThan(to);
          expect(original.slice(from, to).normalize('NFC')).toContain(character);
          offset += character.length;
        }
        expect([form.startOf(offset), form.endOf(offset)]).toEqual([original.length, original.length]);
      }),
      { numRuns: 1000 },
    );
  });

  it('can be cut where no cluster is parted, and composes as its parts do', () => {
    fc.assert(
      fc.property(text, fc.nat(60), (original, position) => {
        const start = original.slice(0, position).isWellFormed() ? Math.min(position, original.length) : 0;
        const cut = clusterBoundary(original, start);
        expect(cut).toBeGreaterThanOrEqual(start);
        expect(composed(original.slice(0, cut)).text + composed(original.slice(cut)).text).toBe(
          original.normalize('NFC'),
        );
      }),
      { numRuns: 1000 },
    );
  });

  it('is cut somewhere in a heap of marks without end', () => {
    expect(clusterBoundary(`a${'\u0301'.repeat(10_000)}`, 1)).toBe(33);
  });
});
