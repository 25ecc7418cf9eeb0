import { parseVaultPath } from '@vault-mcp/shared/vault/path';
import type { VaultWriter } from '@vault-mcp/shared/vault/write';
import { afterEach, describe, expect, it } from 'vitest';
import {
  ANYWHERE,
  type WritingContext,
  writingContext,
  writingSuite,
} from '../../../../test/support/writing-context.ts';
import { deleteEntry } from './delete-entry.ts';
import { deleteFolder } from './delete-folder.ts';

const FILES = {
  'House/Heating.md': 'A.\n',
  'House/Files/plan.pdf': '%PDF',
  'House/plan.svg': '<svg/>',
  'House/Deep/Er.md': 'B.\n',
  'Other.md': 'C.\n',
};
const HOUSE = { path: 'House', recursive: true };

describe('deleting a folder', () => {
  const vault = writingSuite(FILES);
  const counts = { notes: 2, documents: 1, other_files: 1, folders: 2 };

  it('counts what went with it, and keeps it in the trash', async () => {
    const planned = await deleteFolder(vault.context, { ...HOUSE, dry_run: true }, ANYWHERE);
    expect(planned).toEqual({
      ...{ path: 'House', ...counts, permanent: false, trashed: null, linked_from: null, dry_run: true },
    });
    const answer = await deleteFolder(vault.context, HOUSE, ANYWHERE);
    expect(answer).toMatchObject({ ...counts, trashed: '.trash/House', indexed: 'queued' });
    expect(await vault.everything()).toMatchObject({ '.trash/House/Heating.md': 'A.\n', 'Other.md': 'C.\n' });
    expect([...vault.queue.synced].sort()).toEqual(['House/Deep/Er.md', 'House/Files/plan.pdf', 'House/Heating.md']);
  });

  it('removes it for good when asked to', async () => {
    await expect(deleteFolder(vault.context, { ...HOUSE, permanent: true }, ANYWHERE)).resolves.toMatchObject({
      trashed: null,
    });
    expect(await vault.everything()).toEqual({ 'Other.md': 'C.\n' });
  });

  it('takes an empty one without being told twice', async () => {
    vault.put('Empty/a.md', 'A.\n');
    await deleteEntry(vault.context, { path: 'Empty/a.md', permanent: true }, ANYWHERE);
    await expect(deleteFolder(vault.context, { path: 'Empty' }, ANYWHERE)).resolves.toMatchObject({ notes: 0 });
  });

  it('is refused for the root, for what is not empty, and when something hidden is inside', async () => {
    const remove = (path: string, recursive = true) => deleteFolder(vault.context, { path, recursive }, ANYWHERE);
    await vault.refused(() => remove(''), 'invalid_path');
    await vault.refused(() => remove('House', false), 'not_empty', /recursive/);
    await vault.refused(() => remove('Other.md'), 'not_a_directory');
    await vault.refused(() => remove('Gone'), 'not_found');
    vault.put('House/Deep/.git/config', 'x');
    await vault.refused(() => remove('House'), 'invalid_path', /House\/Deep\/\.git/);
  });

  it('stays inside the scope of its request', async () => {
    const remove = (scope: string) => deleteFolder(vault.context, HOUSE, { ...ANYWHERE, scope: parseVaultPath(scope) });
    await vault.refused(() => remove('House/Deep'), 'out_of_scope');
    await expect(remove('House')).resolves.toMatchObject(counts);
  });

  it('for good tells the indexer of what went and of nothing that is still there', async () => {
    const { context } = vault;
    const kept = { path: 'House/plan.svg', reason: 'kept' };
    const removeFolder: VaultWriter['removeFolder'] = async (...call) => {
      const removed = await context.writer.removeFolder(...call);
      return { ...removed, files: removed.files.filter(({ path }) => path !== 'House/Deep/Er.md'), left: [kept] };
    };
    const writer = { ...context.writer, removeFolder };
    const answer = await deleteFolder({ ...context, writer }, { ...HOUSE, permanent: true }, ANYWHERE);
    expect(answer).toMatchObject({ notes: 1, left: [kept], indexed: 'queued' });
    expect([...vault.queue.synced].sort()).toEqual(['House/Files/plan.pdf', 'House/Heating.md']);
  });
});

describe('with the trash switched off', () => {
  let made: WritingContext | undefined;
  afterEach(() => made?.remove());

  it('deleting is for good, and the answer says so', async () => {
    made = await writingContext(FILES, { TRASH: 'false' });
    await expect(deleteFolder(made.context, HOUSE, ANYWHERE)).resolves.toMatchObject({
      permanent: true,
      trashed: null,
    });
    expect(await made.everything()).toEqual({ 'Other.md': 'C.\n' });
  });
});
