/** What stands where the index page would be, and is not ours. */
import { mkdir, readFile, rm, symlink, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createPublishingVault, type PublishingVault, published } from '../../../../test/support/publishing-vault.ts';

let on: PublishingVault;
beforeEach(async () => {
  on = await createPublishingVault();
});
afterEach(() => on.remove());

describe('a page of a person’s own', () => {
  const foreign = (detail: RegExp) => ({
    ok: true,
    state: 'foreign',
    entries: 0,
    error: null,
    detail: expect.stringMatching(detail),
  });

  it.each([
    ['without frontmatter', '# My map\n'],
    ['of another generator', '---\ngenerated_by: somebody\n---\n'],
    ['with the mark in its text', '# My map\n\n---\ngenerated_by: vault-mcp\n---\n'],
    ['whose frontmatter cannot be read', '---\ngenerated_by: vault-mcp\nx: [\n---\n'],
  ])('%s is left as it is, with what to do to hand it over', async (_what, text) => {
    await on.put({ 'index.md': text });
    expect(await on.publish()).toEqual(foreign(/^"index\.md" is not marked .*generated_by: vault-mcp/));
    expect(await on.page()).toBe(text);
  });

  it('is one in any case', async () => {
    await on.put({ 'Index.MD': '# Mine\n' });
    expect(await on.publish()).toEqual(foreign(/^"Index\.MD"/));
    expect(await on.everything()).toEqual({ 'Index.MD': '# Mine\n' });
  });

  it('is handed over by the mark, or by its removal', async () => {
    await on.put({ 'index.md': '# Mine\n' });
    await on.publish();
    await on.put({ 'index.md': '---\ngenerated_by: vault-mcp\n---\n# Mine\n' });
    expect(await on.publish()).toEqual(published(1));
    expect(await on.page()).not.toContain('Mine');
    await on.put({ 'index.md': '# Mine again\n' });
    expect(await on.publish()).toEqual(foreign(/index/));
    await unlink(join(on.root, 'index.md'));
    expect(await on.publish()).toEqual(published(1));
  });

  it.each(['index.md', 'INDEX.md'])('may be a link, which is neither followed nor replaced: %s', async (name) => {
    await writeFile(join(on.outside, 'elsewhere.md'), '---\ngenerated_by: vault-mcp\n---\n');
    await symlink(join(on.outside, 'elsewhere.md'), join(on.root, name));
    const before = await on.everything();
    expect(await on.publish()).toEqual(foreign(/link/));
    expect(await on.everything()).toEqual(before);
    expect(await readFile(join(on.outside, 'elsewhere.md'), 'utf8')).toBe('---\ngenerated_by: vault-mcp\n---\n');
  });

  it('may be a folder', async () => {
    await mkdir(join(on.root, 'index.md'));
    expect(await on.publish()).toEqual(foreign(/is a folder/));
    await rm(join(on.root, 'index.md'), { recursive: true });
    expect(await on.publish()).toEqual(published(1));
  });
});
