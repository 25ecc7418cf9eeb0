import { expect, it } from 'vitest';
import { grid, run } from '../../../../../test/support/placed-text.ts';
import type { Run } from './model.ts';
import { tablesOf } from './tables.ts';

it('a text in frames around frames is not put together again for each of them', () => {
  const frames = Array.from({ length: 100 }, (_, at) => {
    const edge = (at + 1) * 10;
    return grid([-edge, 3 - edge, edge], [-edge, 3 - edge, edge]);
  });
  let reads = 0;
  const runs = Array.from({ length: 20_000 }, (_, at): Run => {
    const placed = run('word', -4 + (at % 7), (at % 8) - 2);
    const get = (): string => {
      reads++;
      return placed.text;
    };
    return Object.defineProperty({ ...placed }, 'text', { get });
  });
  const { tables, rest } = tablesOf(frames.flat(), runs, () => false);
  expect(tables).toEqual([]);
  expect(rest).toEqual(runs);
  expect(reads).toBeLessThan(10 * runs.length);
});
