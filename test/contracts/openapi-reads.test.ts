// What openapi.yaml says of reading, searching, MCP and probes, against the running server: each status of each of these
// operations is answered, down to the fields of the bodies.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { openIndexReader } from '@vault-mcp/shared/index-db/reader';
import { openVault } from '@vault-mcp/shared/vault/vault';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  appWith,
  CALLER,
  contractChecks,
  failing,
  isWrite,
  JSON_BODY,
  NOTE as NAME,
  pathOf,
} from '../support/contract-checks.ts';
import { readOperations } from '../support/openapi.ts';
import { type ServedVault, serveVault } from '../support/served-vault.ts';
import { createTempFolder } from '../support/temp-folder.ts';

const FILES = {
  'Garden/Pear tree.md':
    '---\ntitle: Pear tree\ntags: [garden]\n---\n# Pear tree\n\n## Pruning\n\nPrune in February. ^when\n',
  'Broken.md': '---\ntitle: [\n---\nBody\n',
  'Was.md': '---\nsuperseded_by: "[[Garden/Pear tree]]"\n---\n',
  'Gone.md': '---\nsuperseded_by: "[[Nowhere]]"\n---\n',
  'Lease.md': '---\nexpires: [{date: 2026-02-30}, {date: 2020-01-31, what: notice}]\n---\n',
  'Call.md': '> [!todo] Call Ruth\n> Before it rains.\n',
  'Bread.md': '---\nexpires: none\nexpires_reason: it keeps\n---\n',
  'Latin.md': new Uint8Array([0x63, 0x61, 0x66, 0xe9, 0x0a]),
  'Files/scan.pdf': 'this is no PDF',
  'picture.svg': '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>',
};

const NOTE = `/vault/${NAME}`;
const { operations, check, unanswered } = contractChecks(
  (await readOperations()).filter((each) => !isWrite(each) && !each.path.startsWith('/memory/discards')),
);
const JSON_ACCEPT = { accept: 'application/json' };
const RPC = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
/** What an operation asks for at the least. */
const NEEDED_QUERY: Readonly<Record<string, string>> = {
  search: '?q=a',
  simpleSearch: '?query=a',
  findByFrontmatter: '?key=a',
};
// What is refused before it was read ends its connection, which no later request may be waiting on.
const UNREAD = { method: 'POST', headers: { ...JSON_BODY, connection: 'close' } };
const LOOK = { method: 'POST', body: '{"ceiling":0.1}' };
const MCP = { method: 'POST', headers: { ...JSON_BODY, accept: 'application/json, text/event-stream' } };

let served: ServedVault;
let beforeIndex: ReturnType<typeof appWith>;
let broken: ReturnType<typeof appWith>;
let withoutFolder: ReturnType<typeof appWith>;

beforeAll(async () => {
  // Small, so that a request too long is soon sent.
  served = await serveVault(FILES, { 'vault.note_max_bytes': 100_000 });
  const { context } = served;
  beforeIndex = appWith({ ...context, reader: openIndexReader('/nonexistent/index.db') });
  broken = appWith({ ...context, vault: failing(), reader: failing(), queue: failing() });
  const folder = await createTempFolder('gone');
  withoutFolder = appWith({ ...context, vault: await openVault(folder.path, context.vault) });
  await folder.remove();
});
afterAll(() => served.close());

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
  ['readPath', 200, '/vault/Was.md', { headers: JSON_ACCEPT }],
  ['readPath', 200, '/vault/Gone.md?map', { headers: JSON_ACCEPT }],
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
  ['search', 200, '/search?q=prune&expand_links', { headers: JSON_ACCEPT }],
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
  ['findLinks', 200, `/links?path=${NAME}&limit=1`, { headers: JSON_ACCEPT }],
  ['findLinks', 200, '/links', { headers: JSON_ACCEPT }],
  ['findLinks', 200, '/links', {}],
  ['findLinks', 400, '/links?path=Garden', {}],
  ['findLinks', 400, '/links?limit=0', {}],
  ['findLinks', 404, '/links?path=Garden/Plum.md', {}],
  ['findByFrontmatter', 200, '/frontmatter?key=tags&value=garden', { headers: JSON_ACCEPT }],
  ['findByFrontmatter', 200, '/frontmatter?key=title&dir=Garden', {}],
  ['findByFrontmatter', 400, '/frontmatter?value=garden', {}],
  ['findByFrontmatter', 400, `/frontmatter?key=title&dir=${NAME}`, {}],
  ['findByFrontmatter', 404, '/frontmatter?key=title&dir=Nowhere', {}],
  ['listExpiries', 200, '/expiries?within=30', { headers: JSON_ACCEPT }],
  ['listExpiries', 200, '/expiries?untracked=1&dir=Garden', { headers: JSON_ACCEPT }],
  ['listExpiries', 200, '/expiries', {}],
  ['listExpiries', 400, '/expiries?within=soon', {}],
  ['listExpiries', 404, '/expiries?dir=Nowhere', {}],
  ['listCallouts', 200, '/callouts?type=TODO', { headers: JSON_ACCEPT }],
  ['listCallouts', 200, '/callouts?dir=Garden', {}],
  ['listCallouts', 400, '/callouts?type=', {}],
  ['listCallouts', 404, '/callouts?dir=Nowhere', {}],
  ['listCalloutsByJson', 200, '/callouts', { method: 'POST', headers: JSON_ACCEPT }],
  ['listCalloutsByJson', 200, '/callouts', { method: 'POST', headers: JSON_BODY, body: '{"type":"todo"}' }],
  ['listCalloutsByJson', 400, '/callouts', { method: 'POST', headers: JSON_BODY, body: '{"kind":"todo"}' }],
  ['listCalloutsByJson', 404, '/callouts', { method: 'POST', headers: JSON_BODY, body: '{"dir":"Nowhere"}' }],
  ['runMaintenance', 200, '/maintenance', { headers: JSON_ACCEPT }],
  ['runMaintenance', 200, '/maintenance', {}],
  ['runMaintenance', 400, '/maintenance?check=links', {}],
  ['runMaintenanceByPost', 200, '/maintenance', { method: 'POST', headers: JSON_ACCEPT }],
  ['runMaintenanceByPost', 200, '/maintenance', { method: 'POST', headers: JSON_BODY, body: '{}' }],
  ['runMaintenanceByPost', 400, '/maintenance', { method: 'POST', headers: JSON_BODY, body: '{"args":["-c"]}' }],
  ['describeChecks', 200, '/maintenance/checks', { headers: JSON_ACCEPT }],
  ['describeChecks', 200, '/maintenance/checks', {}],
  ['describeChecks', 400, '/maintenance/checks?vault-path=/', {}],
  ['consolidate', 200, '/memory/consolidate', { ...LOOK, headers: { ...JSON_BODY, ...JSON_ACCEPT } }],
  ['consolidate', 200, '/memory/consolidate', { ...LOOK, headers: JSON_BODY }],
  ['consolidate', 400, '/memory/consolidate', { method: 'POST', headers: JSON_BODY, body: '{"ceiling":2}' }],
  ['mcp', 200, '/mcp', { ...MCP, body: JSON.stringify(RPC) }],
  ['mcp', 202, '/mcp', { ...MCP, body: '{"jsonrpc":"2.0","method":"notifications/initialized"}' }],
  ['mcp', 400, '/mcp', { ...MCP, body: 'nonsense' }],
  ['mcp', 413, '/mcp', { ...UNREAD, body: JSON.stringify({ ...RPC, params: { x: 'x'.repeat(2 ** 21) } }) }],
  [
    'mcp',
    400,
    '/mcp',
    { ...MCP, headers: { ...MCP.headers, 'x-vault-source': 'x'.repeat(101) }, body: JSON.stringify(RPC) },
  ],
  ['mcpOnly', 200, '/mcp/only/Garden', { ...MCP, body: JSON.stringify(RPC) }],
  ['mcpOnly', 202, '/mcp/only/Garden', { ...MCP, body: '{"jsonrpc":"2.0","method":"notifications/initialized"}' }],
  ['mcpOnly', 400, '/mcp/only/Garden', { ...MCP, body: 'nonsense' }],
  ['mcpOnly', 400, '/mcp/only/', { ...MCP, body: JSON.stringify(RPC) }],
  ['mcpOnly', 400, '/mcp/only/.git', { ...MCP, body: JSON.stringify(RPC) }],
  ['mcpOnly', 404, '/mcp/only/Nowhere', { ...MCP, body: JSON.stringify(RPC) }],
  [
    'mcpOnly',
    413,
    '/mcp/only/Garden',
    { ...UNREAD, body: JSON.stringify({ ...RPC, params: { x: 'x'.repeat(2 ** 21) } }) },
  ],
  ['health', 200, '/healthz', {}],
  ['readiness', 200, '/readyz', {}],
  ['metrics', 200, '/metrics', {}],
  ['reindex', 200, '/reindex', { method: 'POST' }],
  ['reindex', 200, '/reindex', { method: 'POST', headers: JSON_BODY, body: '{"rebuild":false}' }],
  ['reindex', 400, '/reindex', { method: 'POST', headers: JSON_BODY, body: '{"rebuild":"yes"}' }],
];

describe('what openapi.yaml describes of reading', () => {
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
      const query = NEEDED_QUERY[id] ?? '';
      const body = { searchByJson: { body: '{"q":"a"}' }, consolidate: LOOK }[each.id] ?? {};
      const headers = { ...CALLER, ...JSON_BODY };
      // Plain search passes over what it cannot read, unless that is everything.
      const app = id === 'simpleSearch' ? withoutFolder : broken;
      const answer = await app.request(pathOf(each) + query, { method: each.method, headers, ...body });
      expect(await answer.clone().text()).not.toMatch(/ENOSPC|private/);
      await check(id, 500, answer);
    },
  );

  it('consolidate says that the server ends before it came to an answer', async () => {
    const { locks } = served.context;
    const app = appWith({ ...served.context, locks: { ...locks, closed: AbortSignal.abort() } });
    const answer = await app.request('/memory/consolidate', { ...LOOK, headers: { ...CALLER, ...JSON_BODY } });
    await check('consolidate', 409, answer);
  });

  it.each([
    ['search', '/search?q=a', {}],
    ['searchByJson', '/search', { method: 'POST', body: '{"q":"a"}' }],
    ['findLinks', '/links', {}],
    ['readiness', '/readyz', {}],
    ['readPath', '/vault/Files/scan.pdf', {}],
    ['consolidate', '/memory/consolidate', LOOK],
  ])('%s says that there is no index yet', async (id, path, init) => {
    const headers = { ...CALLER, ...JSON_BODY };
    await check(id, 503, await beforeIndex.request(path, { headers, ...init }));
  });

  const byKey = (n: number) => `/frontmatter?key=k${n}`;
  const byFolder = (n: number) => `/callouts?dir=many/${n}`;
  const inLast = { method: 'POST', body: '{"dir":"many/40"}' };

  it.each([
    ['findByFrontmatter', byKey, byKey(40), {}],
    ['listExpiries', byKey, '/expiries', {}],
    ['listCallouts', byFolder, byFolder(40), {}],
    ['listCalloutsByJson', byFolder, '/callouts', inLast],
  ])('%s says that more is asked of all notes than can be answered soon', async (id, other, path, init) => {
    const { context, vaultPath } = served;
    for (let n = 0; n <= 40; n++) mkdirSync(join(vaultPath, 'many', `${n}`), { recursive: true });
    // Of its own: whose thread has still to start when all of these have come.
    const app = appWith({ ...context, vault: await openVault(context.vault.root, context.vault) });
    const others = Array.from({ length: 40 }, (_, n) => app.request(other(n), { headers: CALLER }));
    const last = app.request(path, { headers: { ...CALLER, ...JSON_BODY }, ...init });
    await Promise.all(others);
    await check(id, 503, await last);
  });

  it('was answered with every status it lists', () => {
    expect(unanswered()).toEqual([]);
  });
});
