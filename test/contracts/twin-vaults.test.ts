// For an agent, what it may not read does not exist: whatever it asks, over REST and MCP, it is answered as by a vault from
// which those files were taken away. Two servers, one with the hidden files and one without, are asked the same.
import { rmSync, symlinkSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type McpClient, modernClient } from '../support/mcp-clients.ts';
import { API_KEY, type ServedVault, serveVault } from '../support/served-vault.ts';
import { TWIN_CALLS, type TwinCall } from '../support/twin-calls.ts';

const VISIBLE = {
  'Car/Plan.md': [
    '---',
    'type: note',
    'tags: [car/plan]',
    'status: open',
    'expires: [{date: 2027-03-01, what: tax}]',
    '---',
    '# Plan',
    '',
    'KFZ-4711, winter tyres. [[Doctor]] [[Health/Doctor]] [[Tyres]] [[Way/secret]] ![[scan.pdf]] [[index]] [[o]]',
    '',
    '> [!todo] Call the garage',
    '',
  ].join('\n'),
  'Car/Tyres.md': '# Tyres\n\nSee [[Plan]] for the winter tyres.\n',
  'Car/Broken.md': '---\nstatus: [\n---\n',
  'Car/Alone.md': '# Alone\n',
  'Way/Open/o.md': '# Open\n\nThe plan of the way.\n',
  'Docs/scan.pdf': '%PDF-1.4 not really',
};
const HIDDEN = {
  'Car/Shut/Plan.md':
    '---\ntype: note\ntags: [car]\nstatus: open\n---\n# Plan\n\nKFZ-4711 zebra [[Car/Plan]] [[Tyres]]\n\n> [!todo] Hidden\n',
  'Car/Shut/Deep/x.md': '# Deep\n\n[[Alone]]\n',
  'Health/Doctor.md':
    '---\ntype: secret\ntags: [secret]\nexpires: [{date: 2026-01-01, what: secret}]\nstatus: open\n---\n# Doctor\n\nAppointment. [[Alone]]\n',
  'Health/Plan.md': '# Plan\n\nwinter tyres\n',
  'Health/Broken.md': '---\nstatus: [\n---\n',
  'Health/scan.pdf': '%PDF-1.4 not really either',
  'Plan.md': '# Plan\n\nAt the root: [[Car/Plan]].\n',
  'Way/secret.md': '# Secret\n\n[[o]]\n',
  'Way/Shut/s.md': '# Shut\n',
  ...Object.fromEntries(Array.from({ length: 60 }, (_, n) => [`Health/${n}.md`, '# Doctor\n\nWinter tyres, plan.\n'])),
};
const POLICY = {
  scribe: [
    { prefix: 'Car', read: true },
    { prefix: 'Car/Shut', read: false },
    { prefix: 'Way/Open', read: true },
    { prefix: 'Docs', read: true },
  ],
  owner: [{ prefix: '', read: true }],
  idle: [],
};
const AS_AGENT = { 'x-vault-agent': 'scribe' };
const AS_OWNER = { 'x-vault-agent': 'owner' };
/** Times that are the same for both: what is compared is what is told, not when it was written. */
const WRITTEN = new Date('2026-01-02T03:04:05Z');

interface Twin {
  readonly served: ServedVault;
  readonly mcp: McpClient;
}

async function twin(files: Record<string, string>, hidden: boolean): Promise<Twin> {
  const served = await serveVault(files, { 'agents.policy': POLICY });
  // The generated page is hidden from who reads a part, so that in the other vault there must be none.
  if (hidden) symlinkSync('Doctor.md', join(served.vaultPath, 'Health/link.md'));
  else rmSync(join(served.vaultPath, 'index.md'), { force: true });
  for (const path of Object.keys(VISIBLE)) utimesSync(join(served.vaultPath, path), WRITTEN, WRITTEN);
  const mcp = await modernClient({ url: new URL(`${served.url}/mcp`), headers: AS_AGENT });
  return { served, mcp };
}

let whole: Twin;
let alone: Twin;
beforeAll(async () => {
  [whole, alone] = await Promise.all([twin({ ...VISIBLE, ...HIDDEN }, true), twin(VISIBLE, false)]);
});
afterAll(() => Promise.all([whole, alone].map(async ({ served, mcp }) => mcp.close().then(() => served.close()))));

/** Of an answer as JSON, what hangs on the moment or on how often a file was written. */
function masked(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(masked);
  if (value === null || typeof value !== 'object') return value;
  const fields = Object.entries(value).map(([key, one]): [string, unknown] => {
    if (key === 'index_generation' || key === 'ctime' || key === 'request_id') return [key, null];
    if (key === 'modified' && (value as { type?: unknown }).type === 'folder') return [key, null];
    // Ranks may lean on words of the whole vault (docs/agents.md), so that only which are found is compared.
    if (key === 'lexical_rank' || key === 'fused' || key === 'score') return [key, null];
    if (key === 'results' && Array.isArray(one)) return [key, one.map(masked).sort(byPath)];
    return [key, masked(one)];
  });
  return Object.fromEntries(fields);
}

const byPath = (a: unknown, b: unknown) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1);

const HEADERS = ['content-type', 'etag', 'content-length', 'content-range', 'last-modified', 'x-vault-left-out'];

async function restAnswer({ served }: Twin, { path, init }: NonNullable<TwinCall['rest']>): Promise<unknown> {
  const answer = await served.get(path, { ...init, headers: { ...AS_AGENT, ...(init?.headers as object) } });
  const text = await answer.text();
  const isJson = answer.headers.get('content-type')?.includes('json');
  const headers = HEADERS.map((name) => [name, answer.headers.get(name)]);
  return {
    status: answer.status,
    body: isJson ? masked(JSON.parse(text)) : text,
    headers: isJson ? headers.filter(([name]) => name !== 'content-length') : headers,
  };
}

async function toolAnswer({ mcp }: Twin, { name, args }: NonNullable<TwinCall['tool']>): Promise<unknown> {
  const { isError, structuredContent, content, _meta } = await mcp.call(name, args);
  // The text of a search is in the order of its ranks.
  const text = name === 'vault_search' && !isError ? null : content.map((part) => masked(part.text));
  return { isError, structured: masked(structuredContent), text, code: _meta?.['vault-mcp/code'] };
}

const answerOf = (of: Twin, { rest, tool }: TwinCall) =>
  rest === undefined ? tool && toolAnswer(of, tool) : restAnswer(of, rest);

describe('an agent that may read a part of the vault', () => {
  it.each(TWIN_CALLS.map((call) => [call.say, call] as const))(
    'is answered as if there were no more: %s',
    async (_say, call) => {
      expect(await answerOf(whole, call)).toEqual(await answerOf(alone, call));
    },
  );

  it('is told something else than who may read everything, so that the comparison means something', async () => {
    const differing = [];
    for (const call of TWIN_CALLS.filter(({ rest }) => rest !== undefined)) {
      const { path, init } = call.rest as NonNullable<TwinCall['rest']>;
      const asOwner = { ...call, rest: { path, init: { ...init, headers: { ...init?.headers, ...AS_OWNER } } } };
      const told = JSON.stringify(await restAnswer(whole, asOwner.rest));
      if (told !== JSON.stringify(await restAnswer(whole, call.rest as NonNullable<TwinCall['rest']>)))
        differing.push(call.say);
    }
    expect(differing.length).toBeGreaterThan(100);
  });

  it('lists the resources of that part alone, and reads no other', async () => {
    const uris = async ({ mcp }: Twin) => (await mcp.listResources()).resources.map(({ uri, name }) => [uri, name]);
    expect(await uris(whole)).toEqual(await uris(alone));
    expect((await uris(whole)).flat().join()).not.toMatch(/Health|Shut|secret/);
    const [first] = (await whole.mcp.listResources()).resources;
    const hidden = (first?.uri ?? '').replace(first?.name ?? '', 'Health/Doctor.md');
    const said = async ({ mcp }: Twin) =>
      mcp.readResource(hidden).then(
        () => null,
        (error: Error) => error.message,
      );
    expect(await said(whole)).toBe(await said(alone));
    expect(await said(whole)).not.toBeNull();
  });
});

describe('who may read nothing', () => {
  it('sees an empty vault', async () => {
    const answer = await whole.served.get('/vault/?recursive=true', {
      headers: { 'x-vault-agent': 'idle', accept: 'application/json' },
    });
    expect(await answer.json()).toMatchObject({ entries: [], total: 0 });
  });
});

describe('a call that names nobody', () => {
  it.each([
    '/vault/',
    '/vault/Car/Plan.md',
    '/search?q=plan',
    '/links',
    '/expiries',
    '/callouts',
    '/frontmatter?key=a',
  ])('is refused under a policy: GET %s', async (path) => {
    for (const headers of [{}, { 'x-vault-agent': 'stranger' }, { 'x-vault-agent': '' }]) {
      const answer = await whole.served.get(path, { headers: { ...headers, accept: 'application/json' } });
      expect(await answer.json()).toMatchObject({ code: 'out_of_scope' });
    }
  });

  it('is refused over MCP before the protocol begins', async () => {
    const answer = await fetch(`${whole.served.url}/mcp`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${API_KEY}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} }),
    });
    expect(answer.status).toBe(400);
    expect(await answer.text()).toContain('out_of_scope');
  });
});
