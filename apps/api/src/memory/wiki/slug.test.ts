import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { slugify } from './slug.ts';

describe('the name of a page', () => {
  it.each([
    ['Kitchen tap', 'kitchen-tap'],
    ['  A/C — unit #2!  ', 'a-c-unit-2'],
    ['Müller & Söhne, Straße 5', 'muller-sohne-strasse-5'],
    ['Żółć', 'zolc'],
    ['Москва', 'moskva'],
    ['東京', 'dongjing'],
    ['e\u0301te\u0301', 'ete'],
    ['ﬁle №5', 'file-5'],
    ['😀 party 🎉', 'party'],
    ['snake_case', 'snake-case'],
    ['!!!', ''],
    ['', ''],
  ])('of %s is %s', (title, slug) => {
    expect(slugify(title)).toBe(slug);
  });

  it('is at most 60 characters long and ends in none of its hyphens', () => {
    expect(slugify(`${'a'.repeat(59)} b`)).toBe('a'.repeat(59));
    expect(slugify('word '.repeat(40))).toHaveLength(59);
  });

  it('is made of letters, digits and single hyphens, and is its own name', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (title) => {
        const slug = slugify(title);
        expect(slug).toMatch(/^([a-z0-9]+(-[a-z0-9]+)*)?$/);
        expect(slug.length).toBeLessThanOrEqual(60);
        expect(slugify(slug)).toBe(slug);
      }),
    );
  });
});
