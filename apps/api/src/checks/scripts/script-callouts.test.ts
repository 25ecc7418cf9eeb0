import { describe, expect, it } from 'vitest';
import { MAX_CALLOUTS, readCallouts } from './script-callouts.ts';

const read = (...callouts: unknown[]) => readCallouts(JSON.stringify({ callouts }), 0);

describe('the callouts that a script prints', () => {
  it('are told with the fields that are known, and no other', () => {
    const whole = { note: 'A.md', line: 2, type: 'todo', severity: 'error', title: 'T', body: 'B' };
    expect(read({ ...whole, type: ' ToDo ', state: 'open', deep: { er: [] } }, { type: 'bug' }, {})).toEqual({
      value: {
        callouts: [
          whole,
          { type: 'bug', severity: 'error', title: '', body: '' },
          { severity: 'info', title: '', body: '' },
        ],
        total: 3,
      },
    });
  });

  it.each([
    ['no object', 'x', 'a callout must be an object (at [1])'],
    ['a list', [], 'a callout must be an object (at [1])'],
    ['a line that is a text', { line: '3' }, 'line must be a whole number (at [1].line)'],
    ['a severity of its own', { severity: 'high' }, 'severity must be error, warning or info (at [1].severity)'],
    ['a title that is a list', { title: ['a'] }, 'title must be a text (at [1].title)'],
    ['an endless type', { type: 'x'.repeat(300) }, 'type is longer than 200 characters (at [1].type)'],
  ])('are of no use where one is or has %s', (_what, callout, problem) => {
    expect(read({}, callout)).toEqual({ problem: `its callouts do not fit: ${problem}` });
  });

  it('may be nested as deep as they like, which goes nowhere', () => {
    const deep = `${'['.repeat(200_000)}${']'.repeat(200_000)}`;
    expect(readCallouts(`{"callouts": [{"title": "a", "more": ${deep}}]}`, 0)).toEqual({
      value: { callouts: [{ severity: 'info', title: 'a', body: '' }], total: 1 },
    });
    expect(readCallouts(`{"callouts": [{"title": ${deep}}]}`, 0)).toHaveProperty('problem');
  });

  it('are kept up to a number, and counted', () => {
    const given = read(...Array.from({ length: MAX_CALLOUTS + 5 }, (_, n) => ({ title: String(n) })));
    if (!('value' in given)) throw new Error(given.problem);
    expect([given.value.callouts.length, given.value.total]).toEqual([MAX_CALLOUTS, MAX_CALLOUTS + 5]);
  });

  it('have bodies as long as those of the built-in ones', () => {
    const given = read({ body: 'x'.repeat(20_000) });
    expect('value' in given && given.value.callouts[0]?.body).toHaveLength(10_000);
  });
});
