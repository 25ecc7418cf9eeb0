/**
 * Nobody is called but who was configured: each program is watched from its start to its end, while everything it can do
 * is done, and the addresses it reached are the configured ones and no others. No name is looked up either.
 */
import { once } from 'node:events';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { scannedPdf, textPdf } from '../fixtures/pdf-files.ts';
import { type FakeChat, startFakeChat } from '../support/fake-chat.ts';
import { type FakeOllama, startFakeOllama } from '../support/fake-ollama.ts';
import { freePort } from '../support/free-port.ts';
import { productSources } from '../support/product-sources.ts';
import { ask, type CallTarget } from '../support/proxied-calls.ts';
import { type RedisServer, startRedisServer } from '../support/redis-server.ts';
import { createTempFolder, type TempFolder } from '../support/temp-folder.ts';
import { fillVault } from '../support/vault-files.ts';
import { startWatched, WATCHES, type WatchedProgram } from '../support/watched-programs.ts';

const APPS = join(import.meta.dirname, '../../apps');
const KEY = 'key-of-the-watched';
const [BEST = 'a module inside'] = WATCHES;

let folder: TempFolder;
const running: WatchedProgram[] = [];
beforeEach(async () => {
  folder = await createTempFolder('no-outbound');
});
afterEach(async () => {
  await Promise.all(running.splice(0).map((program) => program.end('SIGKILL')));
  await folder.remove();
});

let started = 0;
function start(args: readonly string[], env: Record<string, string> = {}, watch = BEST): WatchedProgram {
  started += 1;
  const own = { HOME: folder.path, XDG_DATA_HOME: join(folder.path, 'xdg'), VAULT_MCP_CONFIG: '', ...env };
  const program = startWatched(watch, join(folder.path, `reached-${started}`), args, { cwd: folder.path, env: own });
  running.push(program);
  return program;
}

async function makeVault(): Promise<string> {
  const vault = join(folder.path, 'vault');
  const links = '![](https://pictures.example.org/a.png) [page](https://www.example.org/) [[Other]]';
  fillVault(vault, {
    'Home.md': `---\nsource: https://api.example.org/v1\n---\n# Home\n\nThe chimney was swept. ${links}\n`,
    'Other.md': '# Other\n\nSee [[Home]] and <https://example.org>.\n',
    'Files/lease.pdf': await textPdf(['The deposit is two months. https://landlord.example.org']),
    'Files/scan.pdf': await scannedPdf(['The invoice number is 4711.']),
  });
  return vault;
}

/** Everything a caller can have done: reading, searching, writing, MCP, what operators ask for. */
async function useAll(port: number): Promise<void> {
  const target: CallTarget = { port, host: '127.0.0.1', headers: { authorization: `Bearer ${KEY}` } };
  const call = async (method: string, path: string, body?: string, headers = {}) => {
    const answer = await ask(target, method, path, body === undefined ? { headers } : { body, headers });
    return { status: answer.status, text: answer.body.toString() };
  };
  await vi.waitFor(
    async () => {
      const { index, queue } = JSON.parse((await call('GET', '/readyz')).text);
      expect(index).toMatchObject({ ok: true, documents: 2, pending: 0 });
      expect(queue).toMatchObject({ depth: 0 });
    },
    { timeout: 90_000, interval: 200 },
  );
  const json = { 'content-type': 'application/json' };
  const patch = '{"target": "Home", "operation": "append", "content": "Swept again."}';
  const tool = (name: string, args: object) =>
    JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } });
  const mcp = { ...json, accept: 'application/json, text/event-stream', 'mcp-protocol-version': '2025-06-18' };
  const proposed = JSON.stringify({
    title: 'The chimney',
    type: 'fact',
    namespace: 'Facts',
    body: 'The chimney was swept. See https://example.org/chimney and ![](https://pictures.example.org/c.png).',
  });
  const calls: [string, string, string?, object?][] = [
    ['GET', '/search?q=who+swept+the+chimney'],
    ['POST', '/search/simple/?query=deposit'],
    ['GET', '/frontmatter?key=tags'],
    ['GET', '/expiries'],
    ['GET', '/callouts'],
    ['POST', '/maintenance'],
    ['GET', '/vault/Files/lease.pdf'],
    ['GET', '/vault/Files/scan.pdf'],
    ['GET', '/vault/Home.md?map'],
    ['PUT', '/vault/New/Note.md?wait=indexed', '# New\n\n![](https://pictures.example.org/b.png)\n'],
    ['POST', '/vault/New/Note.md', '- one more'],
    ['PATCH', '/vault/Home.md?wait=indexed', patch, json],
    ['POST', '/move', '{"source": "Other.md", "destination": "New/Other.md"}', json],
    ['POST', '/mcp', tool('vault_search', { query: 'chimney' }), mcp],
    ['POST', '/mcp', tool('vault_append', { path: 'Home.md', content: '- over MCP' }), mcp],
    ['POST', '/wiki/ingest', '{"url": "https://www.example.org/page.html", "content": "<p>A copy.</p>"}', json],
    ['POST', '/memory/propose', proposed, json],
    ['DELETE', '/vault/New/Note.md'],
    ['POST', '/reindex', '{"rebuild": true}', json],
    ['GET', '/metrics'],
  ];
  for (const [method, path, body, headers] of calls) {
    const { status, text } = await call(method, path, body, headers);
    expect([path, status, text], path).toEqual([
      path,
      expect.toBeOneOf([200, 202]),
      expect.not.stringContaining('"isError":true'),
    ]);
  }
  // What a caller asks to have fetched is, but from nowhere near this machine.
  for (const host of ['127.0.0.1', '[::1]', '169.254.169.254', '10.0.0.1', '2130706433']) {
    const url = JSON.stringify({ url: `http://${host}:${port}/healthz` });
    expect(await call('POST', '/wiki/ingest', url, json)).toMatchObject({ status: 400 });
  }
}

describe.each(WATCHES)('a watch by %s', (watch) => {
  it('sees what a program, its thread and its child connect to, send and look up', async () => {
    const server = createServer((socket) => socket.end()).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as { port: number };
    const connects = (to: string) => `require('net').connect(${port}, '${to}').on('error', () => {}).resume()`;
    const program = start(
      [
        '-e',
        `${connects('127.0.0.1')};
        new (require('worker_threads').Worker)(${JSON.stringify(connects('127.0.0.2'))}, { eval: true });
        require('child_process').spawn(process.execPath, ['-e', ${JSON.stringify(connects('127.0.0.3'))}]);
        const udp = require('dgram').createSocket('udp4');
        udp.send('x', 53, '127.0.0.4', () => udp.close());
        fetch('http://127.0.0.5:${port}/').catch(() => {});
        require('net').connect('/nowhere.socket').on('error', () => {});`,
      ],
      {},
      watch,
    );
    await program.end();
    server.close();
    expect(program.child.exitCode).toBe(0);
    expect(await program.reached()).toEqual([
      `ip 127.0.0.1:${port}`,
      `ip 127.0.0.2:${port}`,
      `ip 127.0.0.3:${port}`,
      'ip 127.0.0.4:53',
      `ip 127.0.0.5:${port}`,
      'unix /nowhere.socket',
    ]);
  });

  // From outside only the name server shows, on machines that have one.
  it.skipIf(watch === 'strace')('sees a name being looked up', async () => {
    const program = start(['-e', `require('dns').lookup('nobody.invalid', () => {})`], {}, watch);
    await program.end();
    expect(await program.reached()).toEqual(['name nobody.invalid']);
  });
});

describe('the embedded server', () => {
  it('reaches nobody, from its first start over every kind of call to its end', { timeout: 240_000 }, async () => {
    const port = await freePort();
    const args = [join(APPS, 'cli/dist/main.js'), 'serve', '--vault', await makeVault(), '--port', String(port)];
    const server = start(args, { VAULT_MCP_API_KEY: KEY });
    await useAll(port);
    await server.end('SIGTERM');
    expect(server.child.exitCode).toBe(0);
    expect(await server.reached()).toEqual([]);
  });

  it('reaches nobody over standard input and output, nor does a command', { timeout: 180_000 }, async () => {
    const vault = await makeVault();
    const cli = (...args: string[]) => start([join(APPS, 'cli/dist/main.js'), ...args, '--vault', vault]);
    const mcp = cli('mcp', '--lexical');
    const initialize = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } };
    mcp.child.stdin?.write(`${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params: initialize })}\n`);
    await once(mcp.child.stdout as NodeJS.ReadableStream, 'data');
    mcp.child.stdin?.end();
    mcp.child.stdout?.resume();
    await mcp.end();
    expect(await mcp.reached()).toEqual([]);
    for (const command of [
      ['reindex', '--lexical'],
      ['search', 'chimney', '--lexical'],
      ['gate', 'calibrate', '--lexical'],
      ['doctor'],
    ]) {
      const program = cli(...command);
      program.child.stdout?.resume();
      await program.end();
      expect([command, await program.reached()]).toEqual([command, []]);
    }
  });
});

describe('the two programs', () => {
  let redis: RedisServer;
  let ollama: FakeOllama;
  let chat: FakeChat;
  beforeEach(async () => {
    [redis, ollama, chat] = await Promise.all([startRedisServer(), startFakeOllama(), startFakeChat()]);
  });
  afterEach(async () => {
    await Promise.all([ollama.close(), chat.close()]);
    await redis.stop();
  });

  it('reach Redis, the embedder and the chat model that they were given, and nobody else', {
    timeout: 240_000,
  }, async () => {
    const port = await freePort();
    const env = {
      VAULT_MCP_API_KEY: KEY,
      VAULT_PATH: await makeVault(),
      DATA_PATH: join(folder.path, 'data'),
      BIND_HOST: '127.0.0.1',
      BIND_PORT: String(port),
      REDIS_URL: redis.url,
      OLLAMA_URL: ollama.url,
      GATE_MODEL: 'decider',
      GATE_URL: chat.url,
      GATE_DISTANCE_CEILING: '2',
      GATE_BM25_CEILING: '0',
      INDEX_PATH: join(folder.path, 'data/index.db'),
      INDEX_CACHE_PATH: join(folder.path, 'data/cache.db'),
    };
    const programs = ['indexer', 'api'].map((name) => start([join(APPS, name, 'dist/main.js')], env));
    await useAll(port);
    await Promise.all(programs.map((program) => program.end('SIGTERM')));
    const ips = (...urls: string[]) => urls.map((url) => `ip ${new URL(url).host}`).toSorted();
    const [indexer, api] = programs as [WatchedProgram, WatchedProgram];
    expect([indexer.child.exitCode, await indexer.reached()]).toEqual([0, ips(redis.url, ollama.url)]);
    expect([api.child.exitCode, await api.reached()]).toEqual([0, ips(redis.url, ollama.url, chat.url)]);
    expect(chat.asked.length).toBeGreaterThan(0);
  });
});

describe('the sources', () => {
  it('name no address of anybody else', () => {
    const named = [...productSources().matchAll(/\b(?:https?|wss?):\/\/([a-z0-9.-]+)/gi)].map(([, host]) => host);
    expect([...new Set(named)].toSorted()).toEqual(['127.0.0.1', 'host', 'ollama']);
  });
});
