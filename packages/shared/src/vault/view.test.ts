import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTempFolder, type TempFolder } from '../../../../test/support/temp-folder.ts';
import { createAccess, EVERYTHING } from './access.ts';
import type { VaultPath } from './path.ts';
import { listFolder } from './read.ts';
import { openVault, type Vault } from './vault.ts';
import { viewOf } from './view.ts';
import { walkFolder } from './walk-folder.ts';

let folder: TempFolder;
let vault: Vault;

beforeAll(async () => {
  folder = await createTempFolder('view');
  for (const path of [
    'Open/a.md',
    'Open/Shut/b.md',
    'Other/c.md',
    'Other/Deep/d.md',
    'Other/file',
    'top.md',
    'index.md',
  ]) {
    mkdirSync(join(folder.path, path, '..'), { recursive: true });
    writeFileSync(join(folder.path, path), path);
  }
  symlinkSync('Shut', join(folder.path, 'Open/link'));
  symlinkSync('c.md', join(folder.path, 'Other/link.md'));
  writeFileSync(join(folder.path, 'Other/a\\b'), 'a name that nobody could ask for');
  vault = await openVault(folder.path, { docSuffixes: ['.pdf'] });
});
afterAll(() => folder.remove());

const ACCESS = createAccess([
  { prefix: 'Open', read: true },
  { prefix: 'Open/Shut', read: false },
]);

const refusal = (seen: Vault, path: string) =>
  seen.locate(path as VaultPath).then(
    () => null,
    ({ code, message }: { code: string; message: string }) => `${code}: ${message.replace(path, 'PATH')}`,
  );

describe('viewOf', () => {
  it('is the whole vault for whoever may read and write everything, also of a view', () => {
    expect(viewOf(vault, EVERYTHING)).toBe(vault);
    expect(viewOf(viewOf(vault, ACCESS), EVERYTHING)).toBe(vault);
  });

  it('knows the vault it is a view of, and what it lets through', () => {
    const view = viewOf(vault, ACCESS);
    expect(view.whole).toBe(vault);
    expect(view.access).toBe(ACCESS);
  });

  it('finds what is readable', async () => {
    const view = viewOf(vault, ACCESS);
    expect(await view.locate('Open/a.md' as VaultPath)).toMatchObject({ path: 'Open/a.md', kind: 'note' });
    expect(await view.locate('' as VaultPath)).toMatchObject({ kind: 'folder' });
  });

  it('says of what may not be read what it says of what is not there', async () => {
    const view = viewOf(vault, ACCESS);
    const missing = await refusal(view, 'Open/none.md');
    for (const path of [
      'Other',
      'Other/c.md',
      'Open/Shut',
      'Open/Shut/b.md',
      'top.md',
      'OTHER/c.md',
      'Open/Shut/none.md',
    ]) {
      expect(await refusal(view, path), path).toBe(missing);
    }
  });

  it('lets nobody tell by a hint, a link, a file on the way or a spelling what stands where it is not to be read', async () => {
    const view = viewOf(vault, ACCESS);
    const missing = await refusal(view, 'Open/none.md');
    for (const path of [
      'other/c.md',
      'Other/c',
      'Other/link.md',
      'Other/file/below.md',
      'top',
      'TOP.md',
      'Open/shut/B.md',
    ]) {
      expect(await refusal(view, path), path).toBe(missing);
    }
  });

  it('still hints at what may be read', async () => {
    const view = viewOf(vault, ACCESS);
    expect(await refusal(view, 'Open/A.md')).toContain('There is "Open/a.md"');
    expect(await refusal(view, 'Open/a')).toContain('write the suffix too');
    expect(await refusal(view, 'open')).toContain('There is "Open"');
  });

  it('hints at no file where only a folder of that name would be on the way to something', async () => {
    // On the way to `Other/file/x`, which may be read; but on the disk `Other/file` is a file.
    const view = viewOf(vault, createAccess([{ prefix: 'Other/file/x', read: true }]));
    for (const path of ['Other/file', 'Other/FILE', 'Other/file/x', 'Other/file/x/y.md', 'OTHER/FILE/x']) {
      const said = await refusal(view, path);
      expect(said, path).toMatch(/^not_found: There is nothing at/);
      expect(said, path).not.toContain('"Other/file"');
    }
  });

  it('goes into a folder on the way to something, and shows that alone', async () => {
    const view = viewOf(vault, createAccess([{ prefix: 'Other/Deep', read: true }]));
    const paths: string[] = [];
    const problems: string[] = [];
    const options = { enter: () => true, onProblem: ({ path }: { path: string }) => problems.push(path) };
    for await (const { path } of walkFolder(view, '' as VaultPath, options)) paths.push(path);
    expect(paths).toEqual(['Other', 'Other/Deep', 'Other/Deep/d.md']);
    expect(problems).toEqual([]);
    expect((await view.locate('Other' as VaultPath)).kind).toBe('folder');
  });

  it('lists what may be read in a folder, and names that nobody could ask for only where all of it may be', async () => {
    const names = async (seen: Vault, path: string) =>
      (await listFolder(seen, path as VaultPath, { recursive: true })).map((entry) => entry.path);
    expect(await names(viewOf(vault, ACCESS), '')).toEqual(['Open', 'Open/a.md']);
    expect(await names(viewOf(vault, createAccess([])), '')).toEqual([]);
    const problems: string[] = [];
    const options = { enter: () => true, onProblem: ({ path }: { path: string }) => problems.push(path) };
    const readable = viewOf(vault, createAccess([{ prefix: 'Other', read: true }]));
    for await (const _ of walkFolder(readable, 'Other' as VaultPath, options));
    expect(problems).toHaveLength(1);
  });

  it('has the index page only for who reads the whole vault', async () => {
    const partly = createAccess([
      { prefix: '', read: true },
      { prefix: 'Other', read: false },
    ]);
    expect(await refusal(viewOf(vault, partly), 'index.md')).toMatch(/^not_found/);
    expect(await refusal(viewOf(vault, createAccess([{ prefix: '', read: true }])), 'index.md')).toBeNull();
  });
});
