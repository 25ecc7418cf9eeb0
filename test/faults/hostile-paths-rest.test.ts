/**
 * 2 000 hostile paths through every verb of the REST surface, over a real socket and spelled as they are. The same over
 * MCP: hostile-paths-mcp.test.ts.
 */
import { dirname } from 'node:path';
import { ERROR_STATUS } from '@vault-mcp/shared/errors';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type HostilePath, hostilePaths } from '../support/hostile-paths.ts';
import { type HostileVault, layTraps } from '../support/hostile-vault.ts';
import { type RawAnswer, type RawConnection, rawConnection } from '../support/raw-http.ts';
import { API_KEY, type ServedVault, serveVault } from '../support/served-vault.ts';

const PATHS = 2000;
/** Paths that are on their way at the same time, each over a connection of its own. */
const AT_ONCE = 8;
/** Half a minute on an idle machine of two cores; what is in the way of a busy one is no fault. */
const LONG = 600_000;

let served: ServedVault;
let traps: HostileVault;
beforeAll(async () => {
  served = await serveVault({});
  traps = layTraps(dirname(served.vaultPath));
});
afterAll(() => served.close());

interface Request {
  readonly method: string;
  readonly target: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

const TEXT = { 'content-type': 'text/markdown' };
const JSON_BODY = { 'content-type': 'application/json' };
const PATCH_HEADERS = { ...TEXT, 'target-type': 'heading', target: 'Part', operation: 'append' };
const PATCH = { targetType: 'heading', target: 'Part', operation: 'append', content: 'x' };

type Form = (path: HostilePath) => Request;

/** Every way in which a path is given to the surface; where a verb has several, the paths take them in turn. */
const VERBS: Readonly<Record<string, readonly [Form, ...Form[]]>> = {
  read: [
    ({ target }) => ({ method: 'GET', target: `/vault/${target}` }),
    ({ target }) => ({ method: 'GET', target: `/vault/${target}`, headers: { accept: 'application/json' } }),
    ({ target }) => ({ method: 'GET', target: `/vault/${target}?section=Part` }),
  ],
  'read bytes': [({ target }) => ({ method: 'GET', target: `/vault/${target}?raw` })],
  map: [({ target }) => ({ method: 'GET', target: `/vault/${target}?map` })],
  list: [
    ({ target }) => ({ method: 'GET', target: `/vault/${target}/` }),
    ({ target }) => ({ method: 'GET', target: `/vault/${target}?recursive` }),
  ],
  search: [
    ({ text }) => ({ method: 'GET', target: `/search?q=canary&prefix=${inQuery(text)}` }),
    ({ text }) => json('POST', '/search', { q: 'canary', prefix: text }),
  ],
  append: [({ target }) => ({ method: 'POST', target: `/vault/${target}`, headers: TEXT, body: 'appended\n' })],
  'patch by headers': [
    ({ target }) => ({ method: 'PATCH', target: `/vault/${target}`, headers: PATCH_HEADERS, body: 'x' }),
  ],
  'patch by JSON': [({ target }) => json('PATCH', `/vault/${target}`, PATCH)],
  write: [({ target }) => ({ method: 'PUT', target: `/vault/${target}`, headers: TEXT, body: '# New\n' })],
  'file a document': [
    ({ target }) => ({ method: 'PUT', target: `/vault/${target}/Files/new.pdf?wait=0`, headers: TEXT, body: 'x' }),
    ({ target }) => ({ method: 'PUT', target: `/vault/Files/${target}.pdf?wait=0&overwrite`, body: 'x' }),
    ({ target }) => ({ method: 'PUT', target: `/vault/${target}.pdf?wait=0`, body: 'x' }),
  ],
  'make a folder': [({ target }) => ({ method: 'PUT', target: `/folder/${target}` })],
  'move there': [
    ({ text }) => json('POST', '/move', { source: 'Notes/b.md', destination: text }),
    ({ text }) => json('POST', '/move', { source: 'Notes/Deep', destination: text }),
  ],
  'move from there': [
    ({ text }) => json('POST', '/move', { source: text, destination: 'Notes/stolen.md' }),
    ({ text }) => json('POST', '/move', { source: text, destination: 'Stolen' }),
  ],
  delete: [
    ({ target }) => ({ method: 'DELETE', target: `/vault/${target}` }),
    ({ target }) => ({ method: 'DELETE', target: `/vault/${target}?permanent` }),
  ],
  'delete a folder': [
    ({ target }) => ({ method: 'DELETE', target: `/folder/${target}?recursive` }),
    ({ target }) => ({ method: 'DELETE', target: `/folder/${target}?recursive&permanent` }),
  ],
};

function json(method: string, target: string, body: unknown): Request {
  return { method, target, headers: JSON_BODY, body: JSON.stringify(body) };
}

/** Half a character cannot be encoded; a query then carries the bytes that it would be. */
function inQuery(text: string): string {
  return text.isWellFormed() ? encodeURIComponent(text) : '%ed%a0%80';
}

/** What is wrong with an answer; null when nothing is. */
function fault({ status, headers, body }: RawAnswer): string | null {
  const leak = traps.leak(body + JSON.stringify(headers));
  if (leak !== null) return `tells ${leak}`;
  if (status === 200) return null;
  const refusal = parsed(body);
  if (refusal === null || Object.keys(refusal).sort().join() !== 'code,error')
    return `is ${status} without code and error`;
  if (refusal.code === 'internal_error') return 'is an internal error';
  if (ERROR_STATUS[refusal.code as keyof typeof ERROR_STATUS] !== status) return `is ${status} with ${refusal.code}`;
  return typeof refusal.error === 'string' && refusal.error.length > 10 ? null : 'says nothing';
}

function parsed(body: string): Record<string, unknown> | null {
  try {
    return JSON.parse(body);
  } catch {
    return null;
  }
}

describe(`${PATHS} hostile paths over REST`, () => {
  it('read nothing outside the vault, change nothing there, and are refused in plain words', {
    timeout: LONG,
  }, async () => {
    const headers = { authorization: `Bearer ${API_KEY}` };
    const connections = Array.from({ length: AT_ONCE }, () => rawConnection(served.url, headers));
    const paths = hostilePaths(PATHS, dirname(served.vaultPath));
    const faults: unknown[] = [];
    let answers = 0;
    const send = async (connection: RawConnection, path: HostilePath | undefined, turn: number) => {
      if (path === undefined) return;
      for (const [verb, forms] of Object.entries(VERBS)) {
        const { method, target, ...rest } = (forms[turn % forms.length] ?? forms[0])(path);
        const answer = await connection.request(method, target, rest);
        answers++;
        const wrong = fault(answer);
        if (wrong !== null) faults.push({ verb, ...path, wrong, body: answer.body.slice(0, 300) });
      }
    };
    for (let at = 0; at < paths.length; at += AT_ONCE) {
      await Promise.all(connections.map((connection, lane) => send(connection, paths[at + lane], at + lane)));
      traps.restore();
    }
    for (const connection of connections) connection.close();
    expect(faults.slice(0, 10)).toEqual([]);
    expect(traps.damage()).toEqual([]);
    expect(answers).toBe(PATHS * Object.keys(VERBS).length);
  });

  it('are refused too when their bytes are none that a request line may hold', async () => {
    const odd = [
      'a b.md',
      '\0',
      'a\0.md',
      '\x01',
      '\t',
      '\x7f',
      '\x80',
      '\xc0\xae\xc0\xae/canary.md',
      '\xff\xfe',
      '\r',
      '\n',
    ];
    const places = odd.flatMap((text) => [
      `/vault/${text}`,
      `/vault/../${text}`,
      `/folder/${text}`,
      `/mcp/only/${text}`,
    ]);
    const faults: unknown[] = [];
    for (const target of [
      ...places,
      '*',
      '',
      'vault/root.md',
      '//vault/root.md',
      '/vault/root.md#x',
      '/vault/../canary.md#',
    ]) {
      for (const method of ['GET', 'PUT', 'DELETE']) {
        const connection = rawConnection(served.url, { authorization: `Bearer ${API_KEY}` });
        const answer = await connection.request(method, target);
        connection.close();
        const wrong = answer.status < 400 ? 'was taken' : fault(answer);
        if (wrong !== null) faults.push({ method, target, wrong, body: answer.body.slice(0, 300) });
      }
    }
    expect(faults).toEqual([]);
    expect(traps.damage()).toEqual([]);
  });
});
