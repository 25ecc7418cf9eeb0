/**
 * A write that waits for the index is found by its words the moment it is answered, over each surface and whatever the
 * write; and one that cannot be told to the index says so, and is found by itself later.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Answered, type Asked, connectTo } from '../support/parity/ask.ts';
import { move, patch, patchJson, post, put, remove, removeFolder, search, tool } from '../support/parity/calls.ts';
import type { RestCall, ToolCall } from '../support/parity/row.ts';
import { API_KEY, type ServedVault, serveVault } from '../support/served-vault.ts';
import { KEY, twoPrograms } from '../support/two-programs.ts';

/** Words come from the calls alone. */
const NOTE = '---\ntitle: Note\n---\n# Note\n\n## Part\n\nOld words.\n';
const WAIT = { wait: 'indexed' };
const PATIENTLY = { ...WAIT, timeout: 60 };
const QUERY = { query: PATIENTLY };

async function searched(server: Asked, query: { q: string; tag?: string }): Promise<{ path: string; text: string }[]> {
  const { answer } = await server.ask(search({ ...query, k: 20 }));
  return (answer?.results ?? []) as { path: string; text: string }[];
}

async function found(server: Asked, words: string): Promise<string[]> {
  const results = await searched(server, { q: words });
  return results.filter(({ text }) => text.includes(words)).map(({ path }) => path);
}

const indexedState = ({ code, answer }: Answered) => [code, answer?.indexed];

describe('a write that waits for the index', () => {
  let served: ServedVault;
  let server: Asked;
  beforeAll(async () => {
    const names = ['append', 'patch', 'text', 'key', 'body'].flatMap((name) => [`${name}-rest.md`, `${name}-mcp.md`]);
    served = await serveVault(
      { ...Object.fromEntries(names.map((name) => [name, NOTE])), 'Archive/Old.md': NOTE },
      { 'index.exclude_dirs': ['Archive'] },
    );
    server = await connectTo({ url: served.url, headers: { authorization: `Bearer ${API_KEY}` } });
  });
  afterAll(async () => {
    await server?.close();
    await served?.close();
  });

  const PATCH = { Operation: 'append', Target: 'Part' };
  const WRITES: readonly [string, RestCall | ToolCall][] = [
    ['PUT', put('put-rest.md', 'gooseberry\n', QUERY)],
    ['vault_write', tool('write', { path: 'put-mcp.md', content: 'gooseberry\n', ...WAIT })],
    ['POST', post('append-rest.md', 'elderflower', QUERY)],
    ['vault_append', tool('append', { path: 'append-mcp.md', content: 'elderflower', ...WAIT })],
    ['PATCH by headers', patch('patch-rest.md', PATCH, 'marmalade', PATIENTLY)],
    [
      'vault_patch',
      tool('patch', { path: 'patch-mcp.md', operation: 'append', target: 'Part', content: 'marmalade', ...WAIT }),
    ],
    [
      'PATCH of a text',
      patchJson('text-rest.md', { targetType: 'text', value: { find: 'Old words', replace: 'rhubarb' } }, QUERY),
    ],
    [
      'vault_replace_text',
      tool('replace_text', { path: 'text-mcp.md', find: 'Old words', replace: 'rhubarb', ...WAIT }),
    ],
    ['PATCH of the body', patch('body-rest.md', { 'Target-Type': 'body' }, 'quince', WAIT)],
    ['vault_set_body', tool('set_body', { path: 'body-mcp.md', content: 'quince', ...WAIT })],
  ];
  const WORDS: Readonly<Record<string, string>> = {
    put: 'gooseberry',
    append: 'elderflower',
    patch: 'marmalade',
    text: 'rhubarb',
    body: 'quince',
  };

  it.each(WRITES)('is found by its words once it is answered: %s', async (_name, call) => {
    const answered = await server.ask(call);
    expect(indexedState(answered)).toEqual(['ok', 'indexed']);
    const path = String(answered.answer?.path);
    expect(await found(server, WORDS[path.split('-')[0] ?? ''] ?? '')).toContain(path);
  });

  it('of metadata is found by what that says', async () => {
    const byTag = async () => {
      const results = await searched(server, { q: 'words', tag: 'ripe' });
      return results.map(({ path }) => path).toSorted();
    };
    expect(await byTag()).toEqual([]);
    const key = { targetType: 'frontmatter', target: 'tags', operation: 'replace', value: ['ripe'] };
    expect(indexedState(await server.ask(patchJson('key-rest.md', key, QUERY)))).toEqual(['ok', 'indexed']);
    expect(await byTag()).toEqual(['key-rest.md']);
    const asTool = tool('set_frontmatter', { path: 'key-mcp.md', key: 'tags', value: ['ripe'], ...WAIT });
    expect(indexedState(await server.ask(asTool))).toEqual(['ok', 'indexed']);
    expect(await byTag()).toEqual(['key-mcp.md', 'key-rest.md']);
  });

  it.each<[string, (path: string) => RestCall | ToolCall, (from: string, to: string) => RestCall | ToolCall]>([
    ['REST', (path) => remove(path, QUERY), (source, destination) => move({ source, destination }, QUERY)],
    [
      'MCP',
      (path) => tool('delete', { path, ...WAIT }),
      (source, destination) => tool('move', { source, destination, ...WAIT }),
    ],
  ])(
    'is found under its new name only once it is moved, and not at all once it is deleted, over %s',
    async (surface, deletion, moving) => {
      const words = `mulberry${surface.toLowerCase()}`;
      await server.ask(put(`Here/${words}.md`, `${words}\n`, QUERY));
      expect(await found(server, words)).toEqual([`Here/${words}.md`]);
      expect(indexedState(await server.ask(moving('Here', 'There')))).toEqual(['ok', 'indexed']);
      expect(await found(server, words)).toEqual([`There/${words}.md`]);
      expect(indexedState(await server.ask(deletion(`There/${words}.md`)))).toEqual(['ok', 'indexed']);
      expect(await found(server, words)).toEqual([]);
      await server.ask(removeFolder('There', { permanent: true }));
    },
  );

  it('is answered at once where nothing is indexed', async () => {
    const answers = [
      await server.ask(put('Archive/New.md', 'medlar\n', QUERY)),
      await server.ask(tool('append', { path: 'Archive/Old.md', content: 'medlar', ...WAIT })),
      await server.ask(remove('Archive/New.md', QUERY)),
    ];
    expect(answers.map(indexedState)).toEqual(answers.map(() => ['ok', 'excluded']));
    expect(await found(server, 'medlar')).toEqual([]);
  });
});

describe('a write while the queue is away', () => {
  it('is done and says that the index will see by itself, which it does once the queue is back', async () => {
    const both = await twoPrograms({ 'Home.md': '# Home\n\nThe chimney was swept.\n' });
    try {
      both.startApi();
      // The next scan of the whole vault is out of reach.
      both.startIndexer({ INDEX_RECONCILE_SECONDS: '3600' });
      await both.until(async () => (await both.get('/readyz')).status === 200, 'readiness');
      const server = await connectTo({ url: both.url, headers: { authorization: `Bearer ${KEY}` } });
      await both.redis.kill();
      const answers = [
        await server.ask(put('Away.md', 'Written without a queue: loganberry.\n', QUERY)),
        await server.ask(tool('append', { path: 'Home.md', content: 'Swept again: boysenberry.', ...WAIT })),
        await server.ask(post('Log.md', 'Not even waited for: tayberry.\n')),
      ];
      expect(answers.map(indexedState)).toEqual(answers.map(() => ['ok', 'deferred']));
      // Long enough for the indexer to have heard of the files and failed to say so.
      await pause(500);
      await both.redis.restart();
      for (const [words, path] of [
        ['loganberry', 'Away.md'],
        ['boysenberry', 'Home.md'],
        ['tayberry', 'Log.md'],
      ] as const) {
        await both.until(async () => (await found(server, words)).includes(path), words);
      }
      await server.close();
    } finally {
      await both.close();
    }
  }, 120_000);
});
