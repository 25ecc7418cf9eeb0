import { describe, expect, it } from 'vitest';
import { nearDuplicateFindings } from './near-findings.ts';

describe('notes that say nearly the same', () => {
  it('are counted, all pairs of them, though not all are told', () => {
    const { findings, counts } = nearDuplicateFindings({
      pairs: [{ a: 'A.md', b: 'B.md', similarity: 0.9876 }],
      total: 1_999_000,
    });
    expect(findings.map(({ path, message }) => [path, message])).toEqual([
      ['A.md', 'It says nearly the same as B.md (0.988 of 1).'],
    ]);
    expect(counts).toEqual({ error: 0, warning: 0, info: 1_999_000 });
  });
});
