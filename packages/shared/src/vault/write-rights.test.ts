import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createWritableVault, type WritableVault } from '../../../../test/support/writable-vault.ts';
import { type AccessRule, createAccess } from './access.ts';
import { parseVaultPath, type VaultPath } from './path.ts';
import { viewOf } from './view.ts';
import { createVaultWriter, type VaultWriter } from './write.ts';

const p = parseVaultPath;

let on: WritableVault;
beforeEach(async () => {
  on = await createWritableVault();
  await on.put({
    'Mine/a.md': 'one\n',
    'Mine/Log/day.md': 'first\n',
    'Mine/Kept/k.md': 'kept\n',
    'Mine/scan.pdf': 'pdf',
    'Log/l.md': '# Log\n\nfirst\n',
    'Other/o.md': 'other\n',
    'Other/Sub/s.md': 's\n',
    'Seen/s.md': 'seen\n',
  });
  await symlink('o.md', join(on.root, 'Other/link.md'));
});
afterEach(() => on.remove());

const RULES: readonly AccessRule[] = [
  { prefix: 'Mine', read: true, write: true },
  { prefix: 'Mine/Kept', write: false },
  { prefix: 'Log', read: true, write: 'append' },
  { prefix: 'Seen', read: true },
  { prefix: 'Made/Below', read: true, write: true },
];

function writerOf(rules: readonly AccessRule[] = RULES): VaultWriter {
  return createVaultWriter(viewOf(on.vault, createAccess(rules)), { locks: on.locks, noteMaxBytes: 1000 });
}

const upload = () => ({
  statedBytes: null,
  body: (async function* () {
    yield Buffer.from('other bytes');
  })(),
});

/** Every way to write, aimed at one path. */
const EVERY_WAY: readonly [string, (writer: VaultWriter, path: VaultPath) => Promise<unknown>][] = [
  ['edit', (writer, path) => writer.edit(path, () => 'new')],
  ['an addition', (writer, path) => writer.edit(path, (there) => `${there?.text ?? ''}more`, { act: 'add' })],
  ['replace', (writer, path) => writer.replace(path, () => 'new')],
  ['removal', (writer, path) => writer.removeFile(path, { trash: true })],
  ['removal of a folder', (writer, path) => writer.removeFolder(path, { trash: true, recursive: true })],
  ['a move from there', (writer, path) => writer.rename(path, p('Mine/moved.md'))],
  ['a move to there', (writer, path) => writer.rename(p('Mine/a.md'), path)],
];

describe('what may not be written', () => {
  it.each(EVERY_WAY)('is refused in the same words whether or not it is there: %s', async (_way, write) => {
    const said = async (path: string) => {
      let message = '';
      await on.refused(
        () =>
          write(writerOf(), p(path)).catch((error: Error) => {
            message = error.message.replaceAll(path, 'PATH');
            throw error;
          }),
        'out_of_scope',
      );
      return message;
    };
    const missing = await said('Other/none.md');
    for (const path of ['Other/o.md', 'Other/link.md', 'Other/o.md/below.md', 'Nowhere/o.md', 'OTHER/o.md']) {
      expect(await said(path), path).toBe(missing);
    }
    await said('Seen/s.md');
    await said('Mine/Kept/k.md');
    await said('Mine/Kept/none.md');
  });

  it('is a folder or a document too', async () => {
    const writer = writerOf();
    await on.refused(() => writer.createFolder(p('Other/New')), 'out_of_scope');
    await on.refused(() => writer.createFolder(p('Other/Sub')), 'out_of_scope');
    const filed = { maxBytes: 0, folderName: 'Docs' };
    await on.refused(() => writer.fileDocument(p('Other/Docs/a.pdf'), upload(), filed), 'out_of_scope');
    await on.refused(
      () => writer.placeFile(p('Other/raw.txt'), Buffer.from('x'), { mode: 'create', maxBytes: 0 }),
      'out_of_scope',
    );
  });

  it('is told after protected names and suffixes', async () => {
    const writer = writerOf();
    await on.refused(() => writer.edit('.git/config' as VaultPath, () => 'x'), 'invalid_path', /protected/);
    await on.refused(() => writer.edit(p('index.md'), () => 'x'), 'invalid_path', /protected/);
    await on.refused(() => writer.edit(p('Other/o.txt'), () => 'x'), 'unsupported_suffix', /(?<!write that\.)$/);
    await on.refused(() => writer.edit(p('Other/o'), () => 'x'), 'unsupported_suffix');
  });

  it('holds beside the scope of a request', async () => {
    const writer = writerOf();
    await on.refused(() => writer.edit(p('Mine/a.md'), () => 'x', { scope: p('Log') }), 'out_of_scope');
    await on.refused(() => writer.edit(p('Other/o.md'), () => 'x', { scope: p('Other') }), 'out_of_scope');
  });
});

describe('what stands on the way to where it may be written', () => {
  it('is not named where it may not be seen', async () => {
    await on.put({ Block: 'hidden' });
    const writer = writerOf([{ prefix: 'block/Sub', read: true, write: true }]);
    for (const path of ['Block/Sub/a.md', 'block/Sub/a.md']) {
      await on.refused(() => writer.edit(path as VaultPath, () => 'x'), 'out_of_scope', /something on the way/);
    }
  });
});

describe('a right to write', () => {
  it('covers every way, and folders on the way to it are made', async () => {
    const writer = writerOf();
    await writer.edit(p('Mine/a.md'), () => 'two');
    await writer.rename(p('Mine/a.md'), p('Made/Below/a.md'));
    expect(await on.read('Made/Below/a.md')).toBe('two');
    await writer.removeFile(p('Made/Below/a.md'), { trash: true });
  });

  it('neither moves nor removes a folder of which a part is not to be changed', async () => {
    const writer = writerOf();
    const part = /part of "Mine" is not yours/;
    await on.refused(() => writer.removeFolder(p('Mine'), { trash: true, recursive: true }), 'out_of_scope', part);
    await on.refused(() => writer.rename(p('Mine'), p('Made/Below/Mine')), 'out_of_scope', part);
    await writer.removeFolder(p('Mine/Log'), { trash: true, recursive: true });
    await on.refused(() => writerOf().rename(p('Mine/Kept'), p('Mine/Other')), 'out_of_scope');
  });
});

describe('a right to append', () => {
  const log = p('Log/l.md');

  it('makes what is not there, and adds to what is', async () => {
    const writer = writerOf();
    await writer.edit(p('Log/new.md'), () => 'new\n');
    await writer.createFolder(p('Log/Sub'));
    await writer.fileDocument(p('Log/Docs/a.pdf'), upload(), { maxBytes: 0, folderName: 'Docs' });
    await writer.edit(log, (there) => there?.text.replace('first', 'first\nsecond') ?? '', { act: 'add' });
    expect(await on.read('Log/l.md')).toBe('# Log\n\nfirst\nsecond\n');
  });

  it('neither changes, replaces, moves nor removes', async () => {
    const writer = writerOf();
    await on.refused(() => writer.edit(log, () => 'x'), 'out_of_scope', /add to "Log\/l\.md", not change/);
    await on.refused(() => writer.replace(log, () => 'x'), 'out_of_scope');
    await on.refused(() => writer.removeFile(log, { trash: true }), 'out_of_scope');
    await on.refused(() => writer.rename(log, p('Mine/l.md')), 'out_of_scope');
    await on.refused(() => writer.rename(p('Mine/a.md'), p('Log/a.md')), 'out_of_scope');
    await on.refused(() => writer.removeFolder(p('Log'), { trash: true, recursive: true }), 'out_of_scope');
  });

  it('takes an edit at what it does, not at what it calls itself', async () => {
    const call = () => writerOf().edit(log, () => '# Log\n\nsecond\n', { act: 'add' });
    await on.refused(call, 'out_of_scope', /not change what is there/);
    const dry = () => writerOf().edit(log, () => '# Log\n', { act: 'add', dryRun: true });
    await on.refused(dry, 'out_of_scope');
  });
});
