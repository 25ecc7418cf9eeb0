/**
 * The compiled product as a child process on a copy of the example vault, with a key of its own. Danger: the tools may
 * write, so they never see the repository's copy; and whatever was started must end with this run.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';

const ROOT = join(import.meta.dirname, '../..');
const KEY = 'conformance-key';
const READY_MS = 60_000;
const STOP_MS = 15_000;

/**
 * @typedef {object} Served
 * @property {string} mcp URL of the endpoint
 * @property {string} key what opens it
 * @property {string} scratch a folder that goes when the server stops
 * @property {string[]} stdio the command that serves the same vault over standard input and output
 * @property {Record<string, string>} env what processes here are given: nothing of the caller's but the PATH
 * @property {() => Promise<void>} stop
 */

/** @returns {Promise<Served>} once its index is built */
export async function serveExample() {
  const scratch = mkdtempSync(join(tmpdir(), 'vault-mcp-conformance-'));
  const vault = join(scratch, 'vault');
  cpSync(join(ROOT, 'examples/vault'), vault, { recursive: true });
  const main = join(ROOT, 'apps/cli/dist/main.js');
  // Words only: no scenario asks for meaning, and so none waits for vectors.
  const where = ['--vault', vault, '--data', join(scratch, 'data'), '--lexical'];
  const env = { PATH: process.env.PATH ?? '', HOME: scratch, VAULT_MCP_CONFIG: '', LOG_LEVEL: 'error' };
  const child = spawn(process.execPath, [main, 'serve', ...where, '--port', '0', '--json'], {
    env: { ...env, VAULT_MCP_API_KEY: KEY },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const stop = async () => {
    await end(child);
    rmSync(scratch, { recursive: true, force: true });
  };
  try {
    const { url, mcp } = await announced(child);
    await ready(url, child);
    return { mcp, key: KEY, scratch, stdio: [process.execPath, main, 'mcp', ...where], env, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** The line of facts that `serve --json` prints once it listens. */
async function announced(child) {
  for await (const line of createInterface({ input: child.stdout })) return JSON.parse(line);
  throw new Error('The product ended before it listened.');
}

async function ready(url, child) {
  const until = Date.now() + READY_MS;
  while (Date.now() < until && child.exitCode === null) {
    const answer = await fetch(`${url}/readyz`, { headers: { authorization: `Bearer ${KEY}` } });
    if (answer.ok) return;
    await sleep(100);
  }
  throw new Error(`The product was not ready within ${READY_MS / 1000} s.`);
}

async function end(child) {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  const timer = setTimeout(() => child.kill('SIGKILL'), STOP_MS);
  await ended;
  clearTimeout(timer);
}
