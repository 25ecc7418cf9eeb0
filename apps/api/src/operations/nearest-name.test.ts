import { describe, expect, it } from 'vitest';
import { nearestName } from './nearest-name.ts';

const KNOWN = ['q', 'k', 'prefix', 'include_superseded', 'explain'];

describe('the nearest name', () => {
  it.each([
    ['explian', 'explain'],
    ['Prefix', 'prefix'],
    ['include_supersded', 'include_superseded'],
  ])('to %s is %s', (name, nearest) => {
    expect(nearestName(name, KNOWN)).toBe(nearest);
  });

  it.each(['nonsense', 'x', '', 'y'.repeat(100_000)])('to something else is none', (name) => {
    expect(nearestName(name, KNOWN)).toBeUndefined();
  });

  it('among none is none', () => {
    expect(nearestName('a', [])).toBeUndefined();
  });
});
