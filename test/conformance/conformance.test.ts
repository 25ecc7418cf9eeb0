// The conformance run itself needs a newer Node and the registry, so it is a command of its own; what it compares with,
// how it compares, and the page that shows it are tested here.
import { describe, expect, it } from 'vitest';
import { page, rowsOf } from '../support/doc-pages.ts';
import { differences, type Expectation, type Reason } from './compare.mjs';
import { EXPECTED, REASONS } from './expected.mjs';
import { CALLS } from './inspector-calls.mjs';
import { toolVersions } from './install-tools.mjs';
import { type Check, RUNS } from './scenario-runs.mjs';
import { CALL_TABLE, callTable, markdown, resultOf, SCENARIO_TABLES, scenarioTable } from './tables.mjs';

const NAMES = RUNS.map(({ name }) => name);
const PAGE = page('docs/mcp-conformance.md');

describe('the comparison', () => {
  const reasons: Record<string, Reason> = { prompts: { why: 'no prompts', says: /Method not found/ } };
  const expected: Record<string, Expectation> = { one: { passed: [1, null], short: { prompts: ['list'] } } };
  const pass: Check = { status: 'SUCCESS', message: '' };
  const refused: Check = { status: 'FAILURE', message: 'Method not found' };
  const compare = (scenarios: Record<string, Record<string, Record<string, Check>>>) =>
    differences(
      ['a', 'b'],
      expected,
      reasons,
      new Map(
        Object.entries(scenarios).map(([name, runs]) => [
          name,
          new Map(Object.entries(runs).map(([run, checks]) => [run, new Map(Object.entries(checks))])),
        ]),
      ),
    );

  it('finds nothing when all went as expected', () => {
    const skipped = { status: 'SKIPPED', message: '' };
    expect(compare({ one: { a: { own: pass, list: refused, 'wire-schema-valid': pass, more: skipped } } })).toEqual([]);
  });

  it.each([
    ['a check that passed and fails', { one: { a: { own: refused, list: refused } } }, /own falls short/],
    [
      'a check that is only warned about',
      { one: { a: { own: { ...pass, status: 'WARNING' }, list: refused } } },
      /own/,
    ],
    ['a check that came to be skipped', { one: { a: { list: refused } } }, /0 checks pass, expected 1/],
    [
      'another reason',
      { one: { a: { own: pass, list: { ...refused, message: 'fetch failed' } } } },
      /not for "prompts"/,
    ],
    ['a check that holds by now', { one: { a: { own: pass, list: pass } } }, /list no longer falls short/],
    [
      'a message against the schema',
      { one: { a: { own: pass, list: refused, 'wire-schema-valid': refused } } },
      /wire/,
    ],
    ['a scenario that did not run', {}, /did not run/],
    ['a scenario that ran where it did not', { one: { a: { own: pass, list: refused }, b: { own: pass } } }, /it ran/],
    ['a scenario nobody knows', { one: { a: { own: pass, list: refused } }, two: { a: { own: pass } } }, /two is not/],
  ])('finds %s', (_what, scenarios, says) => {
    expect(compare(scenarios as Parameters<typeof compare>[0]).join('\n')).toMatch(says);
  });
});

describe('what is expected', () => {
  it('has a number for every run, and known reasons', () => {
    for (const [name, { passed, short = {} }] of Object.entries(EXPECTED)) {
      expect([name, passed.length]).toEqual([name, RUNS.length]);
      expect(Object.keys(short).filter((reason) => !(reason in REASONS))).toEqual([]);
    }
  });

  it('is that whatever concerns this server passes', () => {
    const protocol = [
      ...['server-initialize', 'ping', 'tools-list', 'resources-list', 'dns-rebinding-protection'],
      ...['http-header-validation', 'sep-2164-resource-not-found', 'input-required-result-unsupported-methods'],
    ];
    const found = protocol.map((name) => [name, resultOf(EXPECTED[name] as Expectation)]);
    expect(found).toEqual(protocol.map((name) => [name, 'passes']));
  });

  it('gives a reason only where one is used', () => {
    const used = Object.values(EXPECTED).flatMap(({ short = {} }) => Object.keys(short));
    expect(Object.keys(REASONS).filter((reason) => !used.includes(reason))).toEqual([]);
  });
});

describe('docs/mcp-conformance.md', () => {
  const rows = (table: string[][]) => rowsOf({ path: '', text: `# It\n\n${markdown(table)}\n` }, '# It');

  it.each(Object.entries(SCENARIO_TABLES))('shows below "%s" what is expected', (heading, shown) => {
    expect(rowsOf(PAGE, heading)).toEqual(rows(scenarioTable(NAMES, EXPECTED, REASONS, shown)));
  });

  it('shows every scenario', () => {
    const shown = Object.keys(SCENARIO_TABLES).flatMap((heading) => rowsOf(PAGE, heading));
    expect(shown.map(([name = '']) => name.replaceAll('`', '')).toSorted()).toEqual(Object.keys(EXPECTED).toSorted());
  });

  it('shows what the inspector is asked', () => {
    expect(rowsOf(PAGE, CALL_TABLE)).toEqual(rows(callTable(CALLS)));
  });

  it('names the versions that run', () => {
    const versions = rowsOf(PAGE, '## Versions').map(([, version]) => version);
    expect(versions).toEqual(expect.arrayContaining(Object.values(toolVersions())));
  });
});
