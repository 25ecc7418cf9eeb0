import fc from 'fast-check';
import { expect, it } from 'vitest';
import { SlotTable } from './slot-table.ts';

it('finds every id that was added, and no other', () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.integer({ min: 1, max: 2 ** 32 - 1 }), { maxLength: 3000 }), (ids) => {
      const table = new SlotTable((slot) => ids[slot] as number);
      for (const [slot, id] of ids.entries()) {
        expect(table.find(id)).toBe(-1);
        table.add(id, slot);
      }
      for (const [slot, id] of ids.entries()) expect(table.find(id)).toBe(slot);
    }),
    { numRuns: 30 },
  );
});

it('takes no more than sixteen bytes an id, when there are many, in a row or far apart', () => {
  for (const step of [1, 1024, 4096]) {
    const table = new SlotTable((slot) => 1 + slot * step);
    for (let slot = 0; slot < 20_000; slot++) table.add(1 + slot * step, slot);
    expect(table.byteLength() / 20_000).toBeLessThanOrEqual(16);
    expect(table.find(1 + 19_999 * step)).toBe(19_999);
  }
});
