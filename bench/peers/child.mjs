/**
 * Starts a contender's process and reads the one line that it prints. Danger: an inherited option of this Node would reach
 * another one, and its own output is for people, so only the last line counts.
 */
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const LONGEST_MS = 600_000;
const MOST_BYTES = 64 * 1024 * 1024;

/**
 * @param {import('./contenders.mjs').Contender} contender
 * @param {string} scratch folder for the job's file
 * @param {{folder: string, queries?: string[], judged?: object[]}} job
 */
export function askWords({ file, node, options }, scratch, job) {
  const path = join(scratch, 'job.json');
  writeFileSync(path, JSON.stringify({ ...job, contender: file, options }));
  return run(node ?? process.execPath, 'asked.mjs', [path]);
}

/** @param {'store' | 'search'} stage @param {{path: string, folder: string, count: number}} where */
export function askVectors({ file }, stage, { path, folder, count }) {
  return run(process.execPath, 'vectors/asked.mjs', [file, stage, path, folder, String(count)]);
}

function run(node, script, args) {
  const program = fileURLToPath(new URL(script, import.meta.url));
  const printed = execFileSync(node, ['--expose-gc', program, ...args], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
    timeout: LONGEST_MS,
    maxBuffer: MOST_BYTES,
  });
  return JSON.parse(printed.trimEnd().split('\n').at(-1));
}
