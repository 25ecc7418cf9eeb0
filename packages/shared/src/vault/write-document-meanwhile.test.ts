// Filing a document while things happen: its bytes break off, its folder goes, others file under the same name.
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { fileWith, filingSuite, hashOf, MAX, PLACE } from '../../../../test/support/filing-vault.ts';
import type { WritableVault } from '../../../../test/support/writable-vault.ts';
import { AppError } from '../errors.ts';
import type { Upload } from './incoming-document.ts';
import { openPathLocks } from './lock.ts';
import { parseVaultPath } from './path.ts';
import { createVaultWriter } from './write.ts';
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

describe('an upload that ends early', () => {
  const breaking = (error: Error): Upload => ({
    statedBytes: null,
    body: (async function* () {
      yield Buffer.from('the first part');
      throw error;
    })(),
  });

  it('leaves nothing, of a new document nor of one that was to be replaced', async () => {
    const broken = new AppError('invalid_request', 'The body broke off.');
    await on.refused(() => file(PLACE, breaking(broken)), 'invalid_request');
    await on.put({ [PLACE]: 'old' });
    await on.refused(() => file(PLACE, breaking(broken), { overwrite: true }), 'invalid_request');
    await on.refused(() => file(PLACE, 'x'.repeat(MAX + 1), { overwrite: true }), 'document_too_large');
  });

  it('leaves nothing on a full disk, and says so', async () => {
    const full = Object.assign(new Error('no space left'), { code: 'ENOSPC' });
    await on.refused(() => file(PLACE, breaking(full)), 'insufficient_storage');
  });

  it('leaves nothing when its turn does not come in time', async () => {
    const locks = await openPathLocks(on.dataPath, { waitMs: 30 });
    const impatient = createVaultWriter(on.vault, { locks, noteMaxBytes: 0 });
    await on.locks.hold([{ path: parseVaultPath(PLACE) }], () =>
      on.refused(() => file(PLACE, 'x', {}, impatient), 'locked'),
    );
    locks.close();
  });
});

describe('a folder that a document is coming into', () => {
  const coming = (meanwhile: () => Promise<unknown>): Upload => ({
    statedBytes: null,
    body: (async function* () {
      yield Buffer.from('the first part');
      await meanwhile();
      yield Buffer.from(' and the second');
    })(),
  });

  it('is not removed while it is on its way', async () => {
    await on.put({ 'House/a.md': 'a' });
    let removal: Promise<unknown> = Promise.resolve();
    const options = { trash: true, recursive: true };
    const upload = coming(async () => {
      removal = on.writer.removeFolder(parseVaultPath('House'), options);
      await expect(removal).rejects.toMatchObject({ code: 'locked' });
    });
    await expect(file(PLACE, upload)).resolves.toMatchObject({ status: 'filed' });
    await expect(on.writer.removeFolder(parseVaultPath('House'), options)).resolves.toMatchObject({ path: 'House' });
  });

  it('is made again when it was moved away, with nothing left in the other', async () => {
    await on.put({ 'House/a.md': 'a' });
    const upload = coming(() => on.writer.rename(parseVaultPath('House'), parseVaultPath('Home')));
    await expect(file(PLACE, upload)).resolves.toMatchObject({ status: 'filed' });
    expect(Object.keys(await on.everything()).sort()).toEqual(['Home', 'Home/a.md', 'House', 'House/Files', PLACE]);
  });

  it('may be taken away by another program: then the document is to be sent again', async () => {
    await on.put({ 'House/a.md': 'a' });
    const upload = coming(() => rm(join(on.root, 'House'), { recursive: true }));
    await expect(file(PLACE, upload)).rejects.toMatchObject({
      code: 'locked',
      message: expect.stringMatching(/send it again/),
    });
    expect(await on.everything()).toEqual({});
  });
});

describe('many at once', () => {
  it('of one name: one is filed, the same bytes are unchanged, others are refused', async () => {
    const texts = Array.from({ length: 20 }, (_, i) => `version ${i % 4}`);
    const outcomes = await Promise.all(
      texts.map((text) =>
        file(PLACE, text).then(
          ({ status, sha256 }) => ({ status, sha256 }),
          (error: AppError) => ({ status: error.code, sha256: '' }),
        ),
      ),
    );
    const winner = outcomes.find(({ status }) => status === 'filed');
    expect(hashOf(await on.read(PLACE))).toBe(winner?.sha256);
    const count = (wanted: string) => outcomes.filter(({ status }) => status === wanted).length;
    expect([count('filed'), count('unchanged'), count('already_exists')]).toEqual([1, 4, 15]);
    expect(await readdir(join(on.root, 'House/Files'))).toEqual(['Lease.pdf']);
  });

  it('hold nobody up while their bytes are still on their way', async () => {
    let resolve = () => {};
    const promise = new Promise<void>((done) => {
      resolve = done;
    });
    const slow = file(PLACE, {
      statedBytes: null,
      body: (async function* () {
        yield Buffer.from('slow');
        await promise;
      })(),
    });
    await expect(file(PLACE, 'quick')).resolves.toMatchObject({ status: 'filed' });
    resolve();
    await expect(slow).rejects.toMatchObject({ code: 'already_exists' });
    expect(await on.everything()).toEqual({ House: '/', 'House/Files': '/', [PLACE]: 'quick' });
  });
});
