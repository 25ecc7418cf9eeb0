import { chmod, lstat, mkdir, readdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { fileWith, filingSuite, hashOf, MAX, PLACE, uploadOf } from '../../../../test/support/filing-vault.ts';
import type { WritableVault } from '../../../../test/support/writable-vault.ts';
import type { Upload } from './incoming-document.ts';
import { parseVaultPath } from './path.ts';
import type { FileDocumentOptions, FiledDocument } from './write-document.ts';

const vault = filingSuite();
let on: WritableVault;
beforeEach(() => {
  on = vault();
});

const file = (
  path: string,
  text: string | Upload,
  options: Partial<FileDocumentOptions> = {},
  writer = on.writer,
): Promise<FiledDocument> => fileWith(writer, path, text, options);

describe('filing a document', () => {
  it('stores its bytes and makes the folders above it', async () => {
    expect(await file(PLACE, 'the lease')).toEqual({
      path: PLACE,
      sha256: hashOf('the lease'),
      size: 9,
      status: 'filed',
      etagBefore: null,
      madeFolders: ['House', 'House/Files'],
      dryRun: false,
    });
    expect(await on.everything()).toEqual({ House: '/', 'House/Files': '/', [PLACE]: 'the lease' });
  });

  it('changes nothing when these very bytes are there', async () => {
    await on.put({ [PLACE]: 'the lease' });
    const { ino, mtimeMs, ctimeMs } = await lstat(join(on.root, PLACE));
    for (const options of [{}, { overwrite: true }]) {
      expect(await file(PLACE, 'the lease', options)).toMatchObject({ status: 'unchanged', madeFolders: [] });
    }
    expect(await lstat(join(on.root, PLACE))).toMatchObject({ ino, mtimeMs, ctimeMs });
    expect(await readdir(join(on.root, 'House/Files'))).toEqual(['Lease.pdf']);
  });

  it('refuses other bytes unless told to overwrite, and keeps the mode of what it replaces', async () => {
    await on.put({ [PLACE]: 'the lease' });
    await chmod(join(on.root, PLACE), 0o640);
    await on.refused(() => file(PLACE, 'another'), 'already_exists', /other bytes.*overwrite=true/);
    expect(await file(PLACE, 'another', { overwrite: true })).toMatchObject({
      status: 'replaced',
      etagBefore: hashOf('the lease'),
      sha256: hashOf('another'),
    });
    expect(await on.everything()).toEqual({ House: '/', 'House/Files': '/', [PLACE]: 'another' });
    expect((await lstat(join(on.root, PLACE))).mode & 0o777).toBe(0o640);
  });

  it('keeps to the spelling on the disk, of the folder too', async () => {
    await on.put({ ['House/files/Café.pdf'.normalize('NFD')]: 'old' });
    const path = 'House/files/Café.pdf'.normalize('NFC');
    expect(await file(path, 'new', { overwrite: true })).toMatchObject({ path: path.normalize('NFD') });
    expect(Object.keys(await on.everything())).toHaveLength(3);
  });

  it('checks, reads and answers the same in a dry run, and changes nothing', async () => {
    const before = await on.everything();
    expect(await file(PLACE, 'the lease', { dryRun: true })).toMatchObject({
      status: 'filed',
      sha256: hashOf('the lease'),
      madeFolders: ['House', 'House/Files'],
      dryRun: true,
    });
    expect(await on.everything()).toEqual(before);
    await on.put({ [PLACE]: 'old' });
    await on.refused(() => file(PLACE, 'x'.repeat(MAX + 1), { dryRun: true }), 'document_too_large');
    await on.refused(() => file(PLACE, 'new', { dryRun: true }), 'already_exists');
    expect(await file(PLACE, 'new', { dryRun: true, overwrite: true })).toMatchObject({ status: 'replaced' });
    expect(await on.read(PLACE)).toBe('old');
  });

  it('takes preconditions: before the bytes are read, and again once they are', async () => {
    await on.put({ [PLACE]: 'old' });
    const never: Upload = {
      statedBytes: 5,
      body: (async function* (): AsyncGenerator<Uint8Array> {
        yield await Promise.reject(new Error('was read'));
      })(),
    };
    await on.refused(() => file(PLACE, never, { expectedEtag: 'other' }), 'precondition_failed');
    await on.refused(() => file(PLACE, never, { ifNoneMatch: true }), 'precondition_failed');
    const changing: Upload = {
      statedBytes: null,
      body: (async function* () {
        yield Buffer.from('new');
        await writeFile(join(on.root, PLACE), 'changed meanwhile');
      })(),
    };
    const conditions = { expectedEtag: hashOf('old'), overwrite: true };
    await expect(file(PLACE, changing, conditions)).rejects.toMatchObject({ code: 'precondition_failed' });
    expect(await on.read(PLACE)).toBe('changed meanwhile');
    expect(await file(PLACE, 'new', { expectedEtag: hashOf('changed meanwhile'), overwrite: true })).toMatchObject({
      status: 'replaced',
    });
  });
});

describe('what is refused', () => {
  const long = 'x'.repeat(MAX + 1);

  it.each([
    ['its size', 'House/x. ', long, 'document_too_large'],
    ['emptiness', 'House/x. ', '', 'empty_document'],
    ['the path', 'House/x. ', 'x', 'invalid_path'],
    ['the suffix', 'House/x.docx', 'x', 'unsupported_suffix'],
    ['the parent', 'House/x.pdf', 'x', 'wrong_parent_folder'],
    ['what is there', PLACE, 'x', 'already_exists'],
  ])('is told in this order: %s', async (_what, path, text, code) => {
    await on.put({ [PLACE]: 'old' });
    for (const stated of [true, false]) await on.refused(() => file(path, uploadOf(text, stated)), code);
  });

  it('is as large a document as one that is just within the limit is not', async () => {
    await expect(file(PLACE, 'x'.repeat(MAX))).resolves.toMatchObject({ size: MAX });
    await expect(file('Files/Long.pdf', long, { maxBytes: 0 })).resolves.toMatchObject({ size: MAX + 1 });
  });

  it('is read only as far as that takes when its path is wrong and nothing is too large', async () => {
    let parts = 0;
    const endless: Upload = {
      statedBytes: null,
      body: (async function* () {
        for (;;) {
          parts++;
          yield Buffer.from('x');
        }
      })(),
    };
    await on.refused(() => file('x.pdf', endless, { maxBytes: 0 }), 'wrong_parent_folder');
    expect(parts).toBe(1);
  });

  it.each([
    ['Lease.pdf', 'Files/Lease.pdf'],
    ['House/Lease.pdf', 'House/Files/Lease.pdf'],
    ['House/Files/2026/Lease.pdf', 'House/Files/2026/Files/Lease.pdf'],
    ['House/FILES/Lease.pdf', 'House/Files/Lease.pdf'],
  ])('is another parent folder, with the path to use: %s', async (path, better) => {
    await on.refused(() => file(path, 'x'), 'wrong_parent_folder', new RegExp(`Use "${better}"`));
  });

  it.each([
    ['House/Lease.pdf', 'House/files/Lease.pdf'],
    ['House/FILES/Lease.pdf', 'House/files/Lease.pdf'],
  ])('is advised to the folder that is there already, in another case: %s', async (path, better) => {
    await on.put({ 'House/files/Plan.pdf': 'a plan' });
    await on.refused(() => file(path, 'x'), 'wrong_parent_folder', new RegExp(`Use "${better}"`));
    expect(await file(better, 'x')).toMatchObject({ status: 'filed' });
  });

  it.each([
    ['a.pdf/Files/Lease.pdf', 'invalid_path'],
    ['Files/Lease\u00a0.pdf. ', 'invalid_path'],
    ['Files/Lease.docx', 'unsupported_suffix'],
    ['a.md/Files/Lease.pdf', 'not_a_directory'],
    ['Link/Files/Lease.pdf', 'invalid_path'],
    ['Linked/Files/Lease.pdf', 'invalid_path'],
    ['Full/Files/Folder.pdf', 'is_directory'],
    ['Full/Files/lease.PDF', 'already_exists'],
  ])('is a path that nothing could be written at: %s', async (path, code) => {
    await on.put({ 'a.md': '', 'Full/Files/Lease.pdf': 'there' });
    await mkdir(join(on.root, 'Full/Files/Folder.pdf'));
    await mkdir(join(on.outside, 'elsewhere'));
    await mkdir(join(on.root, 'Linked'));
    await symlink(join(on.outside, 'elsewhere'), join(on.root, 'Link'));
    await symlink(join(on.outside, 'elsewhere'), join(on.root, 'Linked/Files'));
    await on.refused(() => file(path, 'x', { overwrite: true }), code);
    expect(await readdir(join(on.outside, 'elsewhere'))).toEqual([]);
  });

  it('is whatever lies outside the scope', async () => {
    const scope = parseVaultPath('Garden');
    await on.refused(() => file(PLACE, 'x', { scope }), 'out_of_scope');
    await expect(file('Garden/Files/Plan.pdf', 'x', { scope })).resolves.toMatchObject({ status: 'filed' });
  });
});
