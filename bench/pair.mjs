/**
 * The two programs with a Redis and an embedder of their own, as child processes: started as the images start them, asked
 * over HTTP. What every bench of the pair stands on. Times are wall-clock from before the programs exist.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from './free-port.mjs';

const KEY = 'bench-key';
const children = [];

/** Ends whatever still runs; for the end of a bench that may have failed. */
export function killAll() {
  for (const child of children) child.kill('SIGKILL');
}

/**
 * The stand-in of an embedder, ready to be called.
 * @param {number} groupMs what it takes for every 8 texts begun
 */
export async function startEmbedder(groupMs) {
  const child = start(process.execPath, ['bench/slow-embedder.mjs'], { EMBEDDER_GROUP_MS: `${groupMs}` }, 'pipe');
  const [address] = await once(child.stdout, 'data');
  return { url: String(address).trim(), stop: () => end(child) };
}

/**
 * @param {{vault: string, folder: string, embedder: string, settings?: Record<string, string>}} options `folder` is made,
 * for Redis and the programs' data; `settings`: environment on top of the usual
 */
export async function startPair({ vault, folder, embedder, settings = {} }) {
  mkdirSync(folder);
  const [redisPort, port] = [await freePort(), await freePort()];
  const redisOptions = ['--port', `${redisPort}`, '--bind', '127.0.0.1', '--dir', folder, '--save', ''];
  const redis = start('redis-server', [...redisOptions, '--appendonly', 'yes'], {});
  await sleep(500);
  const env = {
    VAULT_PATH: vault,
    DATA_PATH: join(folder, 'data'),
    REDIS_URL: `redis://127.0.0.1:${redisPort}`,
    OLLAMA_URL: embedder,
    VAULT_MCP_API_KEY: KEY,
    BIND_HOST: '127.0.0.1',
    BIND_PORT: `${port}`,
    LOG_LEVEL: 'error',
    // The vault is only read.
    CATALOG_ENABLED: 'false',
    ...settings,
  };
  const url = `http://127.0.0.1:${port}`;
  const get = (path) =>
    fetch(`${url}${path}`, {
      headers: { authorization: `Bearer ${KEY}`, accept: 'application/json' },
    });
  const startedAt = performance.now();
  const programs = ['api', 'indexer'].map((name) => start(process.execPath, [`apps/${name}/dist/main.js`], env));
  const [api, indexer] = programs;
  return {
    url,
    key: KEY,
    /** Who answers, and who starts extractions. */
    pids: { api: api.pid, indexer: indexer.pid },
    get,
    /** Resolves with seconds since the start, and /readyz, once `holds(readyz)` is true. */
    async until(holds) {
      for (;;) {
        const status = await get('/readyz').then(
          (answer) => answer.json(),
          () => null,
        );
        if (status !== null && holds(status)) return { seconds: (performance.now() - startedAt) / 1000, status };
        for (const child of programs)
          if (child.exitCode !== null) throw new Error(`a program ended: ${child.exitCode}`);
        await sleep(100);
      }
    },
    memory: () => ({ api: memoryOf(api), indexer: memoryOf(indexer), redis: memoryOf(redis) }),
    cpuSeconds: () => ({ api: cpuSeconds(api), indexer: cpuSeconds(indexer), redis: cpuSeconds(redis) }),
    async stop() {
      for (const child of [...programs, redis]) await end(child);
    },
  };
}

function start(command, args, env, stdout = 'ignore') {
  const own = { PATH: process.env.PATH, VAULT_MCP_CONFIG: '', MALLOC_ARENA_MAX: '2', ...env };
  const child = spawn(command, args, { env: own, stdio: ['ignore', stdout, 'inherit'] });
  children.push(child);
  return child;
}

async function end(child) {
  child.kill('SIGTERM');
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
}

/** Resident mebibytes now and at most so far (Linux). */
function memoryOf({ pid }) {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const mebibytes = (field) => Math.round(Number(new RegExp(`${field}:\\s+(\\d+)`).exec(status)?.[1] ?? 0) / 1024);
  return { now: mebibytes('VmRSS'), peak: mebibytes('VmHWM') };
}

/** Processor seconds of a process since its start (Linux). */
function cpuSeconds({ pid }) {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ');
  return (Number(fields[11]) + Number(fields[12])) / 100;
}
