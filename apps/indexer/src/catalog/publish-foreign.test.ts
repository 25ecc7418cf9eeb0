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

const caseSensitive = await diskTellsCasesApart();

describe.skipIf(!caseSensitive)('two spellings of the page on a disk that tells them apart', () => {
  const marked = (text: string) => `---\ngenerated_by: vault-mcp\n---\n\n# Index\n\n${text}\n`;

  it.each([
    ['index.md', 'INDEX.md'],
    ['INDEX.md', 'index.md'],
    ['Index.md', 'INDEX.md'],
  ])('%s of a person’s own leaves a generated %s as it is, with what to do', async (own, generated) => {
    const files = { [own]: '# Mine\n', [generated]: marked('- [Old](Old.md)') };
    await on.put(files);
    for (const look of [on.publish, on.publish]) {
      const state = await look();
      expect(state).toMatchObject({ ok: true, state: 'foreign', spare: [generated] });
      expect(state?.detail).toContain(`"${own}" is not marked as generated`);
      expect(state?.detail).toContain(`"${generated}" was generated and is kept no more`);
    }
    expect(await on.everything()).toEqual(files);
    await unlink(join(on.root, own));
    expect(await on.publish()).toEqual(published(1));
    expect(Object.keys(await on.everything())).toEqual([generated]);
    expect(await on.read(generated)).toContain('[Home](Home.md)');
  });

  it('are one list and a pointer to it when both are generated, and nothing is deleted', async () => {
    await on.put({ 'INDEX.md': marked('- [Old](Old.md)'), 'index.md': marked('- [Older](Older.md)') });
    for (const look of [on.publish, on.publish]) {
      expect(await look()).toEqual({
        ...published(1),
        spare: ['INDEX.md'],
        detail: expect.stringMatching(/^"INDEX\.md" was generated .* delete it\.$/),
      });
    }
    expect(await on.page()).toContain('[Home](Home.md)');
    const pointer = await on.read('INDEX.md');
    expect(pointer).toMatch(/^---\ngenerated_by: vault-mcp\n[\s\S]*\(index\.md\), which lists the notes\.\n$/);
    on.hold('Home.md', 'New.md');
    on.now += 60_000;
    expect(await on.publish()).toMatchObject({ state: 'published', entries: 2 });
    expect(await on.page()).toContain('New.md');
    expect(await on.read('INDEX.md')).toBe(pointer);
    await unlink(join(on.root, 'index.md'));
    expect(await on.publish()).toEqual(published(2));
    expect(Object.keys(await on.everything())).toEqual(['INDEX.md']);
    expect(await on.read('INDEX.md')).toContain('[New](New.md)');
  });

  it('are noticed when the second comes, and the pointer is not fought over', async () => {
    await on.publish();
    await on.publish();
    await on.put({ 'INDEX.md': marked('- [Old](Old.md)') });
    expect(await on.publish()).toMatchObject({ state: 'published', spare: ['INDEX.md'] });
    for (const state of ['published', 'published', 'published', 'failed', 'failed']) {
      await on.put({ 'INDEX.md': marked('- [Theirs](Theirs.md)') });
      expect(await on.publish()).toMatchObject({ state });
    }
    await unlink(join(on.root, 'INDEX.md'));
    expect(await on.publish()).toEqual(published(1));
  });

  it('are a person’s when one of them is a link', async () => {
    await on.publish();
    const before = await on.everything();
    await symlink(join(on.root, 'index.md'), join(on.root, 'INDEX.md'));
    on.hold('Home.md', 'New.md');
    expect(await on.publish()).toMatchObject({ state: 'foreign', detail: expect.stringContaining('"INDEX.md" is a') });
    expect(await on.page()).toBe(before['index.md']);
  });

  it('are both listed by nobody', async () => {
    on.hold('Home.md', 'index.md', 'INDEX.md');
    expect(await on.publish()).toEqual(published(1));
    expect(await on.page()).not.toMatch(/INDEX/);
  });
});

async function diskTellsCasesApart(): Promise<boolean> {
  const probe = await createPublishingVault();
  try {
    return probe.vault.caseSensitive;
  } finally {
    await probe.remove();
  }
}
