import { chmod, lstat, mkdir, readdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { filingSuite, hashOf } from '../../../../test/support/filing-vault.ts';
import type { WritableVault } from '../../../../test/support/writable-vault.ts';
import { openPathLocks } from './lock.ts';
import type { VaultPath } from './path.ts';
import { createVaultWriter } from './write.ts';
import type { PlacedFile, PlaceFileOptions } from './write-file.ts';

const MAX = 100;
const PLACE = 'Wiki/raw/page.html';

const vault = filingSuite();
let on: WritableVault;
beforeEach(() => {
  on = vault();
});

const place = (
  path: string,
  text: string,
  options: Partial<PlaceFileOptions> = {},
  writer = on.writer,
): Promise<PlacedFile> =>
  writer.placeFile(path as VaultPath, Buffer.from(text), { mode: 'create', maxBytes: MAX, ...options });

describe('placing a file', () => {
  it('stores its bytes whatever its suffix is, and makes the folders above it', async () => {
    expect(await place(PLACE, '<p>a</p>')).toEqual({
      path: PLACE,
      status: 'created',
      etag: hashOf('<p>a</p>'),
      etagBefore: null,
      size: 8,
      madeFolders: ['Wiki', 'Wiki/raw'],
      dryRun: false,
    });
    await place('Wiki/raw/none', '');
    await place('Wiki/raw/note.md', '# A');
    await place('Wiki/raw/lease.pdf', '%PDF');
    expect(await on.everything()).toEqual({
      Wiki: '/',
      'Wiki/raw': '/',
      [PLACE]: '<p>a</p>',
      'Wiki/raw/none': '',
      'Wiki/raw/note.md': '# A',
      'Wiki/raw/lease.pdf': '%PDF',
    });
  });

  it('refuses other bytes than those that are there, and does nothing where they are the same', async () => {
    await place(PLACE, 'one');
    const { ino, mtimeMs, ctimeMs } = await lstat(join(on.root, PLACE));
    expect(await place(PLACE, 'one')).toMatchObject({ status: 'unchanged', etag: hashOf('one'), madeFolders: [] });
    expect(await place(PLACE, 'one', { mode: 'overwrite' })).toMatchObject({ status: 'unchanged' });
    await on.refused(() => place(PLACE, 'another'), 'already_exists', /other bytes/);
    expect(await lstat(join(on.root, PLACE))).toMatchObject({ ino, mtimeMs, ctimeMs });
  });

  it('replaces what is there when asked to, of any size, and keeps its mode', async () => {
    await on.put({ [PLACE]: 'x'.repeat(MAX * 2) });
    await chmod(join(on.root, PLACE), 0o640);
    expect(await place(PLACE, 'new', { mode: 'overwrite' })).toMatchObject({
      status: 'replaced',
      etag: hashOf('new'),
      etagBefore: hashOf('x'.repeat(MAX * 2)),
    });
    expect(await on.read(PLACE)).toBe('new');
    expect((await lstat(join(on.root, PLACE))).mode & 0o777).toBe(0o640);
  });

  it('adds to what is there byte for byte, and makes it when nothing is', async () => {
    expect(await place(PLACE, 'one', { mode: 'append' })).toMatchObject({ status: 'created', size: 3 });
    expect(await place(PLACE, ', two', { mode: 'append' })).toMatchObject({
      status: 'appended',
      size: 8,
      etag: hashOf('one, two'),
      etagBefore: hashOf('one'),
    });
    expect(await place(PLACE, '', { mode: 'append' })).toMatchObject({ status: 'unchanged', size: 8 });
    expect(await on.read(PLACE)).toBe('one, two');
  });

  it('keeps every one of many additions made at once', async () => {
    const texts = Array.from({ length: 12 }, (_, i) => `(${i})`);
    await Promise.all(texts.map((text) => place(PLACE, text, { mode: 'append' })));
    const all = await on.read(PLACE);
    expect(texts.filter((text) => !all.includes(text))).toEqual([]);
    expect(all).toHaveLength(texts.join('').length);
  });

  it('lets one of many who make the same name have it', async () => {
    const results = await Promise.allSettled(['a', 'b', 'c', 'd'].map((text) => place(PLACE, text)));
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(results.flatMap((each) => (each.status === 'rejected' ? [each.reason.code] : []))).toEqual(
      Array(3).fill('already_exists'),
    );
  });

  it('checks and answers the same in a dry run, and changes nothing', async () => {
    await on.put({ 'a.txt': 'one' });
    const before = await on.everything();
    for (const [path, options, status] of [
      [PLACE, {}, 'created'],
      ['a.txt', { mode: 'overwrite' }, 'replaced'],
      ['a.txt', { mode: 'append' }, 'appended'],
    ] as const) {
      expect(await place(path, 'x', { ...options, dryRun: true })).toMatchObject({ status, dryRun: true });
    }
    await on.refused(() => place('a.txt', 'x', { dryRun: true }), 'already_exists');
    expect(await on.everything()).toEqual(before);
  });
});

describe('a file that is refused', () => {
  it('is larger than the limit, also by what is added', async () => {
    await on.refused(() => place(PLACE, 'x'.repeat(MAX + 1)), 'document_too_large', /101 bytes/);
    await place(PLACE, 'x'.repeat(MAX));
    await on.refused(() => place(PLACE, 'y', { mode: 'append' }), 'document_too_large', /101 bytes/);
    await on.put({ 'long.txt': 'x'.repeat(MAX + 1) });
    await on.refused(() => place('long.txt', '', { mode: 'append' }), 'document_too_large');
  });

  it('would stand at a protected, unportable or dotted place', async () => {
    for (const path of ['index.md', 'Index.MD', '.obsidian/app.json', 'Wiki/.hidden', '.discarded.log']) {
      await on.refused(() => place(path, 'x', { mode: 'overwrite' }), 'invalid_path', /protected/);
    }
    await on.refused(() => place('Wiki/dot.', 'x'), 'invalid_path', /ends in a dot/);
    await on.refused(() => place('Wiki/note.md/a.txt', 'x'), 'invalid_path', /named like a file/);
  });

  it('would stand beyond a link, or take the place of one', async () => {
    await mkdir(join(on.outside, 'elsewhere'));
    await writeFile(join(on.outside, 'elsewhere/secret'), 'secret');
    await symlink(join(on.outside, 'elsewhere'), join(on.root, 'raw'));
    await symlink(join(on.outside, 'elsewhere/secret'), join(on.root, 'file'));
    for (const path of ['raw/a.txt', 'raw/secret', 'file']) {
      for (const mode of ['create', 'overwrite', 'append'] as const) {
        await on.refused(() => place(path, 'x', { mode }), 'invalid_path', /symbolic link/);
      }
    }
    expect(await readdir(join(on.outside, 'elsewhere'))).toEqual(['secret']);
  });

  it('would take the place of a folder, stand below a file, or beside its own name in another case', async () => {
    await on.put({ 'Wiki/raw/A.txt': 'a' });
    await on.refused(() => place('Wiki/raw', 'x', { mode: 'overwrite' }), 'is_directory');
    await on.refused(() => place('Wiki/raw/A.txt/b', 'x'), 'not_a_directory');
    await on.refused(() => place('Wiki/raw/a.txt', 'x', { mode: 'overwrite' }), 'already_exists', /A\.txt/);
  });

  it('is outside of what the request may change', async () => {
    const scope = 'Wiki' as VaultPath;
    await on.refused(() => place('Other/a.txt', 'x', { scope }), 'out_of_scope');
    expect(await place(PLACE, 'x', { scope })).toMatchObject({ status: 'created' });
  });

  it('is another version than the one that was seen', async () => {
    await place(PLACE, 'one');
    const stale = { mode: 'overwrite', expectedEtag: hashOf('zero') } as const;
    await on.refused(() => place(PLACE, 'two', stale), 'precondition_failed', new RegExp(hashOf('one')));
    await on.refused(() => place('Wiki/raw/b', 'x', stale), 'precondition_failed', /not there/);
    expect(await place(PLACE, 'two', { ...stale, expectedEtag: hashOf('one') })).toMatchObject({ status: 'replaced' });
  });

  it('does not get its turn in time', async () => {
    const locks = await openPathLocks(on.dataPath, { waitMs: 30 });
    const impatient = createVaultWriter(on.vault, { locks, noteMaxBytes: 0 });
    await on.locks.hold([{ path: PLACE as VaultPath }], () =>
      on.refused(() => place(PLACE, 'x', {}, impatient), 'locked'),
    );
    locks.close();
  });
});

describe('a folder of files that is no vault', () => {
  it('holds an index.md like any other file', async () => {
    expect(await place('index.md', 'mine', { noIndexPage: true })).toMatchObject({ status: 'created' });
    expect(await on.everything()).toEqual({ 'index.md': 'mine' });
  });
});
