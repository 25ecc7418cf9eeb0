import { describe, expect, it } from 'vitest';
import { propertyWords } from './property-words.ts';

describe('what a note is found under by its properties', () => {
  it('is its other names, whatever they say', () => {
    expect(propertyWords({ title: 'Boiler', aliases: ['Old Faithful', 'Kessel'] })).toBe('Old Faithful\nKessel');
    expect(propertyWords({ aliases: 'Kessel' })).toBe('Kessel');
  });

  it('is of its description what is an identifier', () => {
    const description = 'The one in the cellar, bought as KH-2291-A on 2026-11-30';
    expect(propertyWords({ description })).toBe('KH-2291-A');
  });

  it.each([
    ['a number with letters', 'KH-2291-A'],
    ['an amount of digits', '20931442'],
    ['a plate', 'EL17 KVN'],
    ['an e-mail address', 'claims@orrery.example'],
    ['a name joined by underscores', 'atomic_write'],
    ['digits in groups', '302-5518830'],
  ])('is an identifier among the others: %s', (_what, value) => {
    expect(propertyWords({ policy: value })).toBe(value);
    expect(propertyWords({ policies: ['none', value] })).toBe(value);
  });

  it('is a long number that YAML took for one', () => {
    expect(propertyWords({ policy: 20931442 })).toBe('20931442');
  });

  it.each([
    ['a day', { created: '2026-11-30' }],
    ['a moment', { timestamp: '2026-11-02T19:40:00Z' }],
    ['a month', { due: '2026-11' }],
    ['a state', { status: 'active' }],
    ['a short number', { rating: 4 }],
    ['yes or no', { done: true }],
    ['nothing', { policy: null }],
    ['a map', { policy: { number: 'KH-2291' } }],
    ['what stands elsewhere in the index', { tags: ['proj/alpha-7'], type: 'v2', title: 'KH-2291' }],
    ['another note', { superseded_by: '[[DEC-0054]]', supersedes: ['[[DEC-0053]]'] }],
    ['who wrote it', { vault_agent: 'claude-4', vault_source: 'mail-77a' }],
  ])('is not %s', (_what, data) => {
    expect(propertyWords(data)).toBe('');
  });

  it('is bounded', () => {
    expect(propertyWords({ aliases: 'a1 '.repeat(5000) })).toHaveLength(2000);
  });
});
