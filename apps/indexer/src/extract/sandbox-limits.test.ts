import { expect, it } from 'vitest';
import { DEFAULT_LIMITS, pageSeconds, sandboxLimits, softSeconds } from './sandbox-limits.ts';

it('takes its limits from the configuration', () => {
  expect(sandboxLimits(3_600, 1_024)).toEqual(DEFAULT_LIMITS);
  expect(sandboxLimits(5, 256)).toMatchObject({ totalSeconds: 5, residentBytes: 2 ** 28, heapMebibytes: 160 });
});

it.each([
  [3_600, 3_240, 3_595],
  [60, 45, 55],
  [20, 10, 15],
  [4, 2, 2],
])(
  'of %i seconds begins no page after %i and gives the page in hand up after %i, to hand over what it has',
  (total, soft, page) => {
    expect([softSeconds(total), pageSeconds(total)]).toEqual([soft, page]);
  },
);
