/**
 * 2 000 hostile paths through every argument of MCP that names something in the vault: tools, addresses of resources,
 * and the path that a request is confined to. The same over REST: hostile-paths-rest.test.ts.
 */
import { dirname } from 'node:path';
import { ERROR_STATUS } from '@vault-mcp/shared/errors';
import { parseVaultPath } from '@vault-mcp/shared/vault/path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type HostilePath, hostilePaths } from '../support/hostile-paths.ts';
import { type HostileVault, layTraps } from '../support/hostile-vault.ts';
import { mcpWire, type WireAnswer } from '../support/mcp-wire.ts';
import { type RawAnswer, rawConnection } from '../support/raw-http.ts';
import { API_KEY, type ServedVault, serveVault } from '../support/served-vault.ts';

const PATHS = 2000;
/** Paths that are on their way at the same time. */
const AT_ONCE = 8;
/** Half a minute on an idle machine of two cores; what is in the way of a busy one is no fault. */
const LONG = 600_000;

let served: ServedVault;
let base: string;
let traps: HostileVault;
beforeAll(async () => {
  served = await serveVault({});
  base = dirname(served.vaultPath);
  traps = layTraps(base);
});
beforeEach(() => traps.restore());
afterAll(() => served.close());

type Form = (path: HostilePath) => readonly [method: string, params: Readonly<Record<string, unknown>>];

const tool =
  (name: string, argumentsFor: (path: string) => Record<string, unknown>): Form =>
  ({ text }) => ['tools/call', { name, arguments: argumentsFor(text) }];
const resource =
  (uriFor: (path: HostilePath) => string): Form =>
  (path) => ['resources/read', { uri: uriFor(path) }];

const READS: readonly (readonly [Form, ...Form[]])[] = [
  [tool('vault_read', (path) => ({ path })), tool('vault_read', (path) => ({ path, section: 'Part' }))],
  [tool('vault_list', (path) => ({ path })), tool('vault_list', (path) => ({ path, recursive: true }))],
  [tool('vault_map', (path) => ({ path }))],
  [tool('vault_search', (prefix) => ({ query: 'canary', prefix }))],
  [
    resource(({ target }) => `vault://note/${target}`),
    resource(({ text }) => `vault://note/${text}`),
    resource(({ text }) => `vault://note/${text.isWellFormed() ? encodeURIComponent(text) : '%ed%a0%80'}`),
    resource(({ target }) => `VAULT://NOTE/${target}?offset=0`),
  ],
];

const PATCH = { target: 'Part', operation: 'append', content: 'x' };

const WRITES: readonly (readonly [Form, ...Form[]])[] = [
  [tool('vault_append', (path) => ({ path, content: 'appended', create_if_missing: true }))],
  [
    tool('vault_patch', (path) => ({ path, ...PATCH })),
    tool('vault_patch', (path) => ({ path, ...PATCH, target_type: 'body', target: undefined })),
  ],
  [tool('vault_replace_text', (path) => ({ path, find: 'alpha', replace: 'beta' }))],
  [tool('vault_set_body', (path) => ({ path, content: 'x' }))],
  [tool('vault_set_frontmatter', (path) => ({ path, key: 'type', value: 'x', create_if_missing: true }))],
  [tool('vault_write', (path) => ({ path, content: 'x', overwrite: true }))],
  [tool('vault_create_folder', (path) => ({ path }))],
  [
    tool('vault_move', (destination) => ({ source: 'Notes/b.md', destination })),
    tool('vault_move', (destination) => ({ source: 'Notes/Deep', destination })),
  ],
  [
    tool('vault_move', (source) => ({ source, destination: 'Notes/stolen.md' })),
    tool('vault_move', (source) => ({ source, destination: 'Stolen' })),
  ],
  [tool('vault_delete', (path) => ({ path })), tool('vault_delete', (path) => ({ path, permanent: true }))],
  [
    tool('vault_delete_folder', (path) => ({ path, recursive: true })),
    tool('vault_delete_folder', (path) => ({ path, recursive: true, permanent: true })),
  ],
];

/** What is wrong with an answer; null when nothing is. */
function fault({ result, error }: WireAnswer): string | null {
  const leak = traps.leak(JSON.stringify({ result, error }));
  if (leak !== null) return `tells ${leak}`;
  if (error !== undefined) return isRefusal(error.message) ? null : 'is a refusal without a code';
  if (result?.isError !== true) return result === undefined ? 'is nothing' : null;
  const [content] = result.content as { text?: string }[];
  return isRefusal(content?.text ?? '') ? null : 'is a refusal without a code';
}

/** A code of the table, other than the one for our own mistakes, and what to do. */
function isRefusal(text: string): boolean {
  const code = /^(\w+): .{10}/s.exec(text)?.[1];
  return code !== undefined && code !== 'internal_error' && Object.hasOwn(ERROR_STATUS, code);
}

interface Asked {
  readonly faults: unknown[];
  readonly answers: number;
}

/** Asks every verb about every path, or so many about each that the verbs take in turn; some paths at a time. */
async function askAll(
  verbs: readonly (readonly [Form, ...Form[]])[],
  ask: (method: string, params: unknown) => Promise<WireAnswer>,
  each = verbs.length,
): Promise<Asked> {
  const paths = hostilePaths(PATHS, base);
  const faults: unknown[] = [];
  let answers = 0;
  const askAbout = async (path: HostilePath, turn: number) => {
    for (let i = turn * each; i < (turn + 1) * each; i++) {
      const forms = verbs[i % verbs.length] as readonly [Form, ...Form[]];
      const [method, params] = (forms[turn % forms.length] ?? forms[0])(path);
      const answer = await ask(method, params);
      answers++;
      const wrong = fault(answer);
      if (wrong !== null) faults.push({ kind: path.kind, params, wrong, answer: JSON.stringify(answer).slice(0, 300) });
    }
  };
  for (let at = 0; at < paths.length; at += AT_ONCE) {
    await Promise.all(paths.slice(at, at + AT_ONCE).map((path, i) => askAbout(path, at + i)));
    traps.restore();
  }
  return { faults, answers };
}

describe(`${PATHS} hostile paths over MCP`, () => {
  it('read nothing outside the vault, change nothing there, and are refused in plain words', {
    timeout: LONG,
  }, async () => {
    const wire = await mcpWire(served, { agent: 'operator' });
    const { faults, answers } = await askAll([...READS, ...WRITES], wire.request);
    await wire.close();
    expect(faults.slice(0, 10)).toEqual([]);
    expect(traps.damage()).toEqual([]);
    expect(answers).toBe(PATHS * (READS.length + WRITES.length));
  });

  it('change nothing but the folder that a request is confined to', { timeout: LONG }, async () => {
    const before = traps.stateOutside('Notes');
    const wire = await mcpWire(served, { agent: 'operator', scope: parseVaultPath('Notes') });
    const strayed: unknown[] = [];
    const ask = async (method: string, params: unknown) => {
      const answer = await wire.request(method, params);
      const { path } = (answer.result?.structuredContent ?? { path: 'Notes' }) as { path?: string };
      if (!/^Notes(\/|$)/.test(path ?? '')) strayed.push({ params, path });
      return answer;
    };
    const { faults } = await askAll(WRITES, ask, 3);
    await wire.close();
    expect(faults.slice(0, 10)).toEqual([]);
    expect(traps.damage()).toEqual([]);
    expect(strayed.slice(0, 10)).toEqual([]);
    expect(traps.stateOutside('Notes')).toEqual(before);
  });

  it('confine a request to what they mean, or are refused before it is heard', { timeout: LONG }, async () => {
    const connection = rawConnection(served.url, { authorization: `Bearer ${API_KEY}` });
    const faults: unknown[] = [];
    for (const path of hostilePaths(PATHS, base)) {
      const answer = await connection.request('POST', `/mcp/only/${path.target}`, appendingTo(path.text));
      const wrong = confinedFault(answer);
      if (wrong !== null) faults.push({ ...path, wrong, status: answer.status, body: answer.body.slice(0, 300) });
      if (answer.status === 200) traps.restore();
    }
    connection.close();
    expect(faults.slice(0, 10)).toEqual([]);
    expect(traps.damage()).toEqual([]);
  });
});

function appendingTo(path: string) {
  const params = { name: 'vault_append', arguments: { path, content: 'x', create_if_missing: true } };
  return {
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
  };
}

function confinedFault({ status, headers, body }: RawAnswer): string | null {
  if (status === 200) {
    const message = body.split('\n').find((line) => line.startsWith('data: '));
    return fault(JSON.parse(message?.slice('data: '.length) ?? body) as WireAnswer);
  }
  const leak = traps.leak(body + JSON.stringify(headers));
  if (leak !== null) return `tells ${leak}`;
  const { code, error, ...more } = JSON.parse(body) as { code?: keyof typeof ERROR_STATUS; error?: string };
  if (code === undefined || error === undefined || Object.keys(more).length > 0) return 'is no refusal';
  return code !== 'internal_error' && ERROR_STATUS[code] === status ? null : `is ${status} with ${code}`;
}
