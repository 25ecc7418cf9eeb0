/**
 * The programs that scale-out is measured with: the real indexer in whatever roles, a real Redis, and what they cost.
 * Danger: they outlive a measurement that fails, so whoever measures ends them all (`killAll`).
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { openIndexReader } from '@vault-mcp/shared/index-db/reader';

const children = [];

export function start(command, args, env, stdio = ['ignore', 'ignore', 'inherit']) {
  const child = spawn(command, args, { env, stdio });
  children.push(child);
  return child;
}

export function startIndexer(environment) {
  return start(process.execPath, ['apps/indexer/dist/main.js'], {
    PATH: process.env.PATH,
    VAULT_MCP_CONFIG: '',
    ...environment,
  });
}

export async function startRedis(port, folder) {
  mkdirSync(folder);
  const child = start(
    'redis-server',
    ['--port', `${port}`, '--bind', '127.0.0.1', '--dir', folder, '--save', '', '--appendonly', 'yes'],
    process.env,
  );
  await sleep(500);
  return child;
}

export async function end(child) {
  child.kill('SIGTERM');
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
}

export function killAll() {
  for (const child of children) child.kill('SIGKILL');
}

/** What an index says; null while it is not there. */
export function read(path, look) {
  let reader;
  try {
    reader = openIndexReader(path);
    return look(reader);
  } catch {
    return null;
  } finally {
    reader?.close();
  }
}

export async function until(holds) {
  while (!holds()) await sleep(100);
}

/**
 * Processor seconds of a process since its start, without those of the processes it started or with those of them that
 * have ended (Linux; elsewhere NaN).
 */
export function cpuSeconds({ pid }, { withEnded = false } = {}) {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /, '')
      .split(' ');
    const counted = withEnded ? fields.slice(11, 15) : fields.slice(11, 13);
    return counted.reduce((sum, ticks) => sum + Number(ticks), 0) / 100;
  } catch {
    return Number.NaN;
  }
}
