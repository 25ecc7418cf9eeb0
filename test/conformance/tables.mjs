/** The expected results as the tables of docs/mcp-conformance.md. Pure; the page's test compares. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export const PAGE = join(import.meta.dirname, '../../docs/mcp-conformance.md');

/** Headings of the page → the runs that are columns of the table below. */
export const SCENARIO_TABLES = {
  '## Scenarios': ['released', '2025-06-18', '2025-11-25', '2026-07-28'],
  '## Extensions': ['extensions'],
};
export const CALL_TABLE = '## The inspector';

/**
 * @param {readonly string[]} runs names of the runs
 * @param {Record<string, import('./compare.mjs').Expectation>} expected
 * @param {Record<string, import('./compare.mjs').Reason>} reasons
 * @param {readonly string[]} shown which runs are columns: scenarios that none of them ran are left out
 * @returns {string[][]} cells, the head first
 */
export function scenarioTable(runs, expected, reasons, shown) {
  const columns = shown.map((name) => runs.indexOf(name));
  const rows = Object.entries(expected)
    .filter(([, { passed }]) => columns.some((at) => typeof passed[at] === 'number'))
    .map(([name, expectation]) => [
      `\`${name}\``,
      ...columns.map((at) => `${expectation.passed[at] ?? '–'}`),
      resultOf(expectation),
      whyOf(expectation, reasons),
    ]);
  return [['Scenario', ...shown, 'Result', 'Why'], ...rows];
}

/** One word or two for a scenario over all its runs. */
export function resultOf({ passed, short = {} }) {
  const some = passed.some((count) => (count ?? 0) > 0);
  if (Object.keys(short).length === 0) return some ? 'passes' : 'checks nothing';
  return some ? 'in part' : 'not for us';
}

function whyOf({ short = {}, note }, reasons) {
  const parts = Object.entries(short).map(([name, ids]) => `${ids.length} × ${reasons[name]?.why}`);
  return [...parts, ...(note === undefined ? [] : [note])].join('; ');
}

/**
 * Cells as a Markdown table.
 * @param {string[][]} table the head first
 */
export function markdown([head = [], ...rows]) {
  const line = (cells) => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

/** Puts a table in the place of the one that stands below a heading. */
export function replaceTable(path, heading, table) {
  const text = readFileSync(path, 'utf8');
  const start = text.indexOf(`\n${heading}\n`);
  const first = text.indexOf('\n|', start) + 1;
  if (start < 0 || first === 0) throw new Error(`${path} has no table below "${heading}".`);
  const length = /^(?:\|.*\n)+/.exec(text.slice(first))?.[0].length ?? 0;
  writeFileSync(path, `${text.slice(0, first)}${markdown(table)}\n${text.slice(first + length)}`);
}

/** @param {readonly import('./inspector-calls.mjs').Call[]} calls */
export function callTable(calls) {
  return [
    ['Call', 'What comes back', 'Over'],
    ...calls.map((each) => [each.call, each.answer, each.httpOnly ? 'HTTP' : 'HTTP, stdio']),
  ];
}
