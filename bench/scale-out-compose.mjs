/**
 * The same measurement with docker-compose.yml and its `WORKERS`. All text is indexed once, without a worker; what the
 * volume holds then is kept aside, and every number of workers begins with it and an empty Redis. Danger: it takes the
 * project's name for itself, and its volumes go with it.
 */
import { execFileSync } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';

const PROJECT = 'vault-mcp-scale-out';
const KEY = 'bench-key';
const PORT = '18080';
const DATA = `${PROJECT}_data`;
const PATIENCE_MS = 2_000;
const KEPT = `${PROJECT}_kept`;
const IMAGE = process.env.API_IMAGE ?? 'vault-mcp-api';

/**
 * @param {{vault: string, embedder: string}} options its folder, which is only read; the embedder's URL on this machine
 * @returns what measures with a number of workers, and takes everything down
 */
export async function openComposed({ vault, embedder }) {
  const env = {
    ...process.env,
    VAULT_DIR: vault,
    READ_ONLY: 'true',
    VAULT_MCP_API_KEY: KEY,
    VAULT_MCP_PORT: `127.0.0.1:${PORT}`,
    EMBED_PROVIDER: 'ollama',
    OLLAMA_URL: embedder.replace('127.0.0.1', 'host.docker.internal'),
    LOG_LEVEL: 'error',
    // Vectors are the workers' business.
    INDEXER_ROLES: 'watch,write',
  };
  const compose = (workers, ...args) => {
    run('docker', ['compose', '-f', 'docker-compose.yml', '-p', PROJECT, ...args], { ...env, WORKERS: `${workers}` });
  };
  const close = () => {
    compose(0, 'down', '--volumes', '--timeout', '0');
    run('docker', ['volume', 'rm', '--force', KEPT]);
  };
  try {
    close();
    compose(0, 'build');
    compose(0, 'up', '--detach');
    await until((index) => index.state === 'ready' && index.waiting === 0);
    compose(0, 'down');
    copyVolume(DATA, KEPT);
  } catch (error) {
    close();
    throw error;
  }
  return { measure: (workers) => measure(compose, workers), close };
}

async function measure(compose, workers) {
  copyVolume(KEPT, DATA);
  run('docker', ['volume', 'rm', '--force', `${PROJECT}_redis`]);
  compose(0, 'up', '--detach');
  const { chunks } = await until((index) => index.state === 'ready' && index.waiting === 0 && index.embedded === 0);
  const writerBefore = cpuSeconds('indexer');
  const startedAt = performance.now();
  compose(workers, 'up', '--detach', '--no-recreate');
  let firstAt = null;
  await until((index) => {
    if (index.embedded > 0) firstAt ??= performance.now();
    return index.embedded === index.chunks;
  });
  const seconds = (performance.now() - startedAt) / 1000;
  const all = Array.from({ length: workers }, (_, n) => cpuSeconds('worker', n + 1));
  const cpu = {
    writer: cpuSeconds('indexer') - writerBefore,
    worker: all.reduce((sum, one) => sum + one, 0) / workers,
    redis: cpuSeconds('redis'),
  };
  compose(workers, 'down');
  return { workers, chunks, seconds, sinceFirstSeconds: seconds - (firstAt - startedAt) / 1000, cpu };
}

/** Waits until it holds for what /readyz says of the index, which it returns. */
async function until(holds) {
  for (;;) {
    const index = await indexStatus();
    if (index && holds(index)) return index;
    await sleep(100);
  }
}

/** Null while the api is not there. */
async function indexStatus() {
  try {
    const headers = { authorization: `Bearer ${KEY}`, accept: 'application/json' };
    // A container that is just starting may take a call and never answer it.
    const signal = AbortSignal.timeout(PATIENCE_MS);
    const answer = await fetch(`http://127.0.0.1:${PORT}/readyz`, { headers, signal });
    return (await answer.json()).index ?? null;
  } catch {
    return null;
  }
}

/** All of one volume into another, which loses what it had. */
function copyVolume(from, to) {
  const copy = 'find /to -mindepth 1 -delete && cp -a /from/. /to';
  run('docker', ['run', '--rm', '-u', '0', '-v', `${from}:/from:ro`, '-v', `${to}:/to`, IMAGE, 'sh', '-c', copy]);
}

/** Processor seconds of a container's program, the child of its init, since its start. */
function cpuSeconds(service, number = 1) {
  const read = 'read -r program _ < /proc/1/task/1/children; cat "/proc/$program/stat"';
  const stat = run('docker', ['exec', `${PROJECT}-${service}-${number}`, 'sh', '-c', read]);
  const fields = stat.replace(/^.*\) /s, '').split(' ');
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

function run(command, args, env = process.env) {
  return execFileSync(command, args, { env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
}
