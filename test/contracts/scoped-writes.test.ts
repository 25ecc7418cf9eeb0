// Writing by an agent whose rights end somewhere: over REST and MCP alike it is refused beyond them, in words that hang on
// the path alone, and no byte changes; within them it may do what its right says.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type McpClient, modernClient, textOf } from '../support/mcp-clients.ts';
import { type ServedVault, serveVault } from '../support/served-vault.ts';
import { contentOf } from '../support/writable-vault.ts';

const POLICY = {
  scribe: [
    { prefix: 'Mine', read: true, write: true },
    { prefix: 'Log', read: true, write: 'append' },
    { prefix: 'Seen', read: true },
  ],
};
const FILES = {
  'Mine/a.md': '# A\n\nText.\n',
  'Log/l.md': '---\ntimestamp: 2026-01-01T00:00:00Z\n---\n# Log\n\nFirst.\n',
  'Seen/b.md': '# B\n\nText.\n',
  'Other/b.md': '# B\n\nText.\n',
};
const AS_AGENT = { 'x-vault-agent': 'scribe' };

let served: ServedVault;
let mcp: McpClient;
beforeAll(async () => {
  served = await serveVault(FILES, { 'agents.policy': POLICY }, { indexed: false });
  mcp = await modernClient({ url: new URL(`${served.url}/mcp`), headers: AS_AGENT });
});
afterAll(async () => {
  await mcp.close();
  await served.close();
});

type Write = readonly [string, (path: string) => Promise<{ readonly code: unknown; readonly text: string }>];

const rest =
  (method: string, route: (path: string) => string, body?: unknown, headers: Record<string, string> = {}) =>
  async (path: string) => {
    const isText = typeof body === 'string';
    const answer = await served.get(route(path), {
      method,
      headers: { 'content-type': isText ? 'text/markdown' : 'application/json', ...headers, ...AS_AGENT },
      body: body === undefined ? null : isText ? body : JSON.stringify(typeof body === 'function' ? body(path) : body),
    });
    const text = await answer.text();
    return { code: answer.ok ? 'ok' : (JSON.parse(text) as { code: string }).code, text };
  };
const tool = (name: string, args: (path: string) => Record<string, unknown>) => async (path: string) => {
  const answer = await mcp.call(name, args(path));
  return { code: answer.isError ? answer._meta?.['vault-mcp/code'] : 'ok', text: textOf(answer) };
};

const vault = (path: string) => `/vault/${path}`;
const patch = { target_type: 'body', operation: 'replace', content: 'x' };

const WRITES: readonly Write[] = [
  ['PUT', rest('PUT', vault, 'new')],
  ['POST', rest('POST', vault, 'more')],
  ['PATCH', rest('PATCH', vault, 'x', { operation: 'replace', 'target-type': 'heading', target: 'B' })],
  ['DELETE', rest('DELETE', vault)],
  [
    'move from',
    rest(
      'POST',
      () => '/move',
      (path: string) => ({ source: path, destination: 'Mine/z.md' }),
    ),
  ],
  [
    'move to',
    rest(
      'POST',
      () => '/move',
      (path: string) => ({ source: 'Mine/a.md', destination: path }),
    ),
  ],
  ['vault_write', tool('vault_write', (path) => ({ path, content: 'x', overwrite: true }))],
  ['vault_append', tool('vault_append', (path) => ({ path, content: 'x' }))],
  ['vault_patch', tool('vault_patch', (path) => ({ path, ...patch }))],
  ['vault_replace_text', tool('vault_replace_text', (path) => ({ path, find: 'Text', replace: 'x' }))],
  ['vault_set_body', tool('vault_set_body', (path) => ({ path, content: 'x' }))],
  [
    'vault_set_frontmatter',
    tool('vault_set_frontmatter', (path) => ({ path, key: 'a', value: 'b', create_if_missing: true })),
  ],
  ['vault_delete', tool('vault_delete', (path) => ({ path }))],
  ['vault_move', tool('vault_move', (path) => ({ source: path, destination: 'Mine/z.md' }))],
];
const FOLDER_WRITES: readonly Write[] = [
  ['PUT /folder', rest('PUT', (path) => `/folder/${path}`)],
  ['DELETE /folder', rest('DELETE', (path) => `/folder/${path}?recursive=true`)],
  ['vault_create_folder', tool('vault_create_folder', (path) => ({ path }))],
  ['vault_delete_folder', tool('vault_delete_folder', (path) => ({ path, recursive: true }))],
];

async function refusal(write: Write[1], path: string): Promise<string> {
  const before = await contentOf(served.vaultPath);
  const { code, text } = await write(path);
  expect([path, code]).toEqual([path, 'out_of_scope']);
  expect(await contentOf(served.vaultPath)).toEqual(before);
  return text.replaceAll(path, 'PATH').replace(/"request_id":"[^"]*"/, '');
}

describe('beyond its rights an agent', () => {
  it.each(WRITES)('is refused in the same words whether or not something is there: %s', async (_way, write) => {
    const missing = await refusal(write, 'Other/none.md');
    for (const path of ['Other/b.md', 'other/B.md', 'Nowhere/b.md', 'Other/b.md/below.md']) {
      expect(await refusal(write, path)).toBe(missing);
    }
    await refusal(write, 'Seen/b.md');
  });

  it.each(FOLDER_WRITES)('is refused folders likewise: %s', async (_way, write) => {
    expect(await refusal(write, 'Other')).toBe(await refusal(write, 'Nowhere'));
    await refusal(write, 'Seen');
  });
});

describe('with a right to append an agent', () => {
  it.each([...WRITES.filter(([way]) => way !== 'POST' && way !== 'vault_append')])(
    'changes nothing that is there: %s',
    async (_way, write) => {
      await refusal(write, 'Log/l.md');
    },
  );

  it('adds to what is there and makes what is not', async () => {
    for (const [, write] of WRITES.filter(([way]) => way === 'POST' || way === 'vault_append')) {
      expect((await write('Log/l.md')).code).toBe('ok');
    }
    expect((await rest('PUT', vault, 'new')('Log/new.md')).code).toBe('ok');
    const added = tool('vault_patch', (path) => ({
      path,
      target_type: 'heading',
      target: 'Log',
      operation: 'append',
      content: 'Last.',
    }));
    expect((await added('Log/l.md')).code).toBe('ok');
    const text = (await contentOf(served.vaultPath))['Log/l.md'] ?? '';
    expect(text).toMatch(/# Log\n\nFirst\.\n[\s\S]*Last\./);
  });
});

describe('within its rights an agent', () => {
  it('moves, changes and removes', async () => {
    const [way = ''] = ['Mine/made.md'];
    for (const write of [
      rest('PUT', vault, '# New\n\nText.\n'),
      tool('vault_replace_text', (path) => ({ path, find: 'Text', replace: 'Words' })),
      rest('DELETE', vault),
    ]) {
      expect((await write(way)).code).toBe('ok');
    }
  });

  it('meets what is protected and what is no note before its rights', async () => {
    expect((await tool('vault_write', (path) => ({ path, content: 'x' }))('index.md')).code).toBe('invalid_path');
    expect((await tool('vault_write', (path) => ({ path, content: 'x' }))('Other/b.txt')).code).toBe(
      'unsupported_suffix',
    );
  });
});
