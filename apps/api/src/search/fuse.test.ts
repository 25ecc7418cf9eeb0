import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { rankingConstants } from './constants.ts';
import { fuse } from './fuse.ts';

const SETTINGS = { rrf_k: 10, candidates: 50, document_weight: 0.7, mmr_lambda: 0.9 };
const STRONG = rankingConstants(SETTINGS, 'ollama');
const WEAK = rankingConstants(SETTINGS, 'builtin');

/** One candidate per id, each in a file of its own. */
function arm(...ids: number[]) {
  return ids.map((id) => ({ chunkId: id, fileId: id }));
}

const FIFTY = Array.from({ length: 50 }, (_, index) => 100 + index);

describe('fusion', () => {
  it('gives 1 to a chunk that is first in both arms', () => {
    expect(fuse({ dense: arm(7, 8), lexical: arm(7, 9) }, STRONG)[0]).toEqual({
      chunkId: 7,
      fileId: 7,
      denseRank: 1,
      lexicalRank: 1,
      fused: 1,
    });
  });

  it('gives 1 to the first hit of an arm that is on alone', () => {
    expect(fuse({ dense: null, lexical: arm(3, 4) }, WEAK)[0]).toMatchObject({ chunkId: 3, fused: 1 });
    expect(fuse({ dense: arm(3, 4), lexical: null }, { ...WEAK, dense_weight: 0 })[0]).toMatchObject({ fused: 1 });
  });

  it('lets the best lexical-only hit reach the first page beside a strong embedder', () => {
    const ids = fuse({ dense: arm(...FIFTY), lexical: arm(1) }, STRONG).map(({ chunkId }) => chunkId);
    expect(ids.indexOf(1)).toBeLessThan(6);
  });

  it('lets the best dense-only hit reach the first page beside fifty lexical ones', () => {
    const ids = fuse({ dense: arm(1), lexical: arm(...FIFTY) }, STRONG).map(({ chunkId }) => chunkId);
    expect(ids.indexOf(1)).toBeLessThan(6);
  });

  it('keeps the words in order when the embedder is weak and disagrees', () => {
    const ids = fuse({ dense: arm(...FIFTY), lexical: arm(1, 2, 3) }, WEAK).map(({ chunkId }) => chunkId);
    expect(ids.slice(0, 3)).toEqual([1, 2, 3]);
  });

  it('leaves out what only an arm of weight zero returned', () => {
    const fused = fuse({ dense: arm(1), lexical: arm(2) }, { ...STRONG, dense_weight: 0 });
    expect(fused.map(({ chunkId }) => chunkId)).toEqual([2]);
  });

  const arms = fc
    .record({
      dense: fc.option(fc.uniqueArray(fc.nat(80), { maxLength: 50 }), { nil: null }),
      lexical: fc.option(fc.uniqueArray(fc.nat(80), { maxLength: 50 }), { nil: null }),
      rrf_k: fc.double({ min: 0, max: 100, noNaN: true }),
      dense_weight: fc.double({ min: 0.01, max: 10, noNaN: true }),
      lexical_weight: fc.double({ min: 0.01, max: 10, noNaN: true }),
    })
    .map(({ dense, lexical, ...constants }) => ({
      arms: { dense: dense && arm(...dense), lexical: lexical && arm(...lexical) },
      constants,
    }));

  it('returns every candidate once, best first, within (0, 1]', () => {
    fc.assert(
      fc.property(arms, ({ arms, constants }) => {
        const fused = fuse(arms, constants);
        const all = new Set([...(arms.dense ?? []), ...(arms.lexical ?? [])].map(({ chunkId }) => chunkId));
        expect(new Set(fused.map(({ chunkId }) => chunkId))).toEqual(all);
        expect(fused).toHaveLength(all.size);
        fused.forEach(({ fused: value }, index) => {
          expect(value).toBeGreaterThan(0);
          expect(value).toBeLessThanOrEqual(1 + 1e-12);
          expect(value).toBeLessThanOrEqual(fused[index - 1]?.fused ?? Number.POSITIVE_INFINITY);
        });
      }),
    );
  });

  it('never ranks a chunk below one that both arms put behind it', () => {
    fc.assert(
      fc.property(arms, ({ arms, constants }) => {
        const fused = fuse(arms, constants);
        const behind = (a: number | null, b: number | null) => (a ?? Infinity) <= (b ?? Infinity);
        fused.forEach((first, index) => {
          for (const later of fused.slice(index + 1)) {
            const dominated = behind(later.denseRank, first.denseRank) && behind(later.lexicalRank, first.lexicalRank);
            expect(dominated).toBe(false);
          }
        });
      }),
      { numRuns: 30 },
    );
  });
});

describe('constants in force', () => {
  it('takes a weight that is left open from the embedder and a configured one as it is', () => {
    expect(rankingConstants({ ...SETTINGS, lexical_weight: null }, 'builtin').lexical_weight).toBe(3);
    expect(rankingConstants({ ...SETTINGS, lexical_weight: null }, 'openai').lexical_weight).toBe(1);
    expect(rankingConstants({ ...SETTINGS, lexical_weight: 0.5, dense_weight: 2 }, 'builtin')).toMatchObject({
      lexical_weight: 0.5,
      dense_weight: 2,
    });
  });
});
