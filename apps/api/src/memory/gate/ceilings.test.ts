import { describe, expect, test } from 'vitest';
import { ceilingsFor, requireCeilings } from './ceilings.ts';

const none = { distanceCeiling: null, bm25Ceiling: null };
const embedder = { model: 'nomic-embed-text', dims: 768, space: 'abc' };
const shipped = [{ ...embedder, distance: 0.2, bm25: -8 }];

describe('the ceilings', () => {
  test('are the configured ones, then those measured for the very space of the embedder', () => {
    expect(ceilingsFor(none, embedder, shipped)).toEqual({ distance: 0.2, bm25: -8 });
    expect(ceilingsFor({ distanceCeiling: 0.1, bm25Ceiling: null }, embedder, shipped)).toEqual({
      distance: 0.1,
      bm25: -8,
    });
    expect(ceilingsFor({ distanceCeiling: 0, bm25Ceiling: 0 }, embedder, [])).toEqual({ distance: 0, bm25: 0 });
  });

  test('are none for a space that nobody measured, whatever its model is called', () => {
    expect(ceilingsFor(none, { ...embedder, space: 'other prefixes' }, shipped)).toBeNull();
    expect(ceilingsFor({ distanceCeiling: 0.1, bm25Ceiling: null }, embedder, [])).toBeNull();
    expect(ceilingsFor({ distanceCeiling: null, bm25Ceiling: -8 }, embedder, [])).toBeNull();
  });

  test('are of words alone where there is no embedder', () => {
    expect(ceilingsFor({ distanceCeiling: 0.3, bm25Ceiling: -5 }, null, [])).toEqual({ distance: null, bm25: -5 });
  });

  test('that are missing are refused with the command that suggests them, and never invented', () => {
    expect(() => requireCeilings(none, embedder)).toThrow(
      expect.objectContaining({
        code: 'invalid_request',
        message: expect.stringMatching(/nomic-embed-text.*gate calibrate.*GATE_DISTANCE_CEILING and GATE_BM25_CEILING/),
      }),
    );
    expect(() => requireCeilings(none, null)).toThrow(/words alone.*set GATE_BM25_CEILING to/);
  });
});
