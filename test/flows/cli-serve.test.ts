/** `vault-mcp serve` and `mcp` as processes: first run, second run, other commands beside it, stop, kill, refusal. */
import { closeSync, existsSync, openSync, readdirSync, readFileSync, statSync, writeSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { CliHome, type Running } from '../support/cli.ts';

interface Announcement {
  readonly url: string;
  readonly vault: string;
  readonly data: string;
  readonly key?: string;
}

let home: CliHome;

beforeEach(() => {
  home = new CliHome();
  home.write('Heating.md', '# Heating\n\nThe boiler was serviced in March.\n');
});
afterEach(() => home.close());

const QUICK = { WATCH_DEBOUNCE_SECONDS: '0.1' };

async function serving(args: string[] = ['--lexical', ...home.here], env: Record<string, string> = QUICK) {
  const running = home.start(['serve', '--port', '0', '--json', ...args], env);
  const announcement = JSON.parse((await running.until(/\n/)).split('\n')[0] ?? '') as Announcement;
  return { running, announcement };
}

async function ready({ url }: Announcement, key: string): Promise<void> {
  await vi.waitFor(
    async () => {
      const response = await fetch(`${url}/readyz`, { headers: { authorization: `Bearer ${key}` } });
      expect(response.status).toBe(200);
    },
    { timeout: 60_000, interval: 100 },
  );
}

async function stopped(running: Running, signal: NodeJS.Signals = 'SIGTERM') {
  running.child.kill(signal);
  return running.ended;
}

/** Overwrites the first page of a table in a database that nobody has open. */
function damageTable(path: string, table: string): void {
  const db = new Database(path, { readonly: true });
  const page = db
    .prepare<[string], { rootpage: number }>('SELECT rootpage FROM sqlite_schema WHERE name = ?')
    .get(table);
  const size = db.pragma('page_size', { simple: true }) as number;
  db.close();
  const file = openSync(path, 'r+');
  writeSync(file, Buffer.alloc(size, 0xff), 0, size, ((page?.rootpage ?? 1) - 1) * size);
  closeSync(file);
}

describe('serve', () => {
  it('serves the vault with a key made for it, and says where', async () => {
    const { running, announcement } = await serving();
    const { url, key = '', vault, data } = announcement;
    expect({ vault, data }).toEqual({ vault: home.vault, data: home.data });
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect(await (await fetch(`${url}/healthz`)).text()).toBe('ok');
    expect((await fetch(`${url}/readyz`)).status).toBe(401);
    await ready(announcement, key);
    const found = await fetch(`${url}/search?q=boiler`, {
      headers: { authorization: `Bearer ${key}`, accept: 'application/json' },
    });
    expect(((await found.json()) as { results: { path: string }[] }).results[0]?.path).toBe('Heating.md');
    expect(JSON.parse(readFileSync(join(data, 'server.json'), 'utf8'))).toEqual({
      url,
      pid: running.child.pid,
      secret: expect.stringMatching(/^[\w-]{43}$/),
    });
    expect(statSync(join(data, 'server.json')).mode & 0o777).toBe(0o600);
  });

  it('makes the key once: the next start keeps it and does not show it', async () => {
    const first = await serving();
    expect(first.announcement.key).toMatch(/^\S{43}$/);
    await stopped(first.running);
    const second = await serving();
    expect(second.announcement).not.toHaveProperty('key');
    await ready(second.announcement, first.announcement.key ?? '');
  });

  it('shows people the key with something to paste, the first time only', async () => {
    const args = ['serve', '--lexical', '--port', '0', ...home.here];
    const first = home.start(args);
    const text = await first.until(/Stop with Ctrl-C/);
    expect(text).toMatch(/shown once.*: \S{43}/);
    expect(text).toMatch(/curl -H "Authorization: Bearer \S{43}" "http:\/\/127\.0\.0\.1:\d+\/search/);
    await stopped(first);
    const second = home.start(args);
    expect(await second.until(/Stop with Ctrl-C/)).not.toMatch(/Bearer/);
  });

  it.each(['SIGTERM', 'SIGINT'] as const)('ends in order on %s: exit 0, nothing left behind', async (signal) => {
    const { running, announcement } = await serving();
    await ready(announcement, announcement.key ?? '');
    expect((await stopped(running, signal)).code).toBe(0);
    expect(existsSync(join(home.data, 'server.json'))).toBe(false);
    const next = await home.run(['reindex', '--lexical', ...home.here]);
    expect(next.code).toBe(0);
  });

  it('is what other commands call while it runs', async () => {
    const { announcement } = await serving();
    await ready(announcement, announcement.key ?? '');
    home.write('Attic.md', '# Attic\n\nThe zeppelin model is in the third box.\n');
    const reindexed = await home.run(['reindex', '--json', ...home.here]);
    expect(JSON.parse(reindexed.stdout)).toMatchObject({
      server: announcement.url,
      state: 'ready',
      index: { notes: 2 },
    });
    expect((await home.run(['search', 'zeppelin', ...home.here])).stdout).toMatch(/Attic\.md/);
    const checked = await home.run(['doctor', '--json', ...home.here]);
    expect(JSON.parse(checked.stdout)).toMatchObject({ server: announcement.url, findings: [] });
    expect(checked.code).toBe(0);
    expect(JSON.parse((await home.run(['key', '--json', ...home.here])).stdout).url).toBe(announcement.url);
  });

  it('sees a note written to disk without being told', async () => {
    const { announcement } = await serving();
    await ready(announcement, announcement.key ?? '');
    home.write('Attic.md', '# Attic\n\nThe zeppelin model is in the third box.\n');
    await vi.waitFor(
      async () => expect((await home.run(['search', 'zeppelin', ...home.here])).stdout).toMatch(/Attic\.md/),
      { timeout: 60_000, interval: 200 },
    );
  });

  it('tells the other commands when the key was changed under it', async () => {
    await serving();
    const rotated = await home.run(['key', '--rotate', ...home.here]);
    expect(rotated.stderr).toMatch(/still uses the old key until it is restarted/);
    const { code, stderr } = await home.run(['search', 'boiler', ...home.here]);
    expect(code).toBe(3);
    expect(stderr).toMatch(/another key/);
  });

  it('refuses a second server of one vault, naming the first', async () => {
    const { running, announcement } = await serving();
    const { code, stdout, stderr } = await home.run(['serve', '--port', '0', ...home.here]);
    expect(code).toBe(3);
    expect(stdout).toBe('');
    expect(stderr).toContain(`served already, at ${announcement.url} by process ${running.child.pid}`);
  });

  it('is not mistaken for running after it was killed', async () => {
    const { running, announcement } = await serving();
    await ready(announcement, announcement.key ?? '');
    await stopped(running, 'SIGKILL');
    expect(existsSync(join(home.data, 'server.json'))).toBe(true);
    expect((await home.run(['search', 'boiler', '--lexical', ...home.here])).stdout).toMatch(/Heating\.md/);
    const again = await serving();
    await ready(again.announcement, announcement.key ?? '');
  });

  it('builds its index anew when a search meets a damaged page', async () => {
    const { running, announcement } = await serving();
    await ready(announcement, announcement.key ?? '');
    await stopped(running);
    // Of the full-text index, so that a start with nothing to index does not meet the damage first.
    damageTable(join(home.data, 'index.db'), 'chunk_terms_idx');
    const again = await serving();
    const headers = { authorization: `Bearer ${announcement.key}`, accept: 'application/json' };
    const search = () => fetch(`${again.announcement.url}/search?q=boiler`, { headers });
    await ready(again.announcement, announcement.key ?? '');
    const met = await search();
    expect(await met.json()).toMatchObject({ code: 'not_ready', error: expect.stringContaining('being rebuilt') });
    await vi.waitFor(async () => expect((await search()).status).toBe(200), { timeout: 60_000, interval: 100 });
  });

  it('says in one line that the port is taken, and leaves nothing behind', async () => {
    const blocker = createServer();
    await new Promise<void>((resolve) => blocker.listen(0, '127.0.0.1', resolve));
    const { port } = blocker.address() as { port: number };
    const args = ['serve', '--lexical', '--port', String(port), ...home.here];
    const { code, stdout, stderr } = await home.run(args);
    blocker.close();
    expect(code).toBe(3);
    expect(stdout).toBe('');
    expect(stderr).toMatch(new RegExp(`^vault-mcp: 127\\.0\\.0\\.1:${port} is already in use\\. .*\n$`));
    // It came before anything that takes time or makes something: no log, no key, no index.
    expect(readdirSync(home.data)).toEqual([]);
  });

  it('does not listen where others could reach it with a key nobody chose', async () => {
    const { code, stderr } = await home.run(['serve', '--host', '0.0.0.0', '--port', '0', ...home.here]);
    expect(code).toBe(2);
    expect(stderr).toMatch(/set VAULT_MCP_API_KEY first/);
    expect(existsSync(join(home.data, 'api-key'))).toBe(false);
  });

  it('serves a copy of the example vault when nobody names one, and keeps it', async () => {
    const { running, announcement } = await serving(['--lexical']);
    expect(announcement.vault).toBe(join(home.root, 'xdg', 'vault-mcp', 'example-vault'));
    expect(announcement.data).toMatch(/\/xdg\/vault-mcp\/[0-9a-f]{16}$/);
    await ready(announcement, announcement.key ?? '');
    await stopped(running);
    expect(JSON.parse((await home.run(['reindex', '--lexical', '--json'])).stdout).index.notes).toBeGreaterThan(10);
    expect((await serving(['--lexical'])).announcement.vault).toBe(announcement.vault);
  });

  it('keeps the data of a named vault under the data home', async () => {
    const { announcement } = await serving(['--lexical', '--vault', home.vault]);
    expect(announcement.data).toMatch(/\/xdg\/vault-mcp\/[0-9a-f]{16}$/);
    expect(statSync(announcement.data).mode & 0o777).toBe(0o700);
  });
});

describe('mcp on standard input and output', () => {
  const transport = (...args: string[]) =>
    new StdioClientTransport({
      command: process.execPath,
      args: [join(import.meta.dirname, '../../apps/cli/dist/main.js'), 'mcp', '--lexical', ...args],
      cwd: home.root,
      env: { PATH: process.env.PATH ?? '', HOME: home.root, VAULT_MCP_CONFIG: '' },
      stderr: 'pipe',
    });

  async function connected(...args: string[]): Promise<Client> {
    const client = new Client({ name: 'test', version: '1.0.0' });
    await client.connect(transport(...args));
    return client;
  }

  async function finds(client: Client, query: string, path: string): Promise<void> {
    await vi.waitFor(
      async () => {
        const found = await client.callTool({ name: 'vault_search', arguments: { query } });
        expect(JSON.stringify(found.structuredContent)).toContain(path);
      },
      { timeout: 60_000, interval: 100 },
    );
  }

  it('lists, searches and reads without any server', async () => {
    const client = await connected(...home.here);
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['vault_search', 'vault_read', 'vault_list', 'vault_map']),
    );
    await finds(client, 'boiler', 'Heating.md');
    const read = await client.callTool({ name: 'vault_read', arguments: { path: 'Heating.md' } });
    expect(JSON.stringify(read.content)).toContain('serviced in March');
    await client.close();
  });

  it('works for two clients at once, and beside a running server', async () => {
    const { announcement } = await serving();
    await ready(announcement, announcement.key ?? '');
    const clients = [await connected(...home.here), await connected(...home.here)];
    for (const client of clients) await finds(client, 'boiler', 'Heating.md');
    for (const client of clients) await client.close();
  });

  it('works for two clients that start at the same moment, with nobody else there', async () => {
    const clients = await Promise.all([connected(...home.here), connected(...home.here)]);
    for (const client of clients) await finds(client, 'boiler', 'Heating.md');
    for (const client of clients) await client.close();
  });

  it('ends when its client hangs up', async () => {
    const running = home.start(['mcp', '--lexical', ...home.here]);
    running.child.stdin?.end();
    const { code, stdout } = await running.ended;
    expect({ code, stdout }).toEqual({ code: 0, stdout: '' });
  });

  it('says why it cannot start on standard error, and nothing on standard output', async () => {
    const { code, stdout, stderr } = await home.run(['mcp', '--vault', join(home.root, 'absent')]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(/^vault-mcp: The vault .*absent cannot be opened/);
  });
});
