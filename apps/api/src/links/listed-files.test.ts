import { silentLogger } from '@vault-mcp/shared/log';
import { openVault, type Vault } from '@vault-mcp/shared/vault/vault';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createTempFolder, type TempFolder } from '../../../../test/support/temp-folder.ts';
import { fillVault, type PutFile } from '../../../../test/support/vault-files.ts';
import { listedFiles } from './listed-files.ts';

let folder: TempFolder;
let put: PutFile;
let vault: Vault;
beforeEach(async () => {
  folder = await createTempFolder('listed');
  put = fillVault(folder.path, { 'a.md': '', 'House/b.png': '' });
  vault = await openVault(folder.path, { docSuffixes: [] });
});
afterEach(() => folder.remove());

const list = () => listedFiles(vault, silentLogger());

describe('the files of a vault', () => {
  it('are the same list for all who ask at once, and for later ones while nothing changes', async () => {
    const [first, second] = await Promise.all([list(), list()]);
    expect([...first.files].sort()).toEqual(['House/b.png', 'a.md']);
    expect(second).toBe(first);
    expect(await list()).toBe(first);
  });

  it('are those of a moment after each question, whatever was begun before', async () => {
    const first = list();
    // Has begun by then.
    await Promise.resolve();
    await Promise.resolve();
    put('House/c.md', '');
    const second = await list();
    expect(second.files.has('House/c.md' as never)).toBe(true);
    await first;
  });

  it('are not to be had of a vault that is gone, and of one that is back', async () => {
    await folder.remove();
    await expect(list()).rejects.toMatchObject({ code: 'not_found' });
    put('a.md', '');
    expect([...(await list()).files]).toEqual(['a.md']);
  });
});
