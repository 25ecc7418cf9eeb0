/**
 * Runs every server scenario that the conformance packages have, at each protocol revision, and reads their results.
 * Danger: a package's own exit code only says that something failed, so what counts is read check by check.
 */
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runProgram } from './run-program.mjs';

/**
 * The columns of the table: which package, and what it is told. Scenarios of protocol extensions belong to no
 * revision's suite and are asked for by name.
 */
export const RUNS = [
  { name: 'released', program: 'released', args: ['--suite', 'all'] },
  { name: '2025-06-18', program: 'next', args: ['--suite', 'all', '--spec-version', '2025-06-18'] },
  { name: '2025-11-25', program: 'next', args: ['--suite', 'all', '--spec-version', '2025-11-25'] },
  { name: '2026-07-28', program: 'next', args: ['--suite', 'all', '--spec-version', '2026-07-28'] },
  { name: 'extensions', program: 'next', args: null },
];

/** Worse ones last: a check that comes several times counts as its worst. */
const STATUSES = ['SKIPPED', 'INFO', 'SUCCESS', 'WARNING', 'FAILURE'];

/**
 * @typedef {{ status: string, message: string }} Check
 * @typedef {Map<string, Map<string, Map<string, Check>>>} Observed scenario → run → id of the check → its worst outcome
 */

/**
 * @param {import('./install-tools.mjs').Tools} tools
 * @param {import('./served-example.mjs').Served} served
 * @param {string} url endpoint that asks for no key
 * @returns {Promise<Observed>}
 */
export async function runScenarios(tools, served, url) {
  const observed = new Map();
  for (const run of RUNS) {
    const conformance = [tools.node, tools[run.program]];
    const output = join(served.scratch, 'results', run.name);
    const server = [...conformance, 'server', '--url', url, '--output-dir', output];
    mkdirSync(output, { recursive: true });
    if (run.args === null) {
      const left = (await listed(conformance, served.env)).filter((scenario) => !observed.has(scenario));
      for (const scenario of left) await runProgram([...server, '--scenario', scenario], served.env);
    } else {
      await runProgram([...server, ...run.args], served.env);
    }
    collect(output, run.name, observed);
  }
  return observed;
}

/** Names of all server scenarios of a package. */
async function listed(conformance, env) {
  const { stdout } = await runProgram([...conformance, 'list', '--server'], env);
  const names = [...stdout.matchAll(/^ *- ([\w-]+) \[/gm)].map(([, name = '']) => name);
  if (names.length === 0) throw new Error(`The conformance package lists no server scenarios:\n${stdout}`);
  return names;
}

function collect(output, run, observed) {
  const folders = readdirSync(output);
  if (folders.length === 0) throw new Error(`The conformance package left no results for ${run}.`);
  for (const folder of folders) {
    // server-<scenario>-<time of the run>
    const [, scenario = folder] = /^server-(.+)-\d{4}-\d\d-\d\dT[\d-]+Z$/.exec(folder) ?? [];
    const runs = observed.get(scenario) ?? new Map();
    observed.set(scenario, runs);
    runs.set(run, worst(JSON.parse(readFileSync(join(output, folder, 'checks.json'), 'utf8'))));
  }
}

function worst(checks) {
  const found = new Map();
  for (const { id, status, errorMessage = '' } of checks) {
    const before = found.get(id);
    if (before && STATUSES.indexOf(before.status) >= STATUSES.indexOf(status)) continue;
    found.set(id, { status, message: errorMessage });
  }
  return found;
}
