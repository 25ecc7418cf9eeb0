import { describe, expect, it } from 'vitest';
import { NOT_DECLARED, readDeclaration, readReport } from './declaration.ts';

const SELF = { schema: 2, check: 'dates', title: 'Dates', description: 'Looks at dates.', order: 50 };
const FOUND = { id: 'a', code: 'no_date', severity: 'warning', message: 'There is no date.' };
const described = (over: object) => readDeclaration(JSON.stringify({ ...SELF, ...over }));
const reported = (findings: unknown, over: object = {}) =>
  readReport(JSON.stringify({ ...SELF, ...over, findings }), 'dates');

describe('what a script says of itself', () => {
  it('is taken as it is, with whatever else it says left aside', () => {
    const { schema: _schema, ...rest } = SELF;
    expect(described({ author: 'me' })).toEqual({ value: rest });
    expect(readDeclaration(`\uFEFF${JSON.stringify(SELF)}\n`)).toEqual({ value: rest });
    expect(described({ order: -1.5, description: '' })).toHaveProperty('value');
  });

  it.each([
    ['nothing', ''],
    ['prose', 'Checking dates...\n3 problems'],
    ['a list', '[1]'],
    ['JSON and more', `${JSON.stringify(SELF)}\nok`],
    ['an object of something else', '{"version": "1.0"}'],
  ])('is no description when it is %s', (_what, printed) => {
    expect(readDeclaration(printed)).toEqual({ problem: NOT_DECLARED });
  });

  it.each([
    [{ schema: 1 }, 'schema must be 2'],
    [{ schema: '2' }, 'schema must be 2'],
    [{ check: 'My Check' }, 'check must be a name'],
    [{ check: '../../x' }, 'check must be a name'],
    [{ check: undefined }, 'check must be a text'],
    [{ title: ' ' }, 'title is empty'],
    [{ title: 'two\nlines' }, 'title holds a line break'],
    [{ title: 'x'.repeat(201) }, 'title is longer than 200'],
    [{ description: null }, 'description must be a text'],
    [{ order: 'first' }, 'order must be a number'],
  ])('does not fit with %j', (over, problem) => {
    expect(described(over)).toEqual({ problem: expect.stringContaining(problem) });
  });
});

describe('what a script found', () => {
  it('is taken with what it may leave out left out or null', () => {
    const whole = { ...FOUND, id: 'b', path: 'A.md', line: 3, fix: 'Write one.' };
    expect(reported([FOUND, whole])).toEqual({ value: [FOUND, whole] });
    expect(reported([{ ...FOUND, path: null, line: null, fix: null, more: 1 }])).toEqual({ value: [FOUND] });
    expect(reported([])).toEqual({ value: [] });
  });

  it.each([
    ['a code that is not in snake case', { code: 'No-Date' }, 'code must be in snake_case (at findings[0].code)'],
    ['another severity', { severity: 'fatal' }, 'severity must be error, warning or info (at findings[0].severity)'],
    ['no message', { message: undefined }, 'message must be a text'],
    ['an empty message', { message: '' }, 'message is empty'],
    ['an id of two lines', { id: 'a\nb' }, 'id holds a line break'],
    ['a number as its id', { id: 7 }, 'id must be a text'],
    ['line 0', { line: 0 }, 'lines count from 1'],
    ['half a line', { line: 1.5 }, 'line must be a whole number'],
    ['a path that is no text', { path: ['A.md'] }, 'path must be a text'],
    ['a path that leaves the vault', { path: 'a/../../b.md' }, 'path must be a path in the vault'],
    ['a path of the machine', { path: '/etc/passwd' }, 'path must be a path in the vault'],
  ])('does not fit with %s', (_what, over, problem) => {
    expect(reported([{ ...FOUND, ...over }])).toEqual({ problem: expect.stringContaining(problem) });
  });

  it('does not fit where two findings have one id', () => {
    expect(reported([FOUND, { ...FOUND, message: 'Another.' }])).toEqual({ problem: 'two findings have the id "a"' });
  });

  it('does not fit where it is of another check than it said', () => {
    expect(reported([], { check: 'times' })).toEqual({ problem: expect.stringMatching(/"dates" .* "times"/) });
  });

  it('does not fit where it is no report at all', () => {
    expect(readReport('', 'dates')).toEqual({ problem: 'it printed nothing' });
    expect(readReport('Traceback', 'dates')).toEqual({ problem: 'what it printed is no JSON' });
    expect(readReport('null', 'dates')).toHaveProperty('problem');
    expect(reported({})).toEqual({ problem: expect.stringContaining('findings must be a list') });
    expect(reported(Array.from({ length: 10_001 }, (_, n) => ({ ...FOUND, id: `${n}` })))).toEqual({
      problem: expect.stringContaining('more than 10000 findings'),
    });
  });
});
