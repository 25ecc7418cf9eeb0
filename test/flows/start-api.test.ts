// The api's own program as a container runs it: compiled, configured by the environment alone, stopped by SIGTERM.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { freePort } from '../support/free-port.ts';
import { type RedisServer, startRedisServer } from '../support/redis-server.ts';
import { createTempFolder, type TempFolder } from '../support/temp-folder.ts';

const MAIN = join(import.meta.dirname, '../../apps/api/dist/main.js');

let folder: TempFolder;
let redis: RedisServer;
beforeAll(async () => {
  folder = await createTempFolder('start-api');
  await mkdir(join(folder.path, 'vault'));
  await writeFile(join(folder.path, 'vault', 'Note.md'), '# Note\n');
  redis = await startRedisServer();
});
afterAll(async () => {
  await redis.stop();
  await folder.remove();
});

/** Starts the program with nothing of this process's environment but the path. */
function start(environment: Record<string, string>): { child: ChildProcess; errors: Promise<string> } {
  const child = spawn(process.execPath, [MAIN], {
    env: {
      PATH: process.env.PATH ?? '',
      VAULT_MCP_CONFIG: '',
      VAULT_MCP_API_KEY: 'a-key',
      VAULT_PATH: join(folder.path, 'vault'),
      DATA_PATH: join(folder.path, 'data'),
      EMBED_PROVIDER: 'lexical',
      BIND_HOST: '127.0.0.1',
      ...environment,
    },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  return { child, errors: text(child.stderr as NodeJS.ReadableStream as never) };
}

describe('npm run start:api', () => {
  it('refuses to start without Redis, in one plain line', async () => {
    const { child, errors } = start({});
    expect((await once(child, 'exit'))[0]).toBe(2);
    const lines = (await errors).trimEnd().split('\n');
    expect(lines).toEqual([expect.stringContaining('REDIS_URL')]);
  });

  it('refuses an empty key rather than serve without one', async () => {
    const { child, errors } = start({ REDIS_URL: redis.url, VAULT_MCP_API_KEY: '' });
    expect((await once(child, 'exit'))[0]).toBe(2);
    expect(await errors).toContain('VAULT_MCP_API_KEY');
  });

  it('refuses a vault that is not there', async () => {
    const { child, errors } = start({ REDIS_URL: redis.url, VAULT_PATH: join(folder.path, 'nowhere') });
    expect((await once(child, 'exit'))[0]).toBe(2);
    expect((await errors).trimEnd().split('\n')).toHaveLength(1);
  });

  it('refuses a data folder that cannot be written, in one plain line that says what to do', async () => {
    const file = join(folder.path, 'a-file');
    await writeFile(file, '');
    const { child, errors } = start({ REDIS_URL: redis.url, DATA_PATH: join(file, 'data') });
    expect((await once(child, 'exit'))[0]).toBe(3);
    expect((await errors).trimEnd()).toMatch(
      /^The data folder .* cannot be written by uid \d+, gid \d+ \(ENOTDIR\)\. .*DATA_PATH.*$/,
    );
  });

  it('refuses records of a newer version, and leaves them as they are', async () => {
    const data = join(folder.path, 'newer');
    const intent = join(data, 'move-intents', '6f8cd7c0-0000-4000-8000-000000000000.json');
    await mkdir(dirname(intent), { recursive: true });
    await writeFile(intent, '{"version":99}');
    const { child, errors } = start({ REDIS_URL: redis.url, DATA_PATH: data });
    expect((await once(child, 'exit'))[0]).toBe(3);
    expect((await errors).trimEnd()).toMatch(/^.*written by a newer version.*$/);
    expect(await readFile(intent, 'utf8')).toBe('{"version":99}');
  });

  it('serves files before there is an index, refuses a taken port, and stops on SIGTERM', async () => {
    const port = String(await freePort());
    const { child, errors } = start({ REDIS_URL: redis.url, BIND_PORT: port });
    const get = (path: string) =>
      fetch(`http://127.0.0.1:${port}${path}`, { headers: { authorization: 'Bearer a-key' } });
    await vi.waitFor(async () => expect((await get('/healthz')).status).toBe(200), { timeout: 60_000, interval: 50 });
    expect(await (await get('/vault/Note.md')).text()).toBe('# Note\n');
    expect((await get('/readyz')).status).toBe(503);

    const second = start({ REDIS_URL: redis.url, BIND_PORT: port });
    expect((await once(second.child, 'exit'))[0]).toBe(3);
    expect((await second.errors).trimEnd()).toMatch(/^.*already in use.*BIND_PORT.*$/);

    child.kill('SIGTERM');
    expect((await once(child, 'exit'))[0]).toBe(0);
    expect(await errors).not.toContain('a-key');
  });
});
