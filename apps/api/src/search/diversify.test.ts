import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { diversify, type Scored } from './diversify.ts';

function scored(chunkId: number, fileId: number, score: number): Scored {
  return { chunkId, fileId, score };
}

const ids = (chosen: readonly Scored[]) => chosen.map(({ chunkId }) => chunkId);

describe('diversification', () => {
  it('prefers a slightly worse chunk of another note to a second one of the same', () => {
    const candidates = [scored(1, 1, 1), scored(2, 1, 0.98), scored(3, 2, 0.95)];
    expect(ids(diversify([], candidates, { k: 2, lambda: 0.9 }))).toEqual([1, 3]);
  });

  it('keeps a clearly better chunk of the same note', () => {
    const candidates = [scored(1, 1, 1), scored(2, 1, 0.98), scored(3, 2, 0.5)];
    expect(ids(diversify([], candidates, { k: 4, lambda: 0.9 }))).toEqual([1, 2, 3]);
  });

  it('lets no note take more than a third of the page while others wait', () => {
    const one = Array.from({ length: 10 }, (_, index) => scored(index, 1, 1 - index / 1000));
    const others = Array.from({ length: 4 }, (_, index) => scored(100 + index, 2 + index, 0.01));
    const chosen = diversify([], [...one, ...others], { k: 6, lambda: 1 });
    expect(chosen.filter(({ fileId }) => fileId === 1)).toHaveLength(2);
  });

  it('fills the page from one note when the answers live nowhere else', () => {
    const one = Array.from({ length: 10 }, (_, index) => scored(index, 1, 1 - index / 100));
    expect(ids(diversify([], one, { k: 6, lambda: 0.9 }))).toEqual([0, 1, 2, 3, 4, 5]);
  });

  it('puts pinned chunks first and counts them towards their notes', () => {
    const pin = scored(9, 1, 0.001);
    const candidates = [pin, scored(1, 1, 1), scored(2, 2, 0.9), scored(3, 3, 0.8)];
    expect(ids(diversify([pin], candidates, { k: 3, lambda: 0.9 }))).toEqual([9, 2, 3]);
  });

  const pools = fc
    .uniqueArray(
      fc.record({
        chunkId: fc.nat(200),
        fileId: fc.nat(8),
        score: fc.double({ min: 0.001, max: 1, noNaN: true }),
      }),
      { selector: ({ chunkId }) => chunkId, maxLength: 60 },
    )
    .chain((candidates) =>
      fc.record({
        candidates: fc.constant(candidates),
        pins: fc.subarray(candidates, { maxLength: Math.min(5, candidates.length) }),
      }),
    );
  const options = fc.record({ k: fc.integer({ min: 1, max: 20 }), lambda: fc.double({ min: 0, max: 1, noNaN: true }) });

  it('returns as many as there are up to k, none twice, the pinned first', () => {
    fc.assert(
      fc.property(pools, options, ({ candidates, pins }, { k, lambda }) => {
        const chosen = ids(diversify(pins, candidates, { k, lambda }));
        expect(chosen).toHaveLength(Math.min(k, candidates.length));
        expect(new Set(chosen).size).toBe(chosen.length);
        expect(chosen.slice(0, pins.length)).toEqual(ids(pins).slice(0, k));
      }),
    );
  });

  it('exceeds a cap only when every candidate of an uncapped note is taken', () => {
    fc.assert(
      fc.property(pools, options, ({ candidates }, { k, lambda }) => {
        const chosen = diversify([], candidates, { k, lambda });
        const cap = Math.ceil(k / 3);
        const taken = new Map<number, number>();
        for (const { fileId } of chosen) taken.set(fileId, (taken.get(fileId) ?? 0) + 1);
        const exceeded = [...taken.values()].some((count) => count > cap);
        const left = candidates.filter(({ chunkId }) => !chosen.some((other) => other.chunkId === chunkId));
        if (exceeded) for (const { fileId } of left) expect(taken.get(fileId) ?? 0).toBeGreaterThanOrEqual(cap);
        else for (const count of taken.values()) expect(count).toBeLessThanOrEqual(cap);
      }),
    );
  });

  it('chooses the same whatever the scale of the scores', () => {
    fc.assert(
      fc.property(pools, options, ({ candidates }, { k, lambda }) => {
        const scaled = candidates.map((candidate) => ({ ...candidate, score: candidate.score / 8 }));
        expect(ids(diversify([], scaled, { k, lambda }))).toEqual(ids(diversify([], candidates, { k, lambda })));
      }),
    );
  });
});
