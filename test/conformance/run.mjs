/**
 * `npm run conformance`: the official conformance package's server scenarios and the MCP inspector against the real
 * program, compared with what is expected of it. Ends with 0 only if every single check went as expected, with 1 if one
 * did not, with 2 if it could not be found out.
 *
 *   npm run conformance                    installs what it needs (once), runs everything
 *   npm run conformance -- --node PATH     with this Node for the tools instead of one from the registry
 *   npm run conformance -- --page          only writes the tables of docs/mcp-conformance.md from what is expected
 */
import process from 'node:process';
import { parseArgs } from 'node:util';
import { differences } from './compare.mjs';
import { EXPECTED, REASONS } from './expected.mjs';
import { CALLS, runInspector } from './inspector-calls.mjs';
import { installTools } from './install-tools.mjs';
import { withKey } from './key-proxy.mjs';
import { RUNS, runScenarios } from './scenario-runs.mjs';
import { serveExample } from './served-example.mjs';
import { CALL_TABLE, callTable, markdown, PAGE, replaceTable, SCENARIO_TABLES, scenarioTable } from './tables.mjs';

const NAMES = RUNS.map(({ name }) => name);

const { values: options } = parseArgs({ options: { node: { type: 'string' }, page: { type: 'boolean' } } });
if (options.page) writePage();
else process.exitCode = await conforms().then((all) => (all ? 0 : 1), couldNotRun);

function writePage() {
  for (const [heading, shown] of Object.entries(SCENARIO_TABLES)) {
    replaceTable(PAGE, heading, scenarioTable(NAMES, EXPECTED, REASONS, shown));
  }
  replaceTable(PAGE, CALL_TABLE, callTable(CALLS));
}

async function conforms() {
  const { observed, inspector } = await observe(installTools(options.node));
  print(markdown(observedTable(observed)));
  const found = [...differences(NAMES, EXPECTED, REASONS, observed), ...inspector.differences];
  print(`\n${observed.size} scenarios in ${NAMES.length} runs, ${inspector.ran} calls of the inspector.`);
  if (found.length === 0) print('Every check went as expected (docs/mcp-conformance.md says what that is).');
  else print(`Not as expected:\n${found.map((line) => `  ${line}`).join('\n')}`);
  return found.length === 0;
}

async function observe(tools) {
  const served = await serveExample();
  const proxy = await withKey(served.mcp, served.key);
  try {
    const observed = await runScenarios(tools, served, proxy.url);
    return { observed, inspector: await runInspector(tools, served) };
  } finally {
    proxy.close();
    await served.stop();
  }
}

/** Checks that passed, of those that were made, as they went now. */
function observedTable(observed) {
  const cell = (checks) => {
    if (checks === undefined) return '–';
    const made = [...checks.values()].filter(({ status }) => !['SKIPPED', 'INFO'].includes(status));
    return `${made.filter(({ status }) => status === 'SUCCESS').length}/${made.length}`;
  };
  const rows = [...observed].map(([name, runs]) => [name, ...NAMES.map((run) => cell(runs.get(run)))]);
  return [['scenario', ...NAMES], ...rows];
}

function couldNotRun(error) {
  process.stderr.write(`MCP conformance could not be run. ${error.message}\n`);
  return 2;
}

function print(text) {
  process.stdout.write(`${text}\n`);
}
