// Requests whose writes are confined to one note or folder: what they may change, what they may read, that a scope
// which cannot be is refused, and that no request ever sees another's.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  type Connect,
  HTTP_CLIENTS,
  legacyClient,
  type McpClient,
  modernClient,
  textOf,
} from '../support/mcp-clients.ts';
import { API_KEY, type ServedVault, serveVault } from '../support/served-vault.ts';
import { contentOf } from '../support/writable-vault.ts';

const FILES = {
  'Projects/Plan.md': '# Plan\n\nOurs.\n',
  'Projects/Sub/Note.md': 'Deeper.\n',
  'Projects-old/Note.md': 'Not ours.\n',
  'Diary/Today.md': 'Private. [[Plan]]\n',
  'paper.pdf': new Uint8Array([0x25]),
  ...Object.fromEntries(Array.from({ length: 20 }, (_, n) => [`Agents/${n}/log.md`, 'log\n'])),
};

let served: ServedVault;
let clients: McpClient[] = [];
beforeEach(async () => {
  served = await serveVault(FILES, {}, { indexed: false });
});
afterEach(async () => {
  await Promise.all(clients.map((client) => client.close()));
  clients = [];
  await served.close();
});

const everything = () => contentOf(served.vaultPath);

/** @param scope encoded as in a URL */
async function confined(scope: string, connect: Connect = modernClient): Promise<McpClient> {
  const client = await connect({ url: new URL(`${served.url}/mcp/only/${scope}`) });
  clients.push(client);
  return client;
}

async function refused(client: McpClient, name: string, args: Record<string, unknown>): Promise<string> {
  const before = await everything();
  const answer = await client.call(name, args);
  expect(answer).toMatchObject({ isError: true, _meta: { 'vault-mcp/code': 'out_of_scope' } });
  expect(await everything()).toEqual(before);
  return textOf(answer);
}

/** Every kind of write, aimed at a note and at a folder. */
const writesTo = (note: string, folder: string): [string, Record<string, unknown>][] => [
  ['vault_patch', { path: note, target_type: 'body', operation: 'append', content: 'x' }],
  ['vault_replace_text', { path: note, find: 'N', replace: 'M' }],
  ['vault_append', { path: note, content: 'x' }],
  ['vault_write', { path: note, content: 'x', overwrite: true }],
  ['vault_write', { path: `${folder}/New.md`, content: 'x' }],
  ['vault_set_body', { path: note, content: 'x' }],
  ['vault_set_frontmatter', { path: note, key: 'a', value: 'b', create_if_missing: true }],
  ['vault_delete', { path: note }],
  ['vault_create_folder', { path: `${folder}/New` }],
  ['vault_delete_folder', { path: folder, recursive: true }],
];

describe.each(HTTP_CLIENTS)('%s, confined to a folder', (_name, connect) => {
  it('has the same tools, reads everywhere and writes inside', async () => {
    const client = await confined('Projects', connect);
    const free = await connect({ url: new URL(`${served.url}/mcp`) });
    clients.push(free);
    const names = async (of: McpClient) => (await of.listTools()).tools.map(({ name }) => name);
    expect(await names(client)).toEqual(await names(free));
    expect(await names(client)).toContain('vault_append');
    expect(textOf(await client.call('vault_read', { path: 'Diary/Today.md' }))).toContain('Private.');
    expect((await client.call('vault_append', { path: 'Projects/Sub/Note.md', content: 'More.' })).isError).not.toBe(
      true,
    );
    const made = await client.call('vault_write', { path: 'Projects/New/Page.md', content: 'x' });
    expect(made.structuredContent).toMatchObject({ created: true });
    expect(await everything()).toMatchObject({
      'Projects/Sub/Note.md': 'Deeper.\n\nMore.\n',
      'Projects/New/Page.md': 'x',
    });
  });

  it('is refused every write outside, with the advice to report it', async () => {
    const client = await confined('Projects/', connect);
    for (const [name, args] of writesTo('Projects-old/Note.md', 'Projects-old')) {
      expect(await refused(client, name, args)).toMatch(/"Projects" only.*Report that; do not retry elsewhere/);
    }
    for (const move of [
      { source: 'Projects/Plan.md', destination: 'Diary/Plan.md' },
      { source: 'Projects/Plan.md', destination: 'Projects/Other.md' },
    ]) {
      expect(await refused(client, 'vault_move', move)).toContain('do not retry elsewhere');
    }
  });
});

describe('a request confined to a note', () => {
  it('changes that note and no other, whatever they are called', async () => {
    const client = await confined('Projects/Plan.md');
    await refused(client, 'vault_append', { path: 'Projects/Plan.md.md', content: 'x', create_if_missing: true });
    await refused(client, 'vault_append', { path: 'Projects/Sub/Note.md', content: 'x' });
    await client.call('vault_append', { path: 'Projects/../Projects/Plan.md', content: 'x' });
    expect((await everything())['Projects/Plan.md']).toBe('# Plan\n\nOurs.\n\nx\n');
  });
});

describe('a scope that cannot be', () => {
  const post = (path: string) =>
    served.get(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
    });

  it.each([
    ['/mcp/only', 400, 'invalid_path'],
    ['/mcp/only/', 400, 'invalid_path'],
    ['/mcp/only/.git', 400, 'invalid_path'],
    ['/mcp/only/Projects/.hidden/x.md', 400, 'invalid_path'],
    ['/mcp/only/index.md', 400, 'invalid_path'],
    ['/mcp/only/Projects%2FPlan.md', 400, 'invalid_path'],
    ['/mcp/only/Projects%5CPlan.md', 400, 'invalid_path'],
    ['/mcp/only/%2e%2e%2fetc', 400, 'invalid_path'],
    ['/mcp/only/Projects//Plan.md', 400, 'invalid_path'],
    ['/mcp/only/%E0%A4', 400, 'invalid_path'],
    ['/mcp/only/Nowhere', 404, 'not_found'],
    ['/mcp/only/Nowhere/Page.md', 404, 'not_found'],
    ['/mcp/only/Projects/Page.md', 404, 'not_found'],
    ['/mcp/only/Page.md', 404, 'not_found'],
    ['/mcp/only/paper.pdf', 400, 'is_document'],
  ])('%s is refused before any tool is offered', async (path, status, code) => {
    const answer = await post(path);
    expect([answer.status, (await answer.json()) as unknown]).toEqual([
      status,
      { code, error: expect.stringMatching(/\w{3}/) },
    ]);
  });

  it('is told from one that can, which is POST alone', async () => {
    expect((await post('/mcp/only/Projects')).status).toBe(200);
    for (const method of ['GET', 'DELETE', 'PUT']) {
      const answer = await served.get('/mcp/only/Projects', { method });
      expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'POST']);
    }
    expect((await fetch(`${served.url}/mcp/only/Projects`, { method: 'POST', body: '{}' })).status).toBe(401);
  });
});

describe('many confined requests at once', () => {
  it('each keep to their own, and leave nothing to the next', async () => {
    const agents = await Promise.all(
      Array.from({ length: 20 }, (_, n) => confined(`Agents/${n}`, n % 2 === 0 ? modernClient : legacyClient)),
    );
    const free = await modernClient({ url: new URL('/mcp', served.url) });
    clients.push(free);
    const answers = await Promise.all(
      agents.flatMap((agent, n) => [
        agent.call('vault_append', { path: `Agents/${n}/log.md`, content: `own ${n}` }),
        agent.call('vault_append', { path: `Agents/${(n + 1) % 20}/log.md`, content: `foreign ${n}` }),
        free.call('vault_append', { path: `Diary/${n}.md`, content: `free ${n}`, create_if_missing: true }),
      ]),
    );
    const outcomes = answers.map((answer) => answer._meta?.['vault-mcp/code'] ?? 'ok');
    expect(outcomes).toEqual(agents.flatMap(() => ['ok', 'out_of_scope', 'ok']));
    const now = await everything();
    for (let n = 0; n < 20; n++) {
      expect(now[`Agents/${n}/log.md`]).toBe(`log\n\nown ${n}\n`);
      expect(now[`Diary/${n}.md`]).toBe(`free ${n}`);
    }
  });
});

describe('what a caller says it writes from', () => {
  it.each(['', ' ', 'x'.repeat(101), 'tab\tbed'])('is refused when no record could show it: %j', async (source) => {
    const answer = await served.get('/mcp', {
      method: 'POST',
      headers: { authorization: `Bearer ${API_KEY}`, 'content-type': 'application/json', 'x-vault-source': source },
      body: '{}',
    });
    expect([answer.status, (await answer.json()) as unknown]).toMatchObject([400, { code: 'invalid_request' }]);
  });
});

describe('the history of a vault', () => {
  it('is told who wrote, from what, for each request by itself', async () => {
    await served.close();
    const told: unknown[] = [];
    const record = ({ agent, source, operation, paths }: Record<string, unknown>) =>
      void told.push({ agent, source, operation, paths });
    const history = { ...served.context.history, record: record as never };
    served = await serveVault(FILES, {}, { indexed: false, parts: { history } });
    const url = new URL(`${served.url}/mcp/only/Projects`);
    for (const headers of [{ 'x-vault-source': 'weekly review' }, {}]) {
      const client = await legacyClient({ url, headers });
      clients.push(client);
      await client.call('vault_append', { path: 'Projects/Plan.md', content: 'x' });
    }
    const call = { agent: 'operator', operation: 'append-to-note', paths: ['Projects/Plan.md'] };
    expect(told).toEqual([
      { ...call, source: 'weekly review' },
      { ...call, source: undefined },
    ]);
  });
});
