import { describe, expect, it } from 'vitest';
import type { Row, Segment } from './model.ts';
import { apartFromEdges } from './page-edges.ts';

/** Left of a gutter at 100. */
function row(y: number, size: number, segments = 1): Row {
  const segment: Segment = { left: 0, right: 50, size, order: 0, runs: [], table: null };
  return { y, segments: new Array<Segment>(segments).fill(segment) };
}

function rows(count: number, top: number, step: number, size: number): Row[] {
  return Array.from({ length: count }, (_, at) => row(top + at * step, size));
}

describe('the edges of columns', () => {
  it('are found over and under the body, each by itself, from top to bottom', () => {
    const body = rows(8, 100, 12, 10);
    const heads = rows(2, 0, 40, 8);
    const feet = rows(2, 240, 40, 8);
    expect(apartFromEdges([...heads, ...body, ...feet], 100)).toEqual({
      heads: heads.map((each) => [each]),
      body,
      feet: feet.map((each) => [each]),
    });
  });

  it('are found where they are 300 000', () => {
    const feet = rows(300_000, 4_000_100, 50, 5);
    const found = apartFromEdges([...rows(300_010, 0, 13, 10), ...feet], 100).feet;
    expect(found.map(([each]) => each)).toEqual(feet);
  }, 60_000);

  it('are found where a line is in 200 000 pieces', () => {
    const body = [row(0, 10, 200_000), ...rows(5, 12, 12, 10)];
    const foot = row(120, 8, 200_000);
    expect(apartFromEdges([...body, foot], 100)).toMatchObject({ body: { length: 6 }, feet: [[foot]] });
  });
});
