// openapi.yaml against the running server, in both directions: every route served stands in it, and every path, method
// and status in it is answered as it says, down to the fields of the bodies.
import { createApp } from '@vault-mcp/api/app';
import type { ServedContext } from '@vault-mcp/api/context';
import { createMcpEndpoint } from '@vault-mcp/api/mcp/server';
import { createMetrics } from '@vault-mcp/api/metrics';
import { openIndexReader } from '@vault-mcp/shared/index-db/reader';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { contractProblems, type Operation, readOperations, validateDocument } from '../support/openapi.ts';
import { ABOUT, API_KEY, type ServedVault, serveVault } from '../support/served-vault.ts';

const FILES = {
  'Garden/Pear tree.md':
    '---\ntitle: Pear tree\ntags: [garden]\n---\n# Pear tree\n\n## Pruning\n\nPrune in February. ^when\n',
  'Broken.md': '---\ntitle: [\n---\nBody\n',
  'Latin.md': new Uint8Array([0x63, 0x61, 0x66, 0xe9, 0x0a]),
  'Files/scan.pdf': 'this is no PDF',
  'picture.svg': '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>',
};

const operations = await readOperations();
const JSON_ACCEPT = { accept: 'application/json' };
const JSON_BODY = { 'content-type': 'application/json' };
const RPC = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
// What is refused before it was read ends its connection, which no later request may be waiting on.
const UNREAD = { method: 'POST', headers: { ...JSON_BODY, connection: 'close' } };
const MCP = { method: 'POST', headers: { ...JSON_BODY, accept: 'application/json, text/event-stream' } };

function operation(id: string): Operation {
  const found = operations.find((each) => each.id === id);
  if (!found) throw new Error(`openapi.yaml has no operation ${id}`);
  return found;
}

let served: ServedVault;
let beforeIndex: ReturnType<typeof appWith>;
let broken: ReturnType<typeof appWith>;
let withoutLimits: ReturnType<typeof appWith>;
const answered = new Set<string>();

function appWith(context: ServedContext) {
  const metrics = createMetrics();
  const mcp = createMcpEndpoint({ context, metrics, version: '1' });
  return createApp({ context, apiKey: API_KEY, about: ABOUT, mcp, metrics });
}

/** A part of which every use fails, as a defect would. */
function failing<T extends object>(): T {
  return new Proxy({} as T, {
    get() {
      throw new Error('ENOSPC: /home/somebody/private');
    },
  });
}

beforeAll(async () => {
  served = await serveVault(FILES);
  const { context } = served;
  beforeIndex = appWith({ ...context, reader: openIndexReader('/nonexistent/index.db') });
  broken = appWith({ ...context, vault: failing(), reader: failing(), queue: failing() });
  withoutLimits = appWith({ ...context, config: { ...context.config, vault: failing() } });
});
afterAll(() => served.close());

/** Checks an answer against the file and remembers that this status was seen. */
async function check(id: string, status: number, answer: Response): Promise<void> {
  const described = operation(id);
  expect([id, answer.status, await answer.clone().text()]).toEqual([id, status, expect.any(String)]);
  expect([id, status, await contractProblems(described, answer)]).toEqual([id, status, []]);
  answered.add(`${id} ${status}`);
}

/** A path that leads to the operation. */
function pathOf({ path }: Operation): string {
  return path.replace('{path}', 'Garden/Pear%20tree.md');
}

describe('openapi.yaml', () => {
  it('is a valid OpenAPI document', async () => {
    expect(await validateDocument()).toEqual({ valid: true });
  });

  it('holds every route that is served, and no other', () => {
    const routes = appWith(served.context)
      .routes.filter(({ method }) => method !== 'ALL')
      .flatMap(({ method, path }) =>
        (path === '/vault/*' ? ['/vault/', '/vault/{path}'] : [path]).map((p) => `${method} ${p}`),
      );
    const described = operations.map(({ method, path }) => `${method} ${path}`);
    expect(routes.toSorted()).toEqual(described.toSorted());
  });
});

const NOTE = '/vault/Garden/Pear%20tree.md';
const CASES: [string, number, string, RequestInit][] = [
  ['listVault', 200, '/vault/', { headers: JSON_ACCEPT }],
  ['listVault', 200, '/vault/?recursive', { headers: JSON_ACCEPT }],
  ['listVault', 200, '/vault/', {}],
  ['listVault', 200, '/vault', {}],
  ['listVault', 400, '/vault/?recursif', {}],
  ['readPath', 200, NOTE, {}],
  ['readPath', 200, NOTE, { headers: JSON_ACCEPT }],
  ['readPath', 200, NOTE, { headers: { accept: 'application/vnd.olrapi.note+json' } }],
  ['readPath', 200, `${NOTE}?section=Pruning`, { headers: JSON_ACCEPT }],
  ['readPath', 200, `${NOTE}?section=%5Ewhen`, {}],
  ['readPath', 200, `${NOTE}?map`, { headers: JSON_ACCEPT }],
  ['readPath', 200, `${NOTE}?map`, {}],
  ['readPath', 200, `${NOTE}?raw`, {}],
  ['readPath', 200, '/vault/Broken.md', { headers: JSON_ACCEPT }],
  ['readPath', 200, '/vault/Broken.md?map', { headers: JSON_ACCEPT }],
  ['readPath', 200, '/vault/Latin.md', { headers: JSON_ACCEPT }],
  ['readPath', 200, '/vault/Latin.md', {}],
  ['readPath', 200, '/vault/Files/scan.pdf', { headers: JSON_ACCEPT }],
  ['readPath', 400, '/vault/Files/scan.pdf', {}],
  ['readPath', 200, '/vault/Files/scan.pdf?map', { headers: JSON_ACCEPT }],
  ['readPath', 200, '/vault/picture.svg', {}],
  ['readPath', 200, '/vault/Garden', { headers: JSON_ACCEPT }],
  ['readPath', 200, '/vault/Garden/', { headers: JSON_ACCEPT }],
  ['readPath', 200, '/vault/Garden?recursive=true', {}],
  ['readPath', 206, '/vault/picture.svg', { headers: { range: 'bytes=0-3' } }],
  ['readPath', 400, `${NOTE}?section=Nowhere`, {}],
  ['readPath', 400, `${NOTE}/`, {}],
  ['readPath', 400, '/vault/.git/config', {}],
  ['readPath', 404, '/vault/Garden/Plum.md', {}],
  ['readPath', 416, '/vault/picture.svg', { headers: { range: 'bytes=9999-' } }],
  ['search', 200, '/search?q=prune&k=2', { headers: JSON_ACCEPT }],
  ['search', 200, '/search?q=prune&explain&kind=note&tag=garden&prefix=Garden', { headers: JSON_ACCEPT }],
  ['search', 200, '/search?q=prune', {}],
  ['search', 400, '/search?q=', {}],
  ['search', 400, '/search', {}],
  ['search', 404, '/search?q=prune&prefix=Nowhere', {}],
  [
    'searchByJson',
    200,
    '/search',
    { method: 'POST', headers: { ...JSON_BODY, ...JSON_ACCEPT }, body: '{"q":"prune"}' },
  ],
  ['searchByJson', 400, '/search', { method: 'POST', headers: JSON_BODY, body: '{"q":"prune","kk":2}' }],
  ['searchByJson', 404, '/search', { method: 'POST', headers: JSON_BODY, body: '{"q":"a","prefix":"Nowhere"}' }],
  ['simpleSearch', 200, '/search/simple/?query=prune&contextLength=10', { method: 'POST' }],
  ['simpleSearch', 400, '/search/simple/?query=', { method: 'POST' }],
  ['mcp', 200, '/mcp', { ...MCP, body: JSON.stringify(RPC) }],
  ['mcp', 202, '/mcp', { ...MCP, body: '{"jsonrpc":"2.0","method":"notifications/initialized"}' }],
  ['mcp', 400, '/mcp', { ...MCP, body: 'nonsense' }],
  ['mcp', 413, '/mcp', { ...UNREAD, body: JSON.stringify({ ...RPC, params: { x: 'x'.repeat(2 ** 21) } }) }],
  ['health', 200, '/healthz', {}],
  ['readiness', 200, '/readyz', {}],
  ['metrics', 200, '/metrics', {}],
  ['reindex', 200, '/reindex', { method: 'POST' }],
  ['reindex', 200, '/reindex', { method: 'POST', headers: JSON_BODY, body: '{"rebuild":false}' }],
  ['reindex', 400, '/reindex', { method: 'POST', headers: JSON_BODY, body: '{"rebuild":"yes"}' }],
];

describe('what openapi.yaml describes', () => {
  it.each(CASES)('%s is answered with %i at %s', async (id, status, path, init) => {
    await check(id, status, await served.get(path, init));
  });

  it('holds for a version the caller already has', async () => {
    const etag = (await served.get(NOTE)).headers.get('etag') ?? '';
    await check('readPath', 304, await served.get(NOTE, { headers: { 'if-none-match': etag } }));
  });

  it.each(operations.filter(({ secured }) => secured).map((each) => [each.id, each] as const))(
    '%s is not answered without the key, nor to a page of another site',
    async (id, each) => {
      const { method } = each;
      await check(id, 401, await fetch(served.url + pathOf(each), { method }));
      await check(id, 403, await served.get(pathOf(each), { method, headers: { origin: 'null' } }));
    },
  );

  it.each(operations.filter(({ responses }) => responses['500']).map((each) => [each.id, each] as const))(
    '%s hides what went wrong inside',
    async (id, each) => {
      const query = each.id === 'search' ? '?q=a' : each.id === 'simpleSearch' ? '?query=a' : '';
      const body = each.id === 'searchByJson' ? { body: '{"q":"a"}' } : {};
      const headers = { authorization: `Bearer ${API_KEY}`, host: 'localhost', ...JSON_BODY };
      // Plain search passes over what it cannot read, so it takes a defect beside the vault to fail it.
      const app = id === 'simpleSearch' ? withoutLimits : broken;
      const answer = await app.request(pathOf(each) + query, { method: each.method, headers, ...body });
      expect(await answer.clone().text()).not.toMatch(/ENOSPC|private/);
      await check(id, 500, answer);
    },
  );

  it.each([
    ['search', '/search?q=a', {}],
    ['searchByJson', '/search', { method: 'POST', body: '{"q":"a"}' }],
    ['readiness', '/readyz', {}],
    ['readPath', '/vault/Files/scan.pdf', {}],
  ])('%s says that there is no index yet', async (id, path, init) => {
    const headers = { authorization: `Bearer ${API_KEY}`, host: 'localhost', ...JSON_BODY };
    await check(id, 503, await beforeIndex.request(path, { headers, ...init }));
  });

  it('was answered with every status it lists', () => {
    const described = operations.flatMap(({ id, responses }) =>
      Object.keys(responses).map((status) => `${id} ${status}`),
    );
    expect(described.filter((each) => !answered.has(each))).toEqual([]);
  });
});

describe('parameters', () => {
  it.each([
    ['listVault', '/vault/', 'GET'],
    ['readPath', NOTE, 'GET'],
    ['search', '/search', 'GET'],
    ['simpleSearch', '/search/simple/', 'POST'],
  ])('%s takes those described, and refuses any other by naming them', async (id, path, method) => {
    const answer = await served.get(`${path}?nonsense=1`, { method });
    expect(answer.status).toBe(400);
    const { error } = (await answer.json()) as { error: string };
    const taken = /It takes: (.*)\.$/.exec(error)?.[1]?.split(', ') ?? [];
    const described = operation(id).parameters.filter((parameter) => parameter.in === 'query');
    const own = id === 'listVault' ? ['map', 'raw', 'section'] : [];
    expect(taken.toSorted()).toEqual([...described.map(({ name }) => name), ...own].toSorted());
  });

  it.each(['searchByJson', 'reindex'])('%s takes the fields described, and refuses any other', async (id) => {
    const { path, bodySchema } = operation(id);
    const answer = await served.get(path, { method: 'POST', headers: JSON_BODY, body: '{"q":"a","nonsense":1}' });
    expect(answer.status).toBe(400);
    const { error } = (await answer.json()) as { error: string };
    for (const field of Object.keys(bodySchema?.properties ?? {}))
      expect([id, error]).toEqual([id, expect.stringContaining(field)]);
  });
});

describe('methods', () => {
  const paths = [...new Set(operations.map((each) => pathOf(each)))];

  it.each(paths)('that %s does not list are refused with those it does', async (path) => {
    const listed = operations.filter((each) => pathOf(each) === path).map(({ method }) => method);
    const allow = listed.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method]));
    for (const method of ['PUT', 'DELETE', 'OPTIONS', 'PATCH']) {
      const answer = await served.get(path, { method });
      expect([method, answer.status, answer.headers.get('allow')]).toEqual([method, 405, allow.join(', ')]);
      expect(await answer.json()).toEqual({ code: 'method_not_allowed', error: expect.any(String) });
    }
  });

  it('answer HEAD like GET, without the body', async () => {
    for (const each of operations.filter(({ method, path }) => method === 'GET' && path !== '/search')) {
      const [get, head] = [await served.get(pathOf(each)), await served.get(pathOf(each), { method: 'HEAD' })];
      expect([each.path, head.status]).toEqual([each.path, get.status]);
      expect(head.headers.get('content-type')).toBe(get.headers.get('content-type'));
      expect(await head.text()).toBe('');
      await get.arrayBuffer();
    }
  });
});
