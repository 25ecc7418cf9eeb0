// A frontmatter key "__proto__", which JSON has and objects lose without a word: refused wherever frontmatter is sent as an object.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { JSON_BODY } from '../support/contract-checks.ts';
import { type McpClient, modernClient, textOf } from '../support/mcp-clients.ts';
import { type ServedVault, serveVault } from '../support/served-vault.ts';
import { contentOf } from '../support/writable-vault.ts';

let served: ServedVault;
let client: McpClient;
beforeAll(async () => {
  served = await serveVault({ 'Note.md': '---\nseen: {}\n---\n# Note\n' });
  client = await modernClient({ url: new URL('/mcp', served.url) });
});
afterAll(async () => {
  await client.close();
  await served.close();
});

/** As it comes off the wire; a literal would set the prototype. */
const POISONED: unknown = JSON.parse('{"__proto__": "lost"}');
const NESTED: unknown = JSON.parse('{"deep": [{"__proto__": "lost"}]}');
const CANDIDATE = { title: 'Tea', type: 'fact', namespace: 'Facts', body: 'Tea is at five.' };

const ASKED: readonly [what: string, method: string, path: string, tool: string, body: object, args: object][] = [
  ...[POISONED, NESTED].flatMap((frontmatter, at): typeof ASKED => {
    const proposal = { ...CANDIDATE, frontmatter };
    return [[`a proposal (${at})`, 'POST', '/memory/propose', 'vault_propose', proposal, proposal]];
  }),
  ...[POISONED, NESTED].flatMap((value, at): typeof ASKED => {
    const patch = { targetType: 'frontmatter', target: 'seen', operation: 'replace', value };
    const args = { path: 'Note.md', key: 'seen', value };
    return [[`a key's value (${at})`, 'PATCH', '/vault/Note.md', 'vault_set_frontmatter', patch, args]];
  }),
  [
    'the key itself',
    'PATCH',
    '/vault/Note.md',
    'vault_set_frontmatter',
    { targetType: 'frontmatter', target: '__proto__', operation: 'replace', value: 1, createTargetIfMissing: true },
    { path: 'Note.md', key: '__proto__', value: 1 },
  ],
];

describe.each(ASKED)('__proto__ in %s', (_what, method, path, tool, body, args) => {
  it('is refused over REST and MCP, and nothing is written', async () => {
    const before = await contentOf(served.vaultPath);
    const answer = await served.get(path, { method, body: JSON.stringify(body), headers: JSON_BODY });
    expect([answer.status, await answer.json()]).toMatchObject([
      400,
      { code: 'invalid_value', error: expect.stringContaining('"__proto__"') },
    ]);
    const said = await client.call(tool, args as Record<string, unknown>);
    expect([said.isError, textOf(said)]).toEqual([true, expect.stringMatching(/^invalid_value: .*"__proto__"/)]);
    expect(await contentOf(served.vaultPath)).toEqual(before);
  });
});

it('frontmatter that is no object is refused, and other keys are taken', async () => {
  for (const frontmatter of [[], 'x', 7]) {
    const said = await client.call('vault_propose', { ...CANDIDATE, frontmatter, dry_run: true });
    expect(textOf(said)).toMatch(/^invalid_request: frontmatter must be/);
  }
  const said = await client.call('vault_propose', { ...CANDIDATE, frontmatter: { tags: ['x'] }, dry_run: true });
  expect([said.isError ?? false, said.structuredContent?.status]).toEqual([false, 'dry_run']);
});
