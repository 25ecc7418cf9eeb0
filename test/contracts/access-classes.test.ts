// Whose business every route and tool is: nothing is served without a class, and each class is held to over HTTP and MCP.
import { composeApp } from '@vault-mcp/api/app';
import { createCallers, NO_AGENT_KEYS } from '@vault-mcp/api/callers';
import { chosenTools, createMcpEndpoint } from '@vault-mcp/api/mcp/server';
import { createMetrics } from '@vault-mcp/api/metrics';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ROUTE_CLASSES, TOOL_CLASSES } from '../support/access-table.ts';
import { modernClient } from '../support/mcp-clients.ts';
import { ABOUT, API_KEY, METRICS_KEY, type ServedVault, serveVault } from '../support/served-vault.ts';
import { contentOf } from '../support/writable-vault.ts';

const POLICY = {
  scribe: [{ prefix: 'Mine', read: true, write: true }],
  keeper: [{ prefix: '', read: true, write: 'append' }],
  reader: [{ prefix: '', read: true }],
  idle: [],
  wikipedian: [{ prefix: 'Wiki', read: true, write: true }],
  oneFile: [{ prefix: 'Mine/a.md', read: true, write: true }],
};
const FILES = { 'Mine/a.md': '# A\n', 'Other/b.md': '# B\n' };

let served: ServedVault;
let unscoped: ServedVault;
beforeAll(async () => {
  [served, unscoped] = await Promise.all([
    serveVault(FILES, { 'agents.policy': POLICY }, { indexed: false }),
    serveVault(FILES, {}, { indexed: false }),
  ]);
});
afterAll(() => Promise.all([served, unscoped].map((each) => each.close())));

function composed() {
  const { context } = served;
  const { config, log, audit } = context;
  const metrics = createMetrics();
  const callers = createCallers(context, { apiKey: API_KEY, agents: NO_AGENT_KEYS }, null);
  const mcp = createMcpEndpoint({ config, log, metrics, version: '1' });
  return composeApp({ callers, config, log, audit, about: ABOUT, mcp, metrics });
}

const ROUTES = Object.entries(ROUTE_CLASSES);
const ofClass = (...wanted: string[]) =>
  ROUTES.filter(([, audience]) => wanted.includes(audience)).map(([route]) => route);

/** A call of that route which would do something if it were let through. */
async function call(of: ServedVault, route: string, headers: Record<string, string>): Promise<Response> {
  const [method = '', pattern = ''] = route.split(' ');
  const path = pattern.replace('/*', '/Mine/a.md').replace(':n', '1');
  const body = method === 'GET' || method === 'DELETE' ? null : '{}';
  return of.get(path, {
    method,
    headers: { 'content-type': 'application/json', accept: 'application/json', ...headers },
    body,
  });
}

const codeOf = async (answer: Response) => ((await answer.json().catch(() => ({}))) as { code?: string }).code;

describe('every route', () => {
  it('has the class that stands in the table, and none is served that has none', () => {
    expect(Object.fromEntries(composed().classes)).toEqual(ROUTE_CLASSES);
  });

  it('is registered with its class, so that no handler stands beside the table', () => {
    const { app, classes } = composed();
    const named = app.routes.filter(({ method, path }) => method !== 'ALL' && path !== '/*');
    expect(named.filter(({ method, path }) => !classes.has(`${method} ${path}`))).toEqual([]);
  });
});

describe('every tool', () => {
  it('has the class that stands in the table, and none is offered that has none', () => {
    const { config } = served.context;
    const tools = chosenTools({ ...config, files: { ...config.files, root: '/files' } });
    expect(Object.fromEntries(tools.map(({ name, audience, act }) => [name, [audience, act]]))).toEqual(TOOL_CLASSES);
  });

  it.each([
    ['scribe', ['read', 'add', 'change'], ['wiki_append', 'wiki_ingest']],
    ['keeper', ['read', 'add'], []],
    ['reader', ['read'], []],
    ['idle', ['read'], []],
    ['wikipedian', ['read', 'add', 'change'], ['vault_propose']],
    [
      'oneFile',
      ['read', 'add', 'change'],
      ['wiki_append', 'wiki_ingest', 'vault_create_folder', 'vault_delete_folder'],
    ],
  ])('is offered to an agent by what it may do, and where: %s', async (agent, acts, elsewhere) => {
    const client = await modernClient({ url: new URL(`${served.url}/mcp`), headers: { 'x-vault-agent': agent } });
    try {
      const { tools } = await client.listTools();
      const wanted = Object.entries(TOOL_CLASSES).filter(
        ([name, [, act]]) => acts.includes(act) && ![...elsewhere, 'files_write'].includes(name),
      );
      expect(tools.map(({ name }) => name).sort()).toEqual(wanted.map(([name]) => name).sort());
    } finally {
      await client.close();
    }
  });
});

describe("the operator's operations", () => {
  it.each(ofClass('operator'))(
    'are refused to agents, with and without a policy, and change nothing: %s',
    async (route) => {
      for (const of of [served, unscoped]) {
        const before = await contentOf(of.vaultPath);
        expect(await codeOf(await call(of, route, { 'x-vault-agent': 'scribe' }))).toBe('out_of_scope');
        expect(await contentOf(of.vaultPath)).toEqual(before);
      }
    },
  );

  it.each(ofClass('operator', 'scraper'))("are the operator's own, under a policy too: %s", async (route) => {
    expect(await codeOf(await call(served, route, {}))).not.toBe('out_of_scope');
  });

  it.each(ofClass('operator', 'agents'))('are closed to who may only scrape: %s', async (route) => {
    const answer = await call(served, route, { authorization: `Bearer ${METRICS_KEY}` });
    expect([401, 400, 403]).toContain(answer.status);
    expect(answer.ok).toBe(false);
  });
});

describe("an agents' operation", () => {
  it.each(ofClass('agents'))(
    'is nobody’s without an agent under a policy, nor of one that it lacks, and changes nothing: %s',
    async (route) => {
      const before = await contentOf(served.vaultPath);
      for (const headers of [{}, { 'x-vault-agent': 'stranger' }]) {
        const answer = await call(served, route, headers as Record<string, string>);
        expect(answer.status).toBe(400);
        expect(await answer.text()).toContain('out_of_scope');
      }
      expect(await contentOf(served.vaultPath)).toEqual(before);
    },
  );

  it.each(ofClass('anyone'))('is not what asks whether the server lives: %s', async (route) => {
    expect((await call(served, route, { authorization: '' })).status).toBe(200);
  });
});
