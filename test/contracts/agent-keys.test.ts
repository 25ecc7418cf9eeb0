// The agents' keys end to end: who is let in by one, to what, until when, and that no key and no digest of one is ever shown.
import { createHash, randomBytes } from 'node:crypto';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createLogger } from '@vault-mcp/shared/log';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { JSON_BODY } from '../support/contract-checks.ts';
import { API_KEY, METRICS_KEY, type ServedVault, serveVault } from '../support/served-vault.ts';
import { createTempFolder, type TempFolder } from '../support/temp-folder.ts';

const KEYS = { scribe: randomBytes(32).toString('base64url'), reader: randomBytes(32).toString('base64url') };
const digestOf = (key: string) => createHash('sha256').update(key).digest('hex');

let folder: TempFolder;
let keysFile: string;
let served: ServedVault;
const logged: string[] = [];

const putKeys = (names: readonly (keyof typeof KEYS)[]) =>
  writeFileSync(keysFile, JSON.stringify(Object.fromEntries(names.map((name) => [name, digestOf(KEYS[name])]))));

beforeAll(async () => {
  folder = await createTempFolder('agent-keys');
  keysFile = join(folder.path, 'agents.json');
  putKeys(['scribe', 'reader']);
  const log = createLogger({
    name: 'api',
    level: 'debug',
    destination: { write: (line: string) => logged.push(line) },
  });
  served = await serveVault(
    { 'House/Heating.md': '# Heating\n\nBleed it in October.\n' },
    { 'agents.keys_file': keysFile },
    { parts: { log } },
  );
});
afterAll(async () => {
  await served.close();
  await folder.remove();
});

type Named = { readonly key: string; readonly as?: string };
const headersOf = ({ key, as }: Named) => ({
  authorization: `Bearer ${key}`,
  ...(as === undefined ? {} : { 'x-vault-agent': as }),
});
const ask = (path: string, who: Named, init: RequestInit = {}) =>
  served.get(path, { ...init, headers: { ...headersOf(who), ...init.headers } });
const NOTE = '/vault/House/Heating.md';

async function outcomeOf(answer: Response): Promise<string> {
  if (answer.ok) return 'ok';
  const { code } = (await answer.json()) as { code: string };
  return `${answer.status} ${code}`;
}

/** What changes a vault, or is the operator's to know. */
const FOR_THE_OPERATOR = [
  ['GET', '/readyz'],
  ['GET', '/metrics'],
  ['GET', '/maintenance'],
  ['POST', '/maintenance'],
  ['GET', '/maintenance/checks'],
  ['POST', '/reindex'],
] as const;

describe("an agent's key", () => {
  it('lets the agent in where no policy says what it may do, and names it in the records', async () => {
    const before = served.context.audit.read({ limit: 10_000 }).length;
    expect(await outcomeOf(await ask(NOTE, { key: KEYS.scribe }))).toBe('ok');
    expect(await outcomeOf(await ask(NOTE, { key: KEYS.scribe, as: 'scribe' }))).toBe('ok');
    const body = 'It was bled.\n';
    expect(await outcomeOf(await ask(NOTE, { key: KEYS.reader }, { method: 'POST', body }))).toBe('ok');
    const rows = served.context.audit.read({ limit: 10_000 });
    expect(rows.slice(0, rows.length - before).map(({ agent, operation }) => `${agent} ${operation}`)).toEqual([
      'reader append-to-note',
      'scribe read-note',
      'scribe read-note',
    ]);
  });

  it.each(FOR_THE_OPERATOR)('opens no operation of the operator: %s %s', async (method, path) => {
    const init = { method };
    expect(await outcomeOf(await ask(path, { key: KEYS.scribe }, init))).toBe('400 out_of_scope');
    // Nor does the operator's, in the name of an agent.
    expect(await outcomeOf(await ask(path, { key: API_KEY, as: 'scribe' }, init))).toBe('400 out_of_scope');
    expect(await outcomeOf(await ask(path, { key: API_KEY }, init))).toBe('ok');
  });

  it('is refused with the name of another agent, and the row says whose key it was', async () => {
    expect(await outcomeOf(await ask(NOTE, { key: KEYS.scribe, as: 'reader' }))).toBe('400 out_of_scope');
    expect(served.context.audit.read({ limit: 1 })).toEqual([
      expect.objectContaining({ agent: 'scribe', outcome: 'out_of_scope' }),
    ]);
  });

  it('speaks MCP, with all tools where no policy says what it may do', async () => {
    const message = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
    const headers = { ...JSON_BODY, accept: 'application/json, text/event-stream' };
    const answer = await ask('/mcp', { key: KEYS.scribe }, { method: 'POST', headers, body: JSON.stringify(message) });
    expect(await answer.text()).toContain('vault_move');
  });

  it('opens nothing to who is unknown, the key for metrics included', async () => {
    for (const key of [KEYS.scribe.slice(1), METRICS_KEY, digestOf(KEYS.scribe)]) {
      expect(await outcomeOf(await ask(NOTE, { key }))).toBe('401 unauthorized');
    }
  });
});

describe("the operator's key with the name of an agent", () => {
  it('makes the call the agent’s, in the records as well', async () => {
    expect(await outcomeOf(await ask(NOTE, { key: API_KEY, as: 'anybody' }))).toBe('ok');
    expect(served.context.audit.read({ limit: 1 })[0]?.agent).toBe('anybody');
    const line = logged.findLast((each) => each.includes('"msg":"request"')) ?? '';
    expect(JSON.parse(line)).toMatchObject({ agent: 'anybody', by_operator: true });
  });

  it.each(['', 'a b', 'operator', 'x'.repeat(65), 'scribe, scribe'])('is refused with an ill name: %j', async (as) => {
    expect(await outcomeOf(await ask(NOTE, { key: API_KEY, as }))).toBe('400 out_of_scope');
    expect(served.context.audit.read({ limit: 1 })[0]?.agent).toBe('operator');
  });
});

describe('the file of the keys', () => {
  beforeEach(() => putKeys(['scribe', 'reader']));

  /** A look holds for a second. */
  const settled = (who: Named, outcome: string) =>
    vi.waitFor(async () => expect(await outcomeOf(await ask(NOTE, who))).toBe(outcome), {
      timeout: 10_000,
      interval: 100,
    });

  it('takes an agent’s right to call with its row, while the server runs, and gives it back', async () => {
    await settled({ key: KEYS.scribe }, 'ok');
    putKeys(['reader']);
    await settled({ key: KEYS.scribe }, '401 unauthorized');
    expect(await outcomeOf(await ask(NOTE, { key: KEYS.reader }))).toBe('ok');
    putKeys(['scribe', 'reader']);
    await settled({ key: KEYS.scribe }, 'ok');
  });

  it.each([
    ['is damaged', () => writeFileSync(keysFile, '{"scribe": "')],
    ['goes', () => rmSync(keysFile)],
  ])('shuts agents out when it %s, and not the operator', async (_how, damage) => {
    await settled({ key: KEYS.scribe }, 'ok');
    damage();
    await settled({ key: KEYS.scribe }, '401 unauthorized');
    expect(await outcomeOf(await ask(NOTE, { key: KEYS.reader }))).toBe('401 unauthorized');
    expect(await outcomeOf(await ask(NOTE, { key: API_KEY }))).toBe('ok');
    expect(await outcomeOf(await ask(NOTE, { key: API_KEY, as: 'scribe' }))).toBe('ok');
  });
});

describe('under a policy', () => {
  let scoped: ServedVault;
  beforeAll(async () => {
    putKeys(['scribe', 'reader']);
    const rules = {
      scribe: [
        { prefix: '', read: true },
        { prefix: 'Journal', write: 'append' },
      ],
      reader: [{ prefix: 'House', read: true }],
    };
    const files = { 'House/Heating.md': '# Heating\n', 'Journal/a.md': '# A\n' };
    const set = { 'agents.keys_file': keysFile, 'agents.policy': rules, 'mcp.tools': ['core'] };
    scoped = await serveVault(files, set, { indexed: false });
  });
  afterAll(() => scoped.close());

  /** What the server answers one message of the protocol with. */
  async function tell(who: Named, method: string, params: object = {}) {
    const headers = { ...headersOf(who), ...JSON_BODY, accept: 'application/json, text/event-stream' };
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
    const answer = await scoped.get('/mcp', { method: 'POST', headers, body });
    const text = await answer.text();
    return { status: answer.status, said: JSON.parse(text.replace(/^[^{]*/, '').trim()) };
  }
  const toolsOf = async (who: Named) =>
    (await tell(who, 'tools/list')).said.result.tools.map(({ name }: { name: string }) => name.replace('vault_', ''));

  it('an agent is told of the tools that it has a right to use somewhere', async () => {
    const reading = ['list', 'map', 'read', 'search'];
    expect((await toolsOf({ key: KEYS.reader })).sort()).toEqual(reading);
    const adding = [...reading, 'append', 'create_folder', 'patch', 'write'].sort();
    expect((await toolsOf({ key: KEYS.scribe })).sort()).toEqual(adding);
    expect((await toolsOf({ key: API_KEY, as: 'scribe' })).sort()).toEqual(adding);
  });

  it('a tool that it is not told of is refused all the same, and leaves its row', async () => {
    const call = { name: 'vault_delete', arguments: { path: 'Journal/a.md' } };
    const { said } = await tell({ key: KEYS.scribe }, 'tools/call', call);
    expect(said.result).toMatchObject({ isError: true, _meta: { 'vault-mcp/code': 'out_of_scope' } });
    expect(scoped.context.audit.read({ limit: 1 })).toEqual([
      expect.objectContaining({ agent: 'scribe', operation: 'delete-entry', outcome: 'out_of_scope' }),
    ]);
    expect((await scoped.get('/vault/Journal/a.md', { headers: headersOf({ key: KEYS.scribe }) })).status).toBe(200);
  });

  it('it is told its rights on connecting', async () => {
    const client = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } };
    const told = async (who: Named) => (await tell(who, 'initialize', client)).said.result.instructions as string;
    expect(await told({ key: KEYS.reader })).toMatch(/You see a part of this vault.*"House": read\./);
    expect(await told({ key: KEYS.scribe })).toMatch(/Your rights: everywhere: read; "Journal": add only\./);
    expect(await told({ key: KEYS.scribe })).not.toMatch(/You see a part/);
  });

  it('who names no agent is refused before the protocol is spoken', async () => {
    const { status, said } = await tell({ key: API_KEY }, 'tools/list');
    expect([status, said]).toEqual([400, { code: 'out_of_scope', error: expect.stringMatching(/X-Vault-Agent/) }]);
  });
});

it('tells at the start that keys without a policy open everything', () => {
  expect(logged.join('')).toMatch(/no agents\.policy: every agent with a key \(reader, scribe\)/);
});

it('no key and no digest of one stands in a line of the log or a row of the audit log', () => {
  const records = logged.join('') + JSON.stringify(served.context.audit.read({ limit: 10_000 }));
  for (const key of Object.values(KEYS)) {
    expect(records).not.toContain(key);
    expect(records).not.toContain(digestOf(key));
  }
});
