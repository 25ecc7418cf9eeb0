// Every call of every surface leaves one row in the audit log: what was asked, who asked, how it ended; never what a
// note or an argument holds.
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { type AuditedCall, argumentsDigest } from '@vault-mcp/shared/records/audit';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { discarded } from '../support/discarding-vault.ts';
import { API_KEY, METRICS_KEY, type ServedVault, serveVault } from '../support/served-vault.ts';

let served: ServedVault;
beforeAll(async () => {
  const ceilings = { 'gate.distance_ceiling': 0.4, 'gate.bm25_ceiling': -1 };
  served = await serveVault({ 'House/Heating.md': '# Heating\n\nBleed it in October.\n' }, ceilings);
  await served.context.discards.append(discarded('a'));
});
afterAll(() => served.close());

let before: number;
beforeEach(() => {
  before = rows(10_000).length;
});

const rows = (limit: number) => served.context.audit.read({ limit });

/** The rows left since the test began, oldest first, without what differs from run to run. */
function left(): Partial<AuditedCall>[] {
  const all = rows(10_000);
  return all
    .slice(0, all.length - before)
    .reverse()
    .map(({ surface, operation, agent, outcome }) => ({ surface, operation, agent, outcome }));
}

const asked = { surface: 'rest', agent: 'operator', outcome: 'ok' };

describe('a call over HTTP', () => {
  it.each([
    ['/vault/House/Heating.md', 'GET', 'read-note'],
    ['/vault/House/Heating.md?map', 'GET', 'map-note'],
    ['/vault/House/Heating.md?raw', 'GET', 'read-raw'],
    ['/vault/House/', 'GET', 'list-folder'],
    ['/search?q=bleed', 'GET', 'search'],
    ['/search/simple/?query=bleed', 'POST', 'simple-search'],
    ['/links?path=House/Heating.md', 'GET', 'find-links'],
    ['/frontmatter?key=status', 'GET', 'find-by-frontmatter'],
    ['/expiries', 'GET', 'list-expiries'],
    ['/callouts', 'GET', 'list-callouts'],
    ['/maintenance', 'POST', 'run-maintenance'],
    ['/maintenance/checks', 'GET', 'describe-checks'],
    ['/memory/discards', 'GET', 'list-discards'],
    ['/memory/discards/1', 'GET', 'show-discard'],
    ['/memory/discards/1/restore', 'POST', 'restore-discard'],
    ['/reindex', 'POST', 'reindex'],
  ])('%s (%s) leaves one row that names the operation', async (path, method, operation) => {
    expect((await served.get(path, { method })).status).toBe(200);
    expect(left()).toEqual([{ ...asked, operation }]);
  });

  it('leaves one with the code when it is refused, also before any operation was chosen', async () => {
    await served.get('/vault/Nowhere.md');
    await served.get('/vault/House/Heating.md?nonsense');
    await served.get('/nowhere');
    await fetch(`${served.url}/vault/House/Heating.md`);
    expect(left()).toEqual([
      { ...asked, operation: 'read-note', outcome: 'not_found' },
      { ...asked, operation: 'GET /vault/*', outcome: 'invalid_request' },
      { ...asked, operation: 'GET unmatched', outcome: 'not_found' },
      { ...asked, operation: 'GET unmatched', agent: 'nobody', outcome: 'unauthorized' },
    ]);
  });

  it('holds a digest of what was asked, and not a word of it', async () => {
    for (const path of ['a.md', 'a.md', 'b.md']) await served.get(`/vault/${path}`);
    const [b, again, a] = rows(3);
    expect(a?.argsDigest).toBe(argumentsDigest({ path: 'a.md' }));
    expect(again?.argsDigest).toBe(a?.argsDigest);
    expect(b?.argsDigest).not.toBe(a?.argsDigest);
    expect(JSON.stringify([a, b])).not.toMatch(/\.md/);
  });

  it('leaves none when it only asks whether the program is well', async () => {
    await fetch(`${served.url}/healthz`);
    await served.get('/readyz');
    await fetch(`${served.url}/metrics`, { headers: { authorization: `Bearer ${METRICS_KEY}` } });
    expect(left()).toEqual([]);
  });
});

describe('a call of a tool', () => {
  it('leaves one row, and the request that carried it none', async () => {
    const client = new Client({ name: 'test', version: '1' });
    const transport = new StreamableHTTPClientTransport(new URL(`${served.url}/mcp`), {
      requestInit: { headers: { authorization: `Bearer ${API_KEY}` } },
    });
    await client.connect(transport);
    try {
      await client.callTool({ name: 'vault_read', arguments: { path: 'House/Heating.md' } });
      await client.callTool({ name: 'vault_read', arguments: { path: 'Nowhere.md' } });
      // A client may ask for a stream first, which is a call of its own and refused.
      expect(left().filter(({ operation }) => operation !== 'GET /mcp')).toEqual([
        { surface: 'mcp', operation: 'read-note', agent: 'operator', outcome: 'ok' },
        { surface: 'mcp', operation: 'read-note', agent: 'operator', outcome: 'not_found' },
      ]);
    } finally {
      await client.close();
    }
  });

  it('leaves a row of its request when the protocol refuses it as a whole', async () => {
    const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
    expect((await served.get('/mcp', { method: 'POST', headers, body: '{' })).status).toBe(400);
    expect(left()).toEqual([{ ...asked, operation: 'POST /mcp', outcome: 'invalid_request' }]);
  });

  it('leaves a row whatever its arguments are', async () => {
    const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
    const deep = '['.repeat(20_000) + ']'.repeat(20_000);
    const call = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"vault_read","arguments":{"path":${deep}}}}`;
    const answer = await served.get('/mcp', { method: 'POST', headers, body: call });
    expect(await answer.text()).toContain('invalid_request');
    expect(left()).toEqual([{ surface: 'mcp', operation: 'read-note', agent: 'operator', outcome: 'invalid_request' }]);
    expect(rows(1)[0]?.argsDigest).toBe('');
  });

  it.each([
    ['of a tool that does not exist', { name: 'vault_paint', arguments: { path: 'a.md' } }, 'not_found'],
    ['of no tool', { arguments: {} }, 'invalid_request'],
    ['whose arguments are a list', { name: 'vault_read', arguments: [1] }, 'invalid_request'],
  ])('%s leaves a row, and is counted', async (_what, params, outcome) => {
    const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params });
    const errors = async () => {
      const metrics = await fetch(`${served.url}/metrics`, { headers: { authorization: `Bearer ${METRICS_KEY}` } });
      const line = new RegExp(`^vault_mcp_errors_total\\{surface="mcp",code="${outcome}"\\} (\\d+)$`, 'm');
      return Number(line.exec(await metrics.text())?.[1] ?? 0);
    };
    const counted = await errors();
    const answer = await served.get('/mcp', { method: 'POST', headers, body });
    expect(await answer.text()).toContain('-32602');
    expect(left()).toEqual([{ surface: 'mcp', operation: 'tools/call', agent: 'operator', outcome }]);
    expect(await errors()).toBe(counted + 1);
  });

  it('leaves a row of its request when that is refused before', async () => {
    await fetch(`${served.url}/mcp`, { method: 'POST', body: '{}' });
    expect(left()).toEqual([
      { surface: 'rest', operation: 'POST unmatched', agent: 'nobody', outcome: 'unauthorized' },
    ]);
  });
});
