import { parseVaultPath } from '@vault-mcp/shared/vault/path';
import { describe, expect, it } from 'vitest';
import { ANYWHERE, writingSuite } from '../../../../test/support/writing-context.ts';
import { createFolder } from './create-folder.ts';

const vault = writingSuite({ 'House/Heating.md': 'A.\n', note: 'no suffix' });
const create = (path: string, dry_run?: boolean) => createFolder(vault.context, { path, dry_run }, ANYWHERE);

describe('making a folder', () => {
  it('makes its parents and names every folder made', async () => {
    const made = { path: 'House/Cellar/Wine', created: true, folders_made: ['House/Cellar', 'House/Cellar/Wine'] };
    await expect(create('House/Cellar/Wine', true)).resolves.toEqual({ ...made, dry_run: true });
    expect(await vault.everything()).not.toHaveProperty('House/Cellar');
    await expect(create('House/Cellar/Wine')).resolves.toEqual(made);
    expect(await vault.everything()).toMatchObject({ 'House/Cellar': '/', 'House/Cellar/Wine': '/' });
  });

  it('of one that is there is success', async () => {
    await expect(create('House')).resolves.toEqual({ path: 'House', created: false, folders_made: [] });
  });

  it.each([
    ['note', 'already_exists'],
    ['note/below', 'not_a_directory'],
    ['house', 'already_exists'],
    ['.hidden', 'invalid_path'],
    ['Plan.md', 'invalid_path'],
    ['scan.pdf', 'invalid_path'],
    ['Trailing.', 'invalid_path'],
    ['', 'invalid_path'],
    ['../outside', 'invalid_path'],
  ])('refuses "%s" as %s', async (path, code) => {
    await vault.refused(() => create(path), code);
  });

  it('stays inside the scope of its request', async () => {
    const request = { ...ANYWHERE, scope: parseVaultPath('House') };
    await vault.refused(() => createFolder(vault.context, { path: 'Garden' }, request), 'out_of_scope');
    await expect(createFolder(vault.context, { path: 'House/Attic' }, request)).resolves.toBeDefined();
  });
});
