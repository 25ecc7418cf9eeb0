import { describe, expect, it } from 'vitest';
import { tellingWords } from './telling-words.ts';

describe('a word that makes another fact', () => {
  it.each([
    ['en', ['not', 'never', "isn't", 'isn’t', '900', '1,5', 'b2'], ['nicht', 'euro', 'knot', 'is']],
    ['de', ['nicht', 'kein', 'keinen', 'nie', '900'], ['not', 'no', 'kessel']],
    ['de-AT', ['nicht'], ['not']],
    ['fr', ['not', 'nicht', "isn't", '٣'], ['chaudière']],
  ])('in %s is a number or one that denies', (language, telling, others) => {
    const isTelling = tellingWords(language);
    expect(telling.filter((word) => !isTelling(word))).toEqual([]);
    expect(others.filter(isTelling)).toEqual([]);
  });
});
