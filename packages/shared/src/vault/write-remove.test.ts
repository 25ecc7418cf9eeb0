import { chmod, mkdir, readdir, readFile, rename, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { canRunUnprivileged, runUnprivileged } from '../../../../test/support/unprivileged.ts';
import { contentOf, createWritableVault, type WritableVault } from '../../../../test/support/writable-vault.ts';
import { sha256Hex } from './note/text.ts';
import { parseVaultPath } from './path.ts';
import { removeTree } from './remove-tree.ts';
import { tempName } from './temp-files.ts';
import { numberedNames } from './trash.ts';
import type { VaultWriter } from './write.ts';
import { removeFolder } from './write-remove.ts';

let on: WritableVault;
let writer: VaultWriter;
beforeEach(async () => {
  on = await createWritableVault();
  writer = on.writer;
});
afterEach(() => on.remove());

const p = parseVaultPath;

/** Deletes as the product does, on a system that will not give up one file. */
function keeping(name: string): typeof removeTree {
  return async (folder, doomed) => {
    const inside = await readdir(join(folder.path, doomed), { recursive: true });
    const file = inside.find((path) => path.endsWith(name)) ?? '';
    const safe = join(folder.path, '.safe');
    await rename(join(folder.path, doomed, file), safe);
    await removeTree(folder, doomed);
    await mkdir(join(folder.path, doomed, file, '..'), { recursive: true });
    await rename(safe, join(folder.path, doomed, file));
    return [{ path: `${doomed}/${file}`, error: Object.assign(new Error('kept'), { code: 'EPERM' }) }];
  };
}
const toTrash = (path: string) => writer.removeFile(p(path), { trash: true });

describe('removeFile', () => {
  it('keeps a note in the trash under its path, and says where', async () => {
    await on.put({ 'House/Deep/a.md': 'a' });
    expect(await toTrash('House/Deep/a.md')).toEqual({
      path: 'House/Deep/a.md',
      kind: 'note',
      etagBefore: sha256Hex(Buffer.from('a')),
      trashed: '.trash/House/Deep/a.md',
      dryRun: false,
    });
    expect(await contentOf(join(on.root, '.trash'))).toEqual({ House: '/', 'House/Deep': '/', 'House/Deep/a.md': 'a' });
    expect(await on.everything()).not.toHaveProperty(['House/Deep/a.md']);
  });

  it('never replaces what was thrown away before', async () => {
    for (const [content, trashed] of [
      ['one', '.trash/a.md'],
      ['two', '.trash/a-2.md'],
      ['three', '.trash/a-3.md'],
    ] as const) {
      await on.put({ 'a.md': content });
      expect(await toTrash('a.md')).toMatchObject({ trashed });
      expect(await on.read(trashed)).toBe(content);
    }
  });

  it('finds a place where a file was thrown away that is named like a folder', async () => {
    await on.put({ plan: 'a file' });
    await toTrash('plan');
    await on.put({ 'plan/a.md': 'a' });
    expect(await toTrash('plan/a.md')).toMatchObject({ trashed: '.trash/plan-2/a.md' });
  });

  it('removes documents and attachments alike, and for good when asked', async () => {
    await on.put({ 'scan.pdf': 'pdf', 'plan.svg': 'svg' });
    expect(await toTrash('scan.pdf')).toMatchObject({ kind: 'document', etagBefore: null, trashed: '.trash/scan.pdf' });
    const forGood = await writer.removeFile(p('plan.svg'), { trash: false });
    expect(forGood).toMatchObject({ kind: 'attachment', trashed: null });
    expect(await on.everything()).toEqual({ '.trash': '/', '.trash/scan.pdf': 'pdf' });
  });

  it('removes the version that was seen and no other, of any kind of file', async () => {
    await on.put({ 'a.md': 'a', 'scan.pdf': 'pdf' });
    for (const path of ['a.md', 'scan.pdf']) {
      const remove = (expectedEtag: string) => writer.removeFile(p(path), { trash: false, expectedEtag });
      await on.refused(() => remove('other'), 'precondition_failed', /its etag is now "/);
      await remove(sha256Hex(await readFile(join(on.root, path))));
      await on.refused(() => remove('other'), 'precondition_failed', /not there/);
    }
  });

  it('removes a note that is not valid UTF-8', async () => {
    await on.put({ 'latin.md': Buffer.from([0x63, 0xe9]) });
    await toTrash('latin.md');
    expect(await on.everything()).toEqual({ '.trash': '/', '.trash/latin.md': 'c\xe9' });
  });

  it('refuses folders, links, the index page, other scopes and what is not there', async () => {
    await on.put({ 'House/a.md': 'a', 'index.md': 'i' });
    await symlink('House/a.md', join(on.root, 'link.md'));
    await on.refused(() => toTrash('House'), 'is_directory');
    await on.refused(() => toTrash('link.md'), 'invalid_path', /symbolic link/);
    await on.refused(() => toTrash('index.md'), 'invalid_path', /protected/);
    await on.refused(() => toTrash('House/A.md'), 'not_found', /There is "House\/a.md"/);
    const options = { trash: true, scope: p('Garden') };
    await on.refused(() => writer.removeFile(p('House/a.md'), options), 'out_of_scope');
  });

  it('follows no link that stands in for the trash', async () => {
    await on.put({ 'a.md': 'a' });
    await mkdir(join(on.outside, 'elsewhere'));
    await symlink(join(on.outside, 'elsewhere'), join(on.root, '.trash'));
    await on.refused(() => toTrash('a.md'), 'invalid_path', /no plain folder/);
    expect(await contentOf(join(on.outside, 'elsewhere'))).toEqual({});
  });
});

describe('removeFolder', () => {
  const remove = (path: string, options: { recursive?: boolean; trash?: boolean } = {}) =>
    writer.removeFolder(p(path), { recursive: true, trash: true, ...options });

  it('removes an empty folder, and a full one only when told to', async () => {
    await on.put({ 'House/Deep/a.md': 'a' });
    await mkdir(join(on.root, 'Empty'));
    expect(await remove('Empty', { recursive: false })).toMatchObject({ files: [], trashed: '.trash/Empty' });
    await on.refused(() => remove('House', { recursive: false }), 'not_empty', /recursive/);
  });

  it.each([true, false])('names everything that went with it (trash: %j)', async (trash) => {
    await on.put({ 'House/b.md': 'b', 'House/Deep/scan.pdf': 'pdf', 'House/Deep/plan.svg': 'svg', 'other.md': 'o' });
    expect(await remove('House', { trash })).toEqual({
      path: 'House',
      files: [
        { path: 'House/Deep/plan.svg', kind: 'attachment' },
        { path: 'House/Deep/scan.pdf', kind: 'document' },
        { path: 'House/b.md', kind: 'note' },
      ],
      folders: ['House/Deep'],
      trashed: trash ? '.trash/House' : null,
      left: [],
      dryRun: false,
    });
    const left = Object.keys(await on.everything()).filter((path) => !path.startsWith('.trash'));
    expect(left).toEqual(['other.md']);
    if (trash) expect(await on.read('.trash/House/b.md')).toBe('b');
  });

  it('gives a second folder of that name a number in the trash', async () => {
    for (const trashed of ['.trash/House', '.trash/House-2', '.trash/House-3']) {
      await on.put({ 'House/a.md': trashed });
      expect(await remove('House')).toMatchObject({ trashed });
      expect(await on.read(`${trashed}/a.md`)).toBe(trashed);
    }
  });

  it.each([true, false])(
    'refuses the whole of it for one protected thing inside, naming it (trash: %j)',
    async (trash) => {
      await on.put({ 'House/a.md': 'a', 'House/Deep/.hidden': 'h', 'Linked/Deep/a.md': 'a' });
      await symlink(on.outside, join(on.root, 'Linked/Deep/link'));
      await on.refused(() => remove('House', { trash }), 'invalid_path', /"House\/Deep\/.hidden" in it is protected/);
      await on.refused(() => remove('Linked', { trash }), 'invalid_path', /"Linked\/Deep\/link"/);
      await on.put({ [`Odd/${'a\\b'}.md`]: 'a name nobody could ask for' });
      await on.refused(() => remove('Odd', { trash }), 'invalid_path', /protected/);
    },
  );

  it('takes along what a dead process left half written, never what a living one writes', async () => {
    const dead = tempName('00000000-0000-4000-8000-000000000000');
    await on.put({ [`House/${dead}`]: 'half' });
    await on.put({ [`Busy/${tempName(on.locks.owner)}`]: 'being written' });
    await remove('House', { trash: false, recursive: false });
    expect(Object.keys(await on.everything())).not.toContain('House');
    await on.refused(() => remove('Busy', { trash: false }), 'locked', /being written in it/);
  });

  it('refuses files, links, the root and other scopes', async () => {
    await on.put({ 'House/a.md': 'a' });
    await symlink('House', join(on.root, 'link'));
    await on.refused(() => remove('House/a.md'), 'not_a_directory');
    await on.refused(() => remove('link'), 'invalid_path', /symbolic link/);
    await on.refused(() => remove(''), 'invalid_path', /vault itself/);
    await on.refused(() => remove('none'), 'not_found');
    const options = { trash: true, recursive: true, scope: p('House/a.md') };
    await on.refused(() => writer.removeFolder(p('House'), options), 'out_of_scope');
  });

  it('for good puts back what the system would not delete, and tells what went and what is left', async () => {
    const files = { 'House/a.md': 'a', 'House/Deep/b.md': 'b', 'House/Deep/scan.pdf': 's', 'House/Gone/c.md': 'c' };
    await on.put(files);
    const result = await removeFolder(
      { vault: on.vault, locks: on.locks, removeTree: keeping('scan.pdf') },
      p('House'),
      { trash: false, recursive: true },
    );
    expect(result.files.map(({ path }) => path)).toEqual(['House/Deep/b.md', 'House/Gone/c.md', 'House/a.md']);
    expect(result.folders).toEqual(['House/Gone']);
    expect(result.left).toEqual([{ path: 'House/Deep/scan.pdf', reason: expect.stringMatching(/no permission/) }]);
    expect(await on.everything()).toEqual({ House: '/', 'House/Deep': '/', 'House/Deep/scan.pdf': 's' });
  });

  it('for good puts it beside what took its place meanwhile', async () => {
    await on.put({ 'House/scan.pdf': 's' });
    const remove = keeping('scan.pdf');
    const context = {
      vault: on.vault,
      locks: on.locks,
      removeTree: async (...call: Parameters<typeof removeTree>) => {
        await on.put({ 'House/new.md': 'new' });
        return remove(...call);
      },
    };
    const { left } = await removeFolder(context, p('House'), { trash: false, recursive: true });
    expect(left).toMatchObject([{ path: 'House-2/scan.pdf' }]);
    expect(await on.everything()).toEqual({
      ...{ House: '/', 'House/new.md': 'new' },
      ...{ 'House-2': '/', 'House-2/scan.pdf': 's' },
    });
  });

  it.runIf(canRunUnprivileged)('for good is refused whole when a folder in it is closed', async () => {
    await on.put({ 'House/a.md': 'a', 'House/Deep/b.md': 'b', 'House/Empty/c.md': 'c' });
    await rm(join(on.root, 'House/Empty/c.md'));
    for (const closed of ['Deep', 'Empty']) await chmod(join(on.root, 'House', closed), 0o555);
    const before = await on.everything();
    const refusal = runUnprivileged(
      `
      const [, root, dataPath] = process.argv;
      const { openVault } = await import('@vault-mcp/shared/vault/vault');
      const { openPathLocks } = await import('@vault-mcp/shared/vault/lock');
      const { createVaultWriter } = await import('@vault-mcp/shared/vault/write');
      const locks = await openPathLocks(dataPath);
      const writer = createVaultWriter(await openVault(root, { docSuffixes: [] }), { locks, noteMaxBytes: 0 });
      const options = { trash: false, recursive: true };
      const refusal = await writer.removeFolder('House', options).then(() => null, ({ code, message }) => code + ': ' + message);
      locks.close();
      console.log(JSON.stringify(refusal));`,
      [on.root, on.dataPath],
    );
    expect(refusal).toMatch(/^out_of_scope: .*"House\/Deep"/);
    expect(await on.everything()).toEqual(before);
  });

  it('waits for the call that is writing in it', async () => {
    await on.put({ 'House/a.md': 'a' });
    let removal: Promise<unknown> | undefined;
    await writer.edit(p('House/b.md'), async () => {
      removal = remove('House');
      await new Promise((resolve) => setTimeout(resolve, 30));
      return 'b';
    });
    expect(await removal).toMatchObject({ files: [{ path: 'House/a.md' }, { path: 'House/b.md' }] });
  });
});

it('numbers names before their suffix and within what a name may have', () => {
  const second = (name: string) => {
    const names = numberedNames(name);
    names.next();
    return String(names.next().value);
  };
  expect(second('Note.md')).toBe('Note-2.md');
  expect(second('Folder')).toBe('Folder-2');
  expect(second('.hidden')).toBe('.hidden-2');
  const long = second(`${'é'.repeat(126)}.md`);
  expect(Buffer.byteLength(long)).toBeLessThanOrEqual(255);
  expect(long).toMatch(/^é+-2\.md$/);
});
