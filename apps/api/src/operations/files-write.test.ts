import { mkdtemp, readdir, readFile, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createAccess } from '@vault-mcp/shared/vault/access';
import { openPathLocks, type PathLocks } from '@vault-mcp/shared/vault/lock';
import { parseVaultPath } from '@vault-mcp/shared/vault/path';
import { viewOf } from '@vault-mcp/shared/vault/view';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { hashOf } from '../../../../test/support/filing-vault.ts';
import { ANYWHERE, writingSuite } from '../../../../test/support/writing-context.ts';
import type { WriteContext } from '../context.ts';
import { openFilesFolder } from '../open-files-folder.ts';
import { filesWrite } from './files-write.ts';

const on = writingSuite({ 'Home.md': '# Home\n' });

let root: string;
let locks: PathLocks;
let context: WriteContext;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'files-'));
  locks = await openPathLocks(on.context.config.data.path);
  const config = { ...on.context.config, files: { root } };
  context = { ...on.context, config, filesFolder: await openFilesFolder(config, locks) };
});
afterEach(async () => {
  locks.close();
  await rm(root, { recursive: true });
});

const write = (input: Parameters<typeof filesWrite>[1], request = ANYWHERE, over: Partial<WriteContext> = {}) =>
  filesWrite({ ...context, ...over }, input, request);

const refused = async (call: () => Promise<unknown>, code: string, message = /./) => {
  const before = await readdir(root, { recursive: true });
  await on.refused(call, code, message);
  expect(await readdir(root, { recursive: true })).toEqual(before);
};

describe('a file that is written', () => {
  it('comes into the folder for files and nowhere else', async () => {
    const before = await on.everything();
    expect(await write({ path: 'out/report.csv', content: 'a;ü\n' })).toEqual({
      path: 'out/report.csv',
      status: 'created',
      etag: hashOf('a;ü\n'),
      size: 5,
      folders_made: ['out'],
    });
    expect(await readFile(join(root, 'out/report.csv'), 'utf8')).toBe('a;ü\n');
    expect(await on.everything()).toEqual(before);
  });

  it('is refused where one is, replaced or added to when asked', async () => {
    await write({ path: 'a.log', content: 'one\n' });
    await refused(() => write({ path: 'a.log', content: 'two\n' }), 'already_exists');
    expect(await write({ path: 'a.log', content: 'two\n', mode: 'append' })).toMatchObject({
      status: 'appended',
      size: 8,
    });
    expect(await write({ path: 'a.log', content: 'three\n', mode: 'overwrite' })).toMatchObject({ status: 'replaced' });
    expect(await readFile(join(root, 'a.log'), 'utf8')).toBe('three\n');
  });

  it('may be called index.md there, since no page is generated', async () => {
    expect(await write({ path: 'index.md', content: '# Mine\n' })).toMatchObject({ status: 'created' });
  });

  it('is only looked at in a dry run', async () => {
    expect(await write({ path: 'a.log', content: 'x', dry_run: true })).toMatchObject({
      status: 'created',
      dry_run: true,
    });
    expect(await readdir(root)).toEqual([]);
  });
});

describe('a file that is refused', () => {
  it('would leave the folder, or hide in it', async () => {
    await symlink(context.config.data.path, join(root, 'link'));
    for (const path of ['../a', 'a/../../b', 'link/a', '.env', 'a/.b', '', 'a\\b', 'nul\u0000']) {
      await refused(async () => write({ path, content: 'x', mode: 'overwrite' }), 'invalid_path');
    }
  });

  it('is larger than a file may be, or no text', async () => {
    await refused(() => write({ path: 'a', content: 'x'.repeat(5 * 1024 * 1024 + 1) }), 'document_too_large');
    await refused(() => write({ path: 'a', content: 'half \ud83d' }), 'invalid_value');
  });

  it('is another version than the one that was seen', async () => {
    await write({ path: 'a', content: 'one' });
    const stale = { path: 'a', content: 'two', mode: 'overwrite' as const, expected_etag: hashOf('zero') };
    await refused(() => write(stale), 'precondition_failed');
  });

  it('comes from who may write but part of the vault', async () => {
    const some = viewOf(on.context.vault, createAccess([{ prefix: 'Agents', read: true, write: true }]));
    const adding = viewOf(on.context.vault, createAccess([{ prefix: '', read: true, write: 'append' }]));
    const all = viewOf(on.context.vault, createAccess([{ prefix: '', read: true, write: true }]));
    for (const vault of [some, adding]) {
      await refused(() => write({ path: 'a', content: 'x' }, ANYWHERE, { vault }), 'out_of_scope');
    }
    const scope = parseVaultPath('Home.md');
    await refused(() => write({ path: 'Home.md', content: 'x' }, { ...ANYWHERE, scope }), 'out_of_scope');
    expect(await write({ path: 'a', content: 'x' }, ANYWHERE, { vault: all })).toMatchObject({ status: 'created' });
  });

  it('has no folder to come into', async () => {
    await refused(
      () => write({ path: 'a', content: 'x' }, ANYWHERE, { filesFolder: null }),
      'out_of_scope',
      /FILES_ROOT/,
    );
  });
});

describe('the folder for files', () => {
  const opened = (folder: string, readOnly = false) => {
    const { config } = context;
    const server = { ...config.server, read_only: readOnly };
    return openFilesFolder({ ...config, server, files: { root: folder } }, locks);
  };

  it('is made when it is missing, and not opened where nothing is written', async () => {
    expect(await opened(join(root, 'new/one'), true)).toBeNull();
    expect(await readdir(root)).toEqual([]);
    expect(await opened(join(root, 'new/one'))).not.toBeNull();
    expect(await readdir(root, { recursive: true })).toEqual(['new', 'new/one']);
  });

  it('leads by no link into the vault or the data folder, nor either of them into it', async () => {
    const { vault, data } = context.config;
    await symlink(vault.path, join(root, 'to-vault'));
    await symlink(data.path, join(root, 'to-data'));
    for (const folder of ['to-vault', 'to-vault/Deep', 'to-data']) {
      await expect(opened(join(root, folder))).rejects.toThrow(/lead into each other/);
    }
    expect(Object.keys(await on.everything())).toEqual(['Home.md']);
  });
});

describe('a path that names no file in the folder for files', () => {
  it.each([
    ['../x', /leads out of the folder for files \(files\.root\)\.$/],
    ['n/', /"n\/" names a folder/],
    ['n/.', /names a folder/],
  ])('such as %s is refused by what it is, and nothing is made', async (path, message) => {
    await refused(() => write({ path, content: 'x' }), 'invalid_path', message);
  });
});
