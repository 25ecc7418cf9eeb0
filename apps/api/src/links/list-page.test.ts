import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { numberKey, pageAfter } from './list-page.ts';

describe('the pages of a list', () => {
  it('hold every entry once, in order, whatever goes between two of them', () => {
    const entries = fc.uniqueArray(fc.nat(500), { maxLength: 60 }).map((list) => list.sort((a, b) => a - b));
    fc.assert(
      fc.property(entries, fc.integer({ min: 1, max: 20 }), fc.nat(60), (all, limit, goesAt) => {
        const seen: number[] = [];
        let list = all;
        let mark: string | null | undefined;
        do {
          const page = pageAfter(list, numberKey, mark, limit);
          seen.push(...page.shown);
          mark = page.mark;
          // An entry that was shown goes: those after it move up.
          list = list.filter((one) => one !== seen[goesAt]);
        } while (mark !== null);
        expect(seen).toEqual(all);
      }),
    );
  });

  it('are found without going through those before', () => {
    const list = Array.from({ length: 100_000 }, (_, n) => n);
    let keys = 0;
    const keyOf = (n: number) => {
      keys++;
      return numberKey(n);
    };
    expect(pageAfter(list, keyOf, numberKey(90_000), 2).shown).toEqual([90_001, 90_002]);
    expect(keys).toBeLessThan(30);
  });
});
