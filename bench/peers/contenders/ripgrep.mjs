/**
 * ripgrep: reads every note for every query. What is asked for is taken literally, whatever its case; a process is started each
 * time, as an agent that greps does it. It does not rank: notes come by how often they say it, then by path.
 */
import { spawnSync } from 'node:child_process';

const ARGUMENTS = ['--count-matches', '--fixed-strings', '--ignore-case', '--no-ignore', '--glob', '*.md', '--null'];
const MOST_BYTES = 64 * 1024 * 1024;
const FOUND_NONE = 1;

export function index(folder) {
  return { ask: (query) => ranked(grep(folder, query)) };
}

function grep(folder, query) {
  const run = spawnSync('rg', [...ARGUMENTS, '--', query, '.'], {
    cwd: folder,
    encoding: 'utf8',
    maxBuffer: MOST_BYTES,
  });
  if (run.error) throw run.error;
  if (run.status > FOUND_NONE) throw new Error(`rg ended with ${run.status}: ${run.stderr}`);
  return run.stdout;
}

/** @param {string} output of rg: a path, NUL and a count a line */
export function ranked(output) {
  return output
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => line.split('\0'))
    .map(([path, count]) => ({ path: path.replace(/^\.\//, ''), count: Number(count) }))
    .sort((a, b) => b.count - a.count || (a.path < b.path ? -1 : 1))
    .map(({ path }) => path);
}

/** @returns {string | null} its version, null when it is not there */
export function ripgrepVersion() {
  const run = spawnSync('rg', ['--version'], { encoding: 'utf8' });
  return run.status === 0 ? (/^ripgrep (\S+)/.exec(run.stdout)?.[1] ?? null) : null;
}
