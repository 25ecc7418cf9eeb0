/**
 * What the two programs log while something they need is away: one line when it goes and one when it is back, however many
 * calls meet it meanwhile; nothing of where in the code they met it; and of each call, for who looks closer, its id.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { WARNING } from '@vault-mcp/shared/vault/running-user';
import { Redis } from 'ioredis';
import { afterEach, expect, it } from 'vitest';
import { type Program, type TwoPrograms, twoPrograms } from '../support/two-programs.ts';

const DEAD = { EMBED_PROVIDER: 'ollama', OLLAMA_URL: 'http://127.0.0.1:9/v1', EMBED_MAX_ATTEMPTS: '1' };
const LOUD = { LOG_LEVEL: 'debug' };
const WARN = 40;

let both: TwoPrograms;
afterEach(() => both?.close());

interface Line {
  readonly level: number;
  readonly msg: string;
  readonly reason?: string;
  readonly request_id?: string;
}
/** Everything a program has logged; ends it. */
async function linesOf(program: Program): Promise<Line[]> {
  await program.kill('SIGTERM');
  const text = await program.errors;
  expect(text).not.toContain('"stack"');
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Line);
}
/** But for what is said of who runs the tests. */
const warnings = (lines: readonly Line[]) =>
  lines.filter(({ level, msg }) => level >= WARN && msg !== WARNING).map(({ msg }) => msg);
const ready = () => both.until(async () => (await both.get('/readyz')).status === 200, 'readiness');
const call = (path: string, id: string, init: RequestInit = {}) =>
  fetch(both.url + path, {
    ...init,
    headers: { authorization: `Bearer ${both.server.key}`, 'x-request-id': id, ...init.headers },
  });

it('says once that the embedder is away, and of each search that it went without', { timeout: 60_000 }, async () => {
  both = await twoPrograms({ 'Home.md': '# Home\n\nThe chimney was swept.\n' });
  const api = both.startApi({ ...DEAD, ...LOUD });
  const indexer = both.startIndexer({
    ...DEAD,
    EMBED_BACKOFF_SECONDS: '0.1',
    EMBED_BACKOFF_MAX_SECONDS: '0.1',
    ...LOUD,
  });
  await ready();
  for (const id of ['one', 'two', 'three']) expect((await call('/search?q=chimney', id)).status).toBe(200);
  const asTool = {
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name: 'vault_search', arguments: { query: 'chimney' } },
  };
  const answer = await call('/mcp', 'four', {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
    body: JSON.stringify(asTool),
  });
  expect(await answer.text()).toContain('embedder_unreachable');

  const lines = await linesOf(api);
  expect(warnings(lines)).toEqual(['no vectors for queries: searches go by words']);
  const met = lines.filter(({ msg }) => msg === 'query not embedded: words only');
  expect(met.map(({ request_id, level }) => [request_id, level])).toEqual(
    ['one', 'two', 'three', 'four'].map((id) => [id, 20]),
  );
  expect(met[0]?.reason).toContain('cannot be reached');
  expect(warnings(await linesOf(indexer))).toEqual(['texts get no vectors: trying on']);
});

it('says once that Redis is away and once that it is back, whatever is written meanwhile', {
  timeout: 60_000,
}, async () => {
  both = await twoPrograms({ 'Home.md': '# Home\n\nThe chimney was swept.\n' });
  const api = both.startApi(LOUD);
  const indexer = both.startIndexer(LOUD);
  await ready();
  await both.redis.kill();
  await both.until(async () => !((await both.get('/readyz')).body.queue as { ok: boolean }).ok, 'the loss to show');
  for (const id of ['one', 'two', 'three']) {
    const written = await call(`/vault/${id}.md`, id, { method: 'PUT', body: 'About quinces.\n' });
    expect([written.status, await written.json()]).toMatchObject([200, { indexed: 'deferred' }]);
  }
  await both.redis.restart();
  await both.until(async () => (await both.search('quinces')).includes('three.md'), 'what was written meanwhile');
  await both.until(async () => ((await both.get('/readyz')).body.queue as { ok: boolean }).ok, 'the api to see it too');

  const lines = await linesOf(api);
  expect(warnings(lines)).toEqual(['Redis cannot be reached; trying on']);
  expect(lines.filter(({ msg }) => msg === 'Redis is back')).toHaveLength(1);
  const deferred = lines.filter(({ msg }) => msg === 'written files could not be queued for the index');
  expect(deferred.map(({ request_id, level }) => [request_id, level])).toEqual(
    ['one', 'two', 'three'].map((id) => [id, 20]),
  );
  expect(warnings(await linesOf(indexer))).toEqual(['Redis cannot be reached; trying on']);
});

it('says once that Redis takes no jobs and once that it does, whatever is written meanwhile', {
  timeout: 90_000,
}, async () => {
  both = await twoPrograms({ 'Home.md': '# Home\n\nThe chimney was swept.\n' });
  const api = both.startApi(LOUD);
  const indexer = both.startIndexer(LOUD);
  await ready();
  const operator = new Redis(both.redis.url);
  const queue = async () => (await both.get('/readyz')).body.queue as { ok: boolean; error: string | null };
  await operator.config('SET', 'maxmemory', '1');
  for (const id of ['one', 'two', 'three']) {
    const written = await call(`/vault/${id}.md`, id, { method: 'PUT', body: 'About quinces.\n' });
    expect([written.status, await written.json()]).toMatchObject([200, { indexed: 'deferred' }]);
  }
  expect(await queue()).toMatchObject({ ok: false, error: expect.stringMatching(/takes no jobs: OOM.*maxmemory/) });
  // The watcher has news of the three as well, and consumers go on asking: long enough that each has met it.
  await sleep(12_000);
  await operator.config('SET', 'maxmemory', '0');
  operator.disconnect();
  await both.until(async () => (await both.search('quinces')).includes('three.md'), 'what was written meanwhile');
  await both.until(async () => (await queue()).ok, 'the api to see it too');

  for (const program of [api, indexer]) {
    const lines = await linesOf(program);
    expect(warnings(lines)).toEqual(['Redis takes no jobs; trying on']);
    expect(lines.filter(({ msg }) => msg === 'Redis takes jobs again')).toHaveLength(1);
  }
});
