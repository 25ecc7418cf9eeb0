import { describe, expect, it } from 'vitest';
import { ignoredBy, indexedPaths } from './indexed-paths.ts';

describe('the paths that are indexed', () => {
  const isIndexed = indexedPaths({
    docSuffixes: ['.pdf'],
    excludeDirs: ['Archive/Raw'],
    ignore: ['*conflicted copy*'],
  });

  it.each([
    ['House/Heating.md', true],
    ['House/HEATING.MD', true],
    ['Files/plan.PDF', true],
    ['plan.svg', false],
    ['.trash/Old.md', false],
    ['House/.hidden.md', false],
    ['archive/raw/Old.md', false],
    ['Archive/Rawest.md', true],
    ['House/Heating (Conflicted Copy 2).md', false],
  ])('%s: %s', (path, expected) => {
    expect(isIndexed(path)).toBe(expected);
  });

  it('are ignored by the name alone, not by a folder that looks like one', () => {
    expect(ignoredBy(['*.tmp.md'])('x.tmp.md/a.md')).toBe(false);
    expect(ignoredBy(['*.tmp.md'])('a/x.tmp.md')).toBe(true);
    expect(ignoredBy([])('a.md')).toBe(false);
  });
});
