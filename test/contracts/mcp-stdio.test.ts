// The same tools and resources over standard input and output, from the compiled program, as clients start it.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CliHome } from '../support/cli.ts';
import { type McpClient, stdioClient, textOf } from '../support/mcp-clients.ts';

const NOTE = '---\ntitle: Heating\n---\n# Heating\n\n## Service\n\nIn March.\n';

const home = new CliHome();
let client: McpClient;
beforeAll(async () => {
  home.write('House/Heating.md', NOTE);
  client = await connected();
});
afterAll(async () => {
  await client.close();
  await home.close();
});

function connected(env: Record<string, string> = {}): Promise<McpClient> {
  return stdioClient({
    command: process.execPath,
    args: [join(import.meta.dirname, '../../apps/cli/dist/main.js'), 'mcp', '--lexical', ...home.here],
    cwd: home.root,
    env: { PATH: process.env.PATH ?? '', HOME: home.root, VAULT_MCP_CONFIG: '', ...env },
    stderr: 'pipe',
  });
}

const onDisk = (path: string) => readFileSync(join(home.vault, path), 'utf8');

describe('over standard input and output', () => {
  it('a note is mapped, patched by a target of the map, and found by search once that was waited for', async () => {
    expect((await client.listTools()).tools).toHaveLength(18);
    const map = await client.call('vault_map', { path: 'House/Heating.md' });
    const { headings, etag } = map.structuredContent as { headings: { text: string; target: string }[]; etag: string };
    const target = headings.find(({ text }) => text === 'Service')?.target;
    const patch = await client.call('vault_patch', {
      ...{ path: 'House/Heating.md', target, operation: 'append', content: 'The xylophone valve leaks.' },
      ...{ expected_etag: etag, wait: 'indexed' },
    });
    expect(textOf(patch)).toMatch(/^Changed .*\n(.*\n)*Search finds it by words now\./);
    expect(onDisk('House/Heating.md')).toMatch(
      /^---\ntitle: Heating\ntimestamp: .*Z\n---\n# Heating\n\n## Service\n\nIn March\.\n\nThe xylophone valve leaks\.\n$/,
    );
    const found = await client.call('vault_search', { query: 'xylophone' });
    expect(textOf(found)).toContain('House/Heating.md');
  });

  it('what is refused changes nothing, and the connection goes on', async () => {
    const before = onDisk('House/Heating.md');
    const refused = await client.call('vault_write', { path: 'House/Heating.md', content: 'x' });
    expect(textOf(refused)).toMatch(/^already_exists: /);
    expect(onDisk('House/Heating.md')).toBe(before);
    const moved = await client.call('vault_move', { source: 'House/Heating.md', destination: 'House/Warmth.md' });
    expect(moved.structuredContent).toMatchObject({ destination: 'House/Warmth.md' });
  });

  it('notes are resources', async () => {
    // The indexer makes the index page some time after its start.
    const listed = (await client.listResources()).resources.filter(({ uri }) => uri !== 'vault://note/index.md');
    expect(listed.map(({ uri }) => uri)).toEqual(['vault://note/House/Warmth.md']);
    expect((await client.readResource('vault://note/House/Warmth.md'))[0]?.text).toContain('xylophone');
    await expect(client.readResource('vault://note/../outside.md')).rejects.toThrow(/invalid_path: /);
  });

  it('a read-only server offers reading alone', async () => {
    const other = await connected({ READ_ONLY: 'true' });
    expect((await other.listTools()).tools.map(({ name }) => name)).not.toContain('vault_write');
    expect(textOf(await other.call('vault_write', { path: 'x.md', content: 'x' }))).toMatch(/^out_of_scope: /);
    await other.close();
  });
});
