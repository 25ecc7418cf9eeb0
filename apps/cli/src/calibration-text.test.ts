import type { Calibration, Measure } from '@vault-mcp/api/memory/calibrate/calibrate';
import { describe, expect, it } from 'vitest';
import { calibrationText, remarksOf, settingsOf } from './calibration-text.ts';

const NOTHING: Measure = { values: { far: 0, near: 0, same: 0 }, bins: [], suggested: null, in_force: null };
const measure = (ceiling: number): Measure => ({
  values: { far: 4_000, near: 400, same: 148 },
  bins: [{ from: 0, to: 1, count: { far: 4_000, near: 400, same: 148 } }],
  suggested: { ceiling, admits: { far: 0.005, near: 0.42, same: null } },
  in_force: null,
});
const found: Calibration = {
  space: 'abc',
  notes: 3_204,
  with_vectors: 3_204,
  sampled: 400,
  distance: measure(0.15),
  bm25: measure(-30),
};
const configured = { ofConfigured: true, configured: 'm' };

describe('what a calibration comes to', () => {
  it('is told with the settings to paste last', () => {
    const text = calibrationText({
      ...found,
      bm25: { ...found.bm25, in_force: { ceiling: -20, admits: { far: 0.02, near: 1, same: 0.5 } } },
      model: 'm',
      configured_model: 'm',
      set: settingsOf(found, true),
      remarks: [],
    });
    expect(text).toContain('Looked at 400 of 3204 notes, with the vectors of m.\n');
    expect(text).toContain('Suggested is 0.15, which lets through 0.5 % of far, 42 % of near.\nNone is in force.\n');
    expect(text).toContain('In force is -20, which lets through 2.0 % of far, 100 % of near, 50 % of same.\n');
    expect(text).toMatch(/set:\n\nGATE_DISTANCE_CEILING=0\.15\nGATE_BM25_CEILING=-30$/);
  });

  it('shows no histogram of nothing', () => {
    const words = { ...found, space: null, with_vectors: 0, distance: NOTHING };
    const [set, remarks] = [settingsOf(words, false), remarksOf(words, { ...configured, ofConfigured: false })];
    const text = calibrationText({ ...words, model: null, configured_model: 'm', set, remarks });
    expect(text).not.toContain('Distance');
    expect(text).toContain('Looked at 400 of 3204 notes.\nThe index has no vectors yet, so that words alone were');
    expect(set).toEqual({ GATE_BM25_CEILING: '-30' });
  });
});

describe('a remark', () => {
  it('is made of vectors that are missing or another embedder’s, and of too few notes; of nothing else', () => {
    expect(remarksOf(found, configured)).toEqual([]);
    expect(remarksOf({ ...found, with_vectors: 3_203 }, configured)).toEqual([
      '1 note of 3204 had no vector yet and no distance.',
    ]);
    expect(remarksOf({ ...found, sampled: 29 }, configured)).toEqual([expect.stringContaining('there are 29')]);
    expect(remarksOf(found, { ...configured, ofConfigured: false })).toEqual([
      expect.stringContaining('not those of m'),
    ]);
  });
});
