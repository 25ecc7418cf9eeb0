import { mkdir, rename, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createTempFolder } from '../../../../test/support/temp-folder.ts';
import { createFileList, type FileList } from './file-list.ts';
import type { VaultPath } from './path.ts';
import { openVault, type Vault } from './vault.ts';

let folder: Awaited<ReturnType<typeof createTempFolder>>;
let vault: Vault;
let list: FileList;
let problems: string[];
/** How far the clock is ahead of the disk's. */
let ahead: number;

beforeEach(async () => {
  folder = await createTempFolder('file-list');
  await write('a.md');
  await write('deep/er/b.png');
  vault = await openVault(folder.path, { docSuffixes: ['.pdf'] });
  problems = [];
  ahead = 0;
  list = createFileList(vault, {
    wants: (path) => !path.endsWith('.tmp'),
    onProblem: ({ path }) => problems.push(path),
    now: () => Date.now() + ahead,
  });
});
afterEach(() => folder.remove());

async function write(path: string): Promise<void> {
  const absolute = join(folder.path, path);
  await mkdir(join(absolute, '..'), { recursive: true });
  await writeFile(absolute, 'x');
}

/** Longer than the disk's clock needs for its next tick: what happens afterwards has another time. */
const nextTick = () => new Promise((resolve) => setTimeout(resolve, 20));

const paths = async () => [...(await list.current()).files].sort();

describe('the list of a vault’s files', () => {
  it('holds every visible file that is wanted, and follows no link', async () => {
    await write('.hidden/c.md');
    await write('junk.tmp');
    await symlink(join(folder.path, 'deep'), join(folder.path, 'link'));
    expect(await paths()).toEqual(['a.md', 'deep/er/b.png']);
    expect(problems).toEqual([]);
  });

  it.each([
    ['at once', 0],
    ['long after', 3_600_000],
  ])('is true after what comes, goes and is renamed %s', async (_, later) => {
    await nextTick();
    ahead = later;
    await paths();
    await write('deep/new.md');
    expect(await paths()).toEqual(['a.md', 'deep/er/b.png', 'deep/new.md']);
    await nextTick();
    await rename(join(folder.path, 'deep/new.md'), join(folder.path, 'deep/er/old.md'));
    expect(await paths()).toEqual(['a.md', 'deep/er/b.png', 'deep/er/old.md']);
    await nextTick();
    await rename(join(folder.path, 'deep'), join(folder.path, 'other'));
    expect(await paths()).toEqual(['a.md', 'other/er/b.png', 'other/er/old.md']);
    await nextTick();
    await rm(join(folder.path, 'other'), { recursive: true });
    expect(await paths()).toEqual(['a.md']);
  });

  it('sees what comes within the tick in which its folder was listed', async () => {
    await utimes(folder.path, 1_000, 1_000);
    await paths();
    await write('same-tick.md');
    await utimes(folder.path, 1_000, 1_000);
    expect(await paths()).toContain('same-tick.md');
  });

  it('is the same list as long as nothing comes or goes, whatever a file holds', async () => {
    const first = await list.current();
    await writeFile(join(folder.path, 'a.md'), 'another text');
    expect(await list.current()).toBe(first);
    ahead = 3_600_000;
    expect(await list.current()).toBe(first);
    await nextTick();
    await write('c.md');
    expect(await list.current()).not.toBe(first);
  });

  it('does not list a folder again that has been still', async () => {
    ahead = 3_600_000;
    await paths();
    const listed: string[] = [];
    const unchanged = createFileList(vault, {
      wants: (path: VaultPath) => {
        listed.push(path);
        return true;
      },
      onProblem: () => undefined,
      now: () => Date.now() + ahead,
    });
    await unchanged.current();
    expect(listed).toEqual(['a.md', 'deep/er/b.png']);
    await unchanged.current();
    expect(listed).toHaveLength(2);
    await nextTick();
    await write('deep/er/c.md');
    await unchanged.current();
    expect(listed.slice(2)).toEqual(['deep/er/b.png', 'deep/er/c.md']);
  });
});
