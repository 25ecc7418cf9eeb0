/**
 * Both surfaces while the disk that holds the vault is full: every write says so, and leaves what was there. Mounting
 * needs root, so without it these are skipped, visibly.
 */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type McpWire, mcpWire } from '../support/mcp-wire.ts';
import { type ServedVault, serveVault } from '../support/served-vault.ts';
import { canMount, mount, unmount } from '../support/small-disk.ts';
import { createTempFolder, type TempFolder } from '../support/temp-folder.ts';
import { fillVault } from '../support/vault-files.ts';
import { contentOf } from '../support/writable-vault.ts';

const mayMount = await canMount();

const OLD = `# A\n\n## Part\n\nalpha ^block\n\n${'o'.repeat(100_000)}\n`;
const LARGE = 'n'.repeat(200_000);

describe.skipIf(!mayMount)('a vault on a full disk', () => {
  let folder: TempFolder;
  let root: string;
  let served: ServedVault;
  let wire: McpWire;
  beforeEach(async () => {
    folder = await createTempFolder('full');
    root = join(folder.path, 'vault');
    mkdirSync(root);
    mount(root);
    fillVault(root, { 'a.md': OLD, 'links.md': `[[a]]\n\n${'l'.repeat(100_000)}\n` });
    served = await serveVault({}, { 'vault.path': root });
    wire = await mcpWire(served, { agent: 'operator' });
    expect(() => writeFileSync(join(root, 'filler'), Buffer.alloc(1_000_000))).toThrow(/ENOSPC/);
  });
  afterEach(async () => {
    await wire.close();
    await served.close();
    unmount(root);
    await folder.remove();
  });

  const send = (method: string, path: string, type: string, body: string) =>
    served.get(path, { method, headers: { 'content-type': type }, body });
  const json = (method: string, path: string, body: unknown) =>
    send(method, path, 'application/json', JSON.stringify(body));

  it('answers 507 to every write that needs room over REST, and is as it was', async () => {
    const before = await contentOf(root);
    for (const call of [
      () => send('PUT', '/vault/a.md', 'text/markdown', LARGE),
      () => send('PUT', '/vault/New/Deep/b.md', 'text/markdown', LARGE),
      () => send('PUT', '/vault/New/Files/b.pdf', 'application/pdf', LARGE),
      () => send('POST', '/vault/a.md', 'text/markdown', 'more'),
      () => json('PATCH', '/vault/a.md', { target: 'Part', operation: 'append', content: 'x' }),
      () => json('PATCH', '/vault/a.md', { targetType: 'block', target: 'block', operation: 'replace', content: 'x' }),
      () => json('PATCH', '/vault/a.md', { targetType: 'text', content: '{"find": "alpha", "replace": "beta"}' }),
      () =>
        json('PATCH', '/vault/a.md', {
          targetType: 'frontmatter',
          target: 'type',
          operation: 'replace',
          value: 'x',
          createTargetIfMissing: true,
        }),
    ]) {
      const answer = await call();
      expect([answer.status, await answer.json()]).toEqual([
        507,
        { code: 'insufficient_storage', error: expect.stringMatching(/disk that holds the vault is full/) },
      ]);
      expect(await contentOf(root)).toEqual(before);
    }
  });

  it('says the same over MCP', async () => {
    const before = await contentOf(root);
    for (const [name, args] of [
      ['vault_write', { path: 'a.md', content: LARGE, overwrite: true }],
      ['vault_write', { path: 'New/b.md', content: LARGE }],
      ['vault_append', { path: 'a.md', content: 'more' }],
      ['vault_set_body', { path: 'a.md', content: LARGE }],
      ['vault_replace_text', { path: 'a.md', find: 'alpha', replace: 'beta' }],
    ] as const) {
      const { result } = await wire.request('tools/call', { name, arguments: args });
      expect(result).toMatchObject({ isError: true, _meta: { 'vault-mcp/code': 'insufficient_storage' } });
      expect(await contentOf(root)).toEqual(before);
    }
  });

  it('lets a move through, which needs no room, and names each link that could not follow', async () => {
    const answer = await json('POST', '/move', { source: 'a.md', destination: 'b.md' });
    expect(answer.status).toBe(200);
    expect(await answer.json()).toMatchObject({
      links_updated: 0,
      left: [{ path: 'links.md', line: 1, reason: expect.stringMatching(/disk that holds the vault is full/) }],
    });
    const { 'b.md': moved, 'links.md': links, filler: _filler, ...others } = await contentOf(root);
    expect([moved, links?.slice(0, 6), others]).toEqual([OLD, '[[a]]\n', {}]);
  });

  it('takes the same writes again once there is room, with nothing stuck', async () => {
    expect((await send('PUT', '/vault/a.md', 'text/markdown', LARGE)).status).toBe(507);
    rmSync(join(root, 'filler'));
    expect((await send('PUT', '/vault/a.md', 'text/markdown', LARGE)).status).toBe(200);
    expect((await json('POST', '/move', { source: 'a.md', destination: 'New/b.md' })).status).toBe(200);
    const { 'links.md': links = '', ...others } = await contentOf(root);
    expect(others).toEqual({ New: '/', 'New/b.md': LARGE });
    expect(links.slice(0, 10)).toBe('[[b]]\n\nlll');
  });
});
