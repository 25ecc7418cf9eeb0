import { linkSync } from 'node:fs';
import { lstat, mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { contentOf, createWritableVault, type WritableVault } from '../../../../test/support/writable-vault.ts';
import { placeExclusively } from './durable.ts';
import { openFolder } from './open-leaf.ts';
import { parseVaultPath } from './path.ts';
import { isDeadTemp, ownerOfTempName, sweepTempFiles, tempName, writeTempFile } from './temp-files.ts';

const DEAD = '00000000-0000-4000-8000-000000000000';

let on: WritableVault;
beforeEach(async () => {
  on = await createWritableVault();
});
afterEach(() => on.remove());

describe('names of temporary files', () => {
  it('are short, hidden and carry their owner', () => {
    const name = tempName(DEAD);
    expect(name).toMatch(/^\./);
    expect(Buffer.byteLength(name)).toBeLessThan(100);
    expect(ownerOfTempName(name)).toBe(DEAD);
    expect(tempName(DEAD)).not.toBe(name);
  });

  it.each(['.vault-mcp-x.tmp', `${tempName(DEAD)}.md`, `x${tempName(DEAD)}`, 'note.tmp', '.trash'])(
    'are not mistaken for %s',
    (name) => {
      expect(ownerOfTempName(name)).toBeNull();
      expect(isDeadTemp(name, on.locks)).toBe(false);
    },
  );
});

describe('the sweep at the start', () => {
  it('removes what dead processes left, anywhere, and nothing else', async () => {
    const kept = {
      'a.md': 'a',
      [`Deep/Deeper/${tempName(on.locks.owner)}`]: 'being written by the living',
      'Deep/.vault-mcp-note.tmp': "a person's own",
      [`.trash/${tempName(DEAD)}`]: 'hidden folders are not ours to look into',
    };
    await on.put(kept);
    await on.put({
      [tempName(DEAD)]: 'half',
      [`Deep/Deeper/${tempName(DEAD)}`]: '',
      [`Deep/${tempName(DEAD)}/x/y.md`]: 'y',
    });
    await writeFile(join(on.outside, tempName(DEAD)), 'outside');
    await symlink(on.outside, join(on.root, 'Deep/link'));
    expect(await sweepTempFiles(on.vault, on.locks)).toBe(3);
    const left = Object.entries(await on.everything()).filter(([, content]) => content !== '/');
    expect(Object.fromEntries(left)).toEqual({ ...kept, 'Deep/link': `-> ${on.outside}` });
    expect(await readdir(on.outside)).toHaveLength(3);
  });

  it('deletes a link inside a half removed folder, not what it leads to', async () => {
    await mkdir(join(on.outside, 'canary'));
    await writeFile(join(on.outside, 'canary/a.md'), 'alive');
    await mkdir(join(on.root, tempName(DEAD)));
    const [doomed = ''] = await readdir(on.root);
    await symlink(join(on.outside, 'canary'), join(on.root, doomed, 'link'));
    expect(await sweepTempFiles(on.vault, on.locks)).toBe(1);
    expect(await contentOf(join(on.outside, 'canary'))).toEqual({ 'a.md': 'alive' });
    expect(await readdir(on.root)).toEqual([]);
  });

  it('leaves folders alone where it is to look at the root only', async () => {
    const kept = { [`Deep/${tempName(DEAD)}`]: 'for who writes there' };
    await on.put({ ...kept, [tempName(DEAD)]: 'half' });
    expect(await sweepTempFiles(on.vault, on.locks, { recursive: false })).toBe(1);
    expect(await on.everything()).toEqual({ Deep: '/', ...kept });
  });

  it('tells of a folder that it cannot read', async () => {
    const problems: unknown[] = [];
    const gone = { ...on.vault, root: join(on.outside, 'gone') };
    expect(await sweepTempFiles(gone, on.locks, { onProblem: (problem) => problems.push(problem) })).toBe(0);
    expect(problems).toMatchObject([{ path: '' }]);
  });
});

describe('a temporary file', () => {
  it('is gone when its content fails halfway', async () => {
    const folder = await openFolder(on.vault, parseVaultPath(''));
    async function* content() {
      yield Buffer.from('half');
      throw new Error('the connection broke');
    }
    await expect(writeTempFile(folder, on.locks.owner, content(), null)).rejects.toThrow('the connection broke');
    await folder.close();
    expect(await readdir(on.root)).toEqual([]);
  });
});

describe('placing a file where nothing may be replaced', () => {
  const withoutLinks = () => {
    throw Object.assign(new Error('no links here'), { code: 'EPERM' });
  };

  it.each([
    ['with hard links', linkSync],
    ['on a file system without', withoutLinks],
  ])('has one winner, %s', async (_name, link) => {
    const sources = Array.from({ length: 10 }, (_, i) => join(on.root, `.${i}`));
    await Promise.all(sources.map((source) => writeFile(source, source)));
    const target = join(on.root, 'a.md');
    const placed = sources.map((source) => placeExclusively(source, target, link));
    const winner = sources[placed.indexOf(true)];
    expect(placed.filter((won) => won)).toHaveLength(1);
    expect(await readFile(target, 'utf8')).toBe(winner);
    expect((await readdir(on.root)).sort()).toEqual(
      [...sources.filter((s) => s !== winner).map((s) => s.slice(-2)), 'a.md'].sort(),
    );
    expect((await lstat(target)).nlink).toBe(1);
  });

  it('leaves no placeholder when the file cannot be put there', async () => {
    const missing = join(on.root, '.gone');
    expect(() => placeExclusively(missing, join(on.root, 'a.md'), withoutLinks)).toThrow(/ENOENT/);
    expect(await readdir(on.root)).toEqual([]);
  });
});
