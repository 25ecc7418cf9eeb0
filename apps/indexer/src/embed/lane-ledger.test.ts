import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createLaneLedger } from './lane-ledger.ts';

describe('what is in the lane', () => {
  it('counts a job until the last of its contents is back', () => {
    const ledger = createLaneLedger();
    ledger.handed(['a', 'b'], 0);
    ledger.handed(['c'], 0);
    expect(ledger.jobs).toBe(2);
    ledger.returned('a');
    expect(ledger.jobs).toBe(2);
    ledger.returned('b');
    ledger.returned('b');
    expect([ledger.jobs, [...ledger.keys]]).toEqual([1, ['c']]);
  });

  it('forgets jobs by their age', () => {
    const ledger = createLaneLedger();
    ledger.handed(['old', 'older'], 10);
    ledger.handed(['new'], 20);
    ledger.forgetBefore(20);
    expect([ledger.jobs, [...ledger.keys]]).toEqual([1, ['new']]);
  });

  it('is empty when everything that was handed over is back, in whatever order and however often', () => {
    const key = fc.integer({ min: 0, max: 20 }).map(String);
    fc.assert(
      fc.property(fc.array(fc.array(key, { minLength: 1 })), fc.array(key), (handed, back) => {
        const ledger = createLaneLedger();
        for (const keys of handed) ledger.handed(keys, 0);
        expect([...ledger.keys].sort()).toEqual([...new Set(handed.flat())].sort());
        expect(ledger.jobs).toBeLessThanOrEqual(handed.length);
        for (const one of [...back, ...handed.flat()]) ledger.returned(one);
        expect([ledger.jobs, ledger.keys.size]).toEqual([0, 0]);
      }),
    );
  });
});
