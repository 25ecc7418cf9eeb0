import { chmod, mkdir, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createTempFolder } from '../../../../test/support/temp-folder.ts';
import { canRunUnprivileged, runUnprivileged } from '../../../../test/support/unprivileged.ts';
import { createFileList, type FileList, type FileListOptions } from './file-list.ts';
import type { StatClock } from './settled-stat.ts';
import { openVault, type Vault } from './vault.ts';

let folder: Awaited<ReturnType<typeof createTempFolder>>;
let vault: Vault;
let list: FileList;
let problems: string[];

beforeEach(async () => {
  folder = await createTempFolder('file-list');
  await write('a.md');
  await write('deep/er/b.png');
  vault = await openVault(folder.path, { docSuffixes: ['.pdf'] });
  problems = [];
  list = listOf();
});
afterEach(() => folder.remove());

/** By this clock every folder is old. */
const DAY_ON: StatClock = { monotonic: () => 0, wall: () => Date.now() + 86_400_000 };
/** By this one every folder is new, and stays so. */
const STOPPED: StatClock = { monotonic: () => 0, wall: () => 0 };

function listOf(options: Partial<FileListOptions> = {}): FileList {
  return createFileList(vault, {
    wants: (path) => !path.endsWith('.tmp'),
    onProblem: ({ path }) => problems.push(path),
    ...options,
  });
}

/** A list, and the files that it came upon since it was asked last. */
function watched(options: Partial<FileListOptions>) {
  const met: string[] = [];
  const counting = listOf({
    wants: (path) => {
      met.push(path);
      return true;
    },
    ...options,
  });
  return async () => {
    met.splice(0);
    await counting.current();
    return [...met].sort();
  };
}

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
    ['new', undefined],
    ['old', DAY_ON],
  ])('is true after what comes, goes and is renamed, the folders being %s', async (_, clock) => {
    await nextTick();
    list = listOf(clock && { clock });
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
    // Times as FAT keeps them, but all of them one.
    list = listOf({ tick: () => 0n, clock: STOPPED });
    await paths();
    await write('same-tick.md');
    expect(await paths()).toContain('same-tick.md');
  });

  it('is the same list as long as nothing comes or goes, whatever a file holds', async () => {
    const first = await list.current();
    await writeFile(join(folder.path, 'a.md'), 'another text');
    expect(await list.current()).toBe(first);
    await nextTick();
    await write('c.md');
    expect(await list.current()).not.toBe(first);
  });

  it('does not list a folder again that has been still', async () => {
    const look = watched({ clock: DAY_ON });
    expect(await look()).toEqual(['a.md', 'deep/er/b.png']);
    expect(await look()).toEqual([]);
    await nextTick();
    await write('deep/er/c.md');
    expect(await look()).toEqual(['deep/er/b.png', 'deep/er/c.md']);
  });

  it('lists a folder until a listing came after its tick, by whatever calendar', async () => {
    let monotonic = 0;
    // The calendar says that the folders are of the future, as they may be where another machine keeps the files.
    const look = watched({ clock: { monotonic: () => monotonic, wall: () => 0 } });
    expect(await look()).toHaveLength(2);
    monotonic = 2000;
    expect(await look()).toHaveLength(2);
    monotonic = 2001;
    expect(await look()).toHaveLength(2);
    expect(await look()).toEqual([]);
  });

  it('is refused, and not empty, when the vault is not there', async () => {
    await rename(folder.path, `${folder.path}-away`);
    try {
      await expect(list.current()).rejects.toMatchObject({
        code: 'not_found',
        message: expect.stringMatching(/mounted/),
      });
    } finally {
      await rename(`${folder.path}-away`, folder.path);
    }
  });
});

describe.skipIf(!canRunUnprivileged)('a folder that may not be read', () => {
  /** What the list is in a process that heeds permissions. */
  const asked = () =>
    runUnprivileged(
      `import { createFileList } from '@vault-mcp/shared/vault/file-list';
       import { openVault } from '@vault-mcp/shared/vault/vault';
       const vault = await openVault(process.argv[1], { docSuffixes: [] });
       const list = createFileList(vault, { wants: () => true, onProblem: () => {} });
       const first = await list.current();
       const said = await list.current().catch(({ code }) => ({ code }));
       console.log(JSON.stringify({ files: [...first.files].sort(), unread: first.unread, same: first === said }));`,
      [folder.path],
    );

  it('is named, with the files beside it, and again by the next call', async () => {
    await chmod(join(folder.path, 'deep'), 0);
    try {
      const reason = expect.stringMatching(/no permission/);
      expect(asked()).toEqual({ files: ['a.md'], unread: [{ path: 'deep', reason }], same: true });
    } finally {
      await chmod(join(folder.path, 'deep'), 0o700);
    }
  });
});
