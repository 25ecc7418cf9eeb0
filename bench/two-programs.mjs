/**
 * What the two programs need for one vault, each by itself: time until words and until vectors are found, memory of api,
 * indexer and Redis, processor time (which a busy machine changes least), the time of a search. The embedder is a fast
 * stand-in, so that the figures are the product's.
 *
 *   npx tsc -b && node bench/two-programs.mjs [words of a vault's name …]
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { helpVault } from './help-vault.mjs';
import { percentiles } from './percentiles.mjs';

const KEY = 'bench-key';
const ROUNDS = 10;
const help = helpVault();
const example = { name: 'examples/vault', path: resolve('examples/vault'), queries: ['burst pipe', '14D-556-0832'] };
const vaults = [example].concat(
  help === null
    ? []
    : [
        { name: 'obsidian-help, en', path: join(help.path, 'en'), queries: help.queries },
        { name: 'obsidian-help, all', path: help.path, queries: help.queries },
      ],
);
const wanted = process.argv.slice(2).join(' ');
const children = [];
const base = mkdtempSync(join(tmpdir(), 'vault-mcp-two-programs-'));
try {
  for (const [at, vault] of vaults.filter(({ name }) => name.includes(wanted)).entries()) {
    process.stdout.write(`${JSON.stringify({ vault: vault.name, ...(await measure(vault, join(base, `${at}`))) })}\n`);
  }
} finally {
  for (const child of children) child.kill('SIGKILL');
  rmSync(base, { recursive: true, force: true });
}

async function measure(vault, folder) {
  mkdirSync(folder);
  const [redisPort, port] = [await freePort(), await freePort()];
  const redisOptions = ['--port', `${redisPort}`, '--bind', '127.0.0.1', '--dir', folder, '--save', ''];
  const redis = start('redis-server', [...redisOptions, '--appendonly', 'yes'], {});
  const embedder = start(process.execPath, ['bench/slow-embedder.mjs'], { EMBEDDER_GROUP_MS: '0' }, 'pipe');
  const [address] = await once(embedder.stdout, 'data');
  await sleep(500);
  const env = {
    VAULT_PATH: vault.path,
    DATA_PATH: join(folder, 'data'),
    REDIS_URL: `redis://127.0.0.1:${redisPort}`,
    OLLAMA_URL: String(address).trim(),
    VAULT_MCP_API_KEY: KEY,
    BIND_HOST: '127.0.0.1',
    BIND_PORT: `${port}`,
    LOG_LEVEL: 'error',
  };
  const get = (path) =>
    fetch(`http://127.0.0.1:${port}${path}`, {
      headers: { authorization: `Bearer ${KEY}`, accept: 'application/json' },
    });
  const startedAt = performance.now();
  const programs = ['api', 'indexer'].map((name) => start(process.execPath, [`apps/${name}/dist/main.js`], env));
  const [api, indexer] = programs;
  const until = async (holds) => {
    for (;;) {
      const status = await get('/readyz').then(
        (answer) => answer.json(),
        () => null,
      );
      if (status !== null && holds(status)) return { seconds: (performance.now() - startedAt) / 1000, status };
      for (const child of programs) if (child.exitCode !== null) throw new Error(`a program ended: ${child.exitCode}`);
      await sleep(100);
    }
  };
  const memory = () => ({ api: memoryOf(api), indexer: memoryOf(indexer), redis: memoryOf(redis) });
  const words = await until(({ index }) => index?.state === 'ready');
  const atWords = memory();
  const cpuAtWords = { api: cpuSeconds(api), indexer: cpuSeconds(indexer) };
  const all = await until(({ index, queue }) => index.pending === 0 && queue.depth === 0);
  const before = cpuSeconds(api);
  const search = await searchLatency(get, vault.queries);
  search.cpuMs = ((cpuSeconds(api) - before) * 1000) / (vault.queries.length * (ROUNDS + 1));
  const { notes, documents, chunks } = all.status.index;
  const figures = {
    notes,
    documents,
    chunks,
    words: words.seconds,
    embedded: all.seconds,
    cpuAtWords,
    search,
    atWords,
    end: memory(),
  };
  for (const child of [...programs, embedder, redis]) await end(child);
  return figures;
}

async function searchLatency(get, queries) {
  const times = [];
  for (let round = 0; round <= ROUNDS; round++) {
    for (const query of queries) {
      const before = performance.now();
      const answer = await get(`/search?q=${encodeURIComponent(query)}`);
      if (!answer.ok) throw new Error(`search failed: ${await answer.text()}`);
      await answer.text();
      if (round > 0) times.push(performance.now() - before);
    }
  }
  return percentiles(times);
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

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  await once(server, 'close');
  return port;
}
