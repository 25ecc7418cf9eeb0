import { describe, expect, it } from 'vitest';
import { fittedFields, fittingEntries } from './answer-size.ts';

describe('what fits into an answer', () => {
  it('is whole where there is room', () => {
    const fields = { frontmatter: { a: 1, b: [2] }, tags: ['x', 'y'] };
    expect(fittedFields(fields, 100)).toEqual({ fields, shortened: [] });
    expect(fittingEntries([1, 2, 3], 100)).toBe(3);
  });

  it('lacks entries of lists and mappings where there is none, and says in which', () => {
    const fields = { frontmatter: { a: 'x'.repeat(100), b: 2 }, tags: ['y'.repeat(50), 'z'.repeat(50)] };
    expect(fittedFields(fields, 90)).toEqual({
      fields: { frontmatter: { b: 2 }, tags: ['y'.repeat(50)] },
      shortened: ['frontmatter', 'tags'],
    });
    expect(fittedFields({ frontmatter: undefined }, 0)).toEqual({ fields: {}, shortened: [] });
  });

  it('is one entry at least, so that paging goes on', () => {
    expect(fittingEntries(['x'.repeat(100), 'y'], 10)).toBe(1);
    expect(fittingEntries(['abc', 'def', 'ghi'], 10)).toBe(2);
    expect(fittingEntries([], 10)).toBe(0);
  });
});
