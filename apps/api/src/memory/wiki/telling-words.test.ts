import { SEARCH_LANGUAGES } from '@vault-mcp/shared/config/languages';
import { describe, expect, it } from 'vitest';
import { wordKinds } from './telling-words.ts';

describe('a word that makes another fact', () => {
  it.each([
    ['en', ['not', 'never', "isn't", 'isn’t', '900', '1,5', 'b2'], ['nicht', 'euro', 'knot', 'is']],
    ['de', ['nicht', 'kein', 'keinen', 'nie', '900'], ['not', 'no', 'kessel']],
    ['de-AT', ['nicht'], ['not']],
    ['fr', ['not', 'nicht', "isn't", '٣'], ['chaudière']],
  ])('in %s is a number or one that denies', (language, telling, others) => {
    const { isTelling } = wordKinds(language, () => false);
    expect(telling.filter((word) => !isTelling(word))).toEqual([]);
    expect(others.filter(isTelling)).toEqual([]);
  });

  it.each([
    ['en', 'monday mon tuesday march jan montag dezember two twenty third once dozen minus plus', 'man table toward'],
    [
      'de',
      'montag mo märz januar january zwei zweiundzwanzig fünftausend zwanzigste dreimal erste',
      'ein und eine einfach',
    ],
    ['fr', 'lundi février monday', 'chat'],
    ['ru', 'январь января понедельник', 'кот'],
    ['ja', '月曜日 三 二十', '猫'],
  ])('in %s is a day, a month or a number in words', (language, telling, others) => {
    const { isTelling } = wordKinds(language, () => false);
    expect(telling.split(' ').filter((word) => !isTelling(word))).toEqual([]);
    expect(others.split(' ').filter(isTelling)).toEqual([]);
  });

  it('is no short name of a day that is a stop word of the language', () => {
    expect(wordKinds('de', (word) => word === 'so').isTelling('so')).toBe(false);
    expect(wordKinds('de', () => false).isTelling('so')).toBe(true);
  });

  it.each(SEARCH_LANGUAGES)('is known for every language of the configuration: %s', (language) => {
    expect(wordKinds(language, () => false).isTelling('2024')).toBe(true);
  });

  it('has opposites both ways, in its language only', () => {
    const english = wordKinds('en', () => false);
    expect(english.oppositesOf('open')).toEqual(['closed']);
    expect(english.oppositesOf('closed')).toEqual(['open']);
    expect(english.oppositesOf('offen')).toEqual([]);
    expect(wordKinds('fr', () => false).oppositesOf('offen')).toContain('zu');
  });
});
