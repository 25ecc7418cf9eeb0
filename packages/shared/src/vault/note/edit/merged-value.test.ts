import { describe, expect, it } from 'vitest';
import { mergedValue } from './merged-value.ts';

describe('a value added to a frontmatter key', () => {
  it.each([
    ['a list', ['a'], ['b', 'c'], ['a', 'b', 'c'], ['b', 'c', 'a']],
    ['a text', 'a', 'b', 'ab', 'ba'],
    ['a mapping', { a: 1, b: 1 }, { b: 2, c: 2 }, { a: 1, b: 2, c: 2 }, { a: 1, b: 1, c: 2 }],
    ['nothing yet', undefined, ['a'], ['a'], ['a']],
    ['an empty key', null, 'a', 'a', 'a'],
  ])('extends %s at either end', (_what, current, added, appended, prepended) => {
    expect(mergedValue(current, added, 'append')).toEqual(appended);
    expect(mergedValue(current, added, 'prepend')).toEqual(prepended);
  });

  it.each([
    [['a'], 'b', /send a list/],
    ['a', ['b'], /use replace/],
    [1, 2, /use replace/],
    [true, 'a', /use replace/],
    [{ a: 1 }, ['a'], /use replace/],
  ])('of another kind is refused: %j and %j', (current, added, advice) => {
    expect(() => mergedValue(current, added, 'append')).toThrow(
      expect.objectContaining({ code: 'invalid_value', message: expect.stringMatching(advice) }),
    );
  });
});
