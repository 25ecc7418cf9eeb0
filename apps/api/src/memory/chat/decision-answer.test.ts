import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readDecision } from './decision-answer.ts';

describe('a decision', () => {
  it.each([
    { action: 'create' },
    { action: 'create', reason: 'Nothing says so.' },
    { action: 'discard', reason: 'It is there.' },
    { action: 'discard', target: 'a.md' },
    { action: 'supersede', target: 'a.md' },
    { action: 'update', target: 'a.md', body: 'New.' },
    { action: 'update', target: 'a.md', append: 'More.', section: 'Facts' },
    { action: 'update', target: 'a.md' },
  ])('is read as it is: %j', (value) => {
    expect(readDecision(value)).toEqual({ value });
  });

  it.each([
    ['a text', 'create', /"action"/],
    ['a list', [{ action: 'create' }], /"action"/],
    ['nothing', null, /"action"/],
    ['no action', { target: 'a.md' }, /"action"/],
    ['another action', { action: 'delete', target: 'a.md' }, /"action"/],
    ['a key of its own', { action: 'create', confidence: 0.9 }, /no other key/],
    ['a number for a text', { action: 'update', target: 'a.md', append: 7 }, /texts/],
    ['null for what is not needed', { action: 'create', target: null }, /not null/],
    ['two texts', { action: 'update', target: 'a.md', body: 'b', append: 'c' }, /give one of them/],
    ['a text beside create', { action: 'create', body: 'b' }, /"update" only/],
    ['a text beside discard', { action: 'discard', append: 'b' }, /"update" only/],
    ['a section beside supersede', { action: 'supersede', target: 'a.md', section: 's' }, /"update" only/],
    ['no target to update', { action: 'update', body: 'b' }, /needs "target"/],
    ['an empty target to supersede', { action: 'supersede', target: '' }, /needs "target"/],
    ['half a character', { action: 'update', target: 'a.md', append: 'x\ud83d' }, /well-formed/],
  ])('is none with %s', (_what, value, problem) => {
    expect(readDecision(value)).toEqual({ problem: expect.stringMatching(problem) });
  });

  it('is none in words that repeat nothing of it', () => {
    fc.assert(
      fc.property(fc.object(), fc.string({ minLength: 12 }), (object, words) => {
        const read = readDecision({ ...object, action: 'none', [words]: words });
        expect(read).toHaveProperty('problem');
        expect(JSON.stringify(read)).not.toContain(words);
      }),
    );
  });
});
