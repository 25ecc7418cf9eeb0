import { link, mkdir, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createWritableVault, type WritableVault } from '../../../../test/support/writable-vault.ts';
import { sha256Hex } from './note/text.ts';
import { parseVaultPath } from './path.ts';
import type { VaultWriter } from './write.ts';

let on: WritableVault;
let writer: VaultWriter;
beforeEach(async () => {
  on = await createWritableVault();
  writer = on.writer;
});
afterEach(() => on.remove());

const p = parseVaultPath;

describe('rename', () => {
  const rename = (source: string, destination: string, options = {}) =>
    writer.rename(p(source), p(destination), options);

  it('moves a file as it is, making folders', async () => {
    await on.put({ 'a.md': Buffer.from([0x63, 0xe9]) });
    await utimes(join(on.root, 'a.md'), 1000, 1000);
    expect(await rename('a.md', 'New/Deep/b.md')).toEqual({
      source: 'a.md',
      destination: 'New/Deep/b.md',
      kind: 'note',
      etag: sha256Hex(Buffer.from([0x63, 0xe9])),
      madeFolders: ['New', 'New/Deep'],
      dryRun: false,
    });
    expect(await on.everything()).toEqual({ New: '/', 'New/Deep': '/', 'New/Deep/b.md': 'c\xe9' });
    expect((await stat(join(on.root, 'New/Deep/b.md'))).mtimeMs).toBe(1_000_000);
  });

  it('moves a folder with everything in it, hidden things too', async () => {
    await on.put({ 'House/a.md': 'a', 'House/.obsidian/x': 'x' });
    expect(await rename('House', 'Places/Home')).toMatchObject({ kind: 'folder', etag: null });
    expect(await on.everything()).toMatchObject({ 'Places/Home/a.md': 'a', 'Places/Home/.obsidian/x': 'x' });
    expect(await on.everything()).not.toHaveProperty('House');
  });

  it.each([
    ['a note', 'note.md', 'Note.md'],
    ['a folder', 'folder', 'Folder'],
    ['a note, in form only', 'cafe\u0301.md', 'café.md'],
  ])('changes only case or normal form of %s', async (_name, source, destination) => {
    await on.put({ 'note.md': 'n', 'folder/x.md': 'x', 'cafe\u0301.md': 'c' });
    const before = Object.keys(await on.everything()).length;
    expect(await rename(source, destination)).toMatchObject({ source, destination });
    const after = Object.keys(await on.everything());
    expect(after).toContain(destination);
    expect(after).not.toContain(source);
    expect(after).toHaveLength(before);
  });

  it.each([
    ['another name', 'b.md'],
    ['a name in another folder', 'House/a.md'],
    ['the same name in another case', 'A.md'],
  ])('completes what a crash left under two names, %s being the new one', async (_name, destination) => {
    await on.put({ 'a.md': 'a', 'House/x.md': 'x' });
    await link(join(on.root, 'a.md'), join(on.root, destination));
    await on.refused(() => rename('a.md', destination), 'already_exists');
    expect(await rename('a.md', destination, { resume: true })).toMatchObject({ source: 'a.md', destination });
    expect(await on.everything()).toEqual({ House: '/', 'House/x.md': 'x', [destination]: 'a' });
  });

  it('completes one of normal form alone too', async () => {
    await on.put({ 'cafe\u0301.md': 'c' });
    await link(join(on.root, 'cafe\u0301.md'), join(on.root, 'caf\u00e9.md'));
    await rename('cafe\u0301.md', 'caf\u00e9.md', { resume: true });
    expect(await on.everything()).toEqual({ 'caf\u00e9.md': 'c' });
  });

  it('is content with the name that is there', async () => {
    await on.put({ 'a.md': 'a' });
    await rename('a.md', 'a.md');
    expect(await on.everything()).toEqual({ 'a.md': 'a' });
  });

  it('replaces nothing and changes no kind', async () => {
    await on.put({
      'a.md': 'a',
      'b.md': 'b',
      'scan.pdf': 's',
      'Full/x.md': 'x',
      'House/y.md': 'y',
      'cafe\u0301.md': 'c',
    });
    await mkdir(join(on.root, 'Empty'));
    await on.refused(() => rename('a.md', 'b.md'), 'already_exists', /"b.md" is there already/);
    await on.refused(() => rename('a.md', 'B.md'), 'already_exists', /"b.md"/);
    await on.refused(() => rename('a.md', 'café.md'), 'already_exists');
    await on.refused(() => rename('a.md', 'full/a.md'), 'already_exists', /"Full"/);
    await on.refused(() => rename('House', 'Full'), 'already_exists');
    await on.refused(() => rename('House', 'Empty'), 'already_exists');
    await on.refused(() => rename('a.md', 'a.pdf'), 'kind_change');
    await on.refused(() => rename('scan.pdf', 'scan.md'), 'kind_change');
    await on.refused(() => rename('a.md', 'a'), 'kind_change');
    await on.refused(() => rename('House', 'House.md'), 'invalid_path', /named like a file/);
    await on.refused(() => rename('House', 'House/Deep/House'), 'invalid_path', /into itself/);
  });

  it('refuses protected names, bad names, other scopes and other versions', async () => {
    await on.put({ 'a.md': 'a', 'index.md': 'i', 'House/x.md': 'x' });
    await on.refused(() => rename('index.md', 'b.md'), 'invalid_path', /protected/);
    await on.refused(() => rename('a.md', 'Index.md'), 'invalid_path', /protected/);
    await on.refused(() => rename('a.md', 'b .md/c.md'), 'invalid_path', /named like a file/);
    await on.refused(() => rename('a.md', 'b./c.md'), 'invalid_path', /dot or space/);
    await on.refused(() => rename('a.md', 'House/a.md', { scope: p('House') }), 'out_of_scope');
    await on.refused(() => rename('House/x.md', 'x.md', { scope: p('House') }), 'out_of_scope');
    await on.refused(() => rename('a.md', 'b.md', { expectedEtag: 'other' }), 'precondition_failed');
    await on.refused(() => rename('none.md', 'b.md'), 'not_found');
  });

  it('says of a folder at the destination that it is one, and names the path that was probably meant', async () => {
    await on.put({ 'a.md': 'a', 'House/x.md': 'x', 'Flat/y.md': 'y' });
    await on.refused(() => rename('a.md', 'House'), 'already_exists', /"House" is a folder.*"House\/a\.md"/);
    await on.refused(() => rename('Flat', 'House'), 'already_exists', /"House" is a folder.*"House\/Flat"/);
    const into = { intoFolder: true };
    await on.refused(() => rename('a.md', 'House', into), 'already_exists', /"House\/a\.md"/);
    await on.refused(() => rename('a.md', 'New', into), 'kind_change', /"New\/" would be a folder.*"New\/a\.md"/);
    await rename('Flat', 'New', into);
    expect(await on.read('New/y.md')).toBe('y');
  });

  it('says that the version is another before it says that the kind would be', async () => {
    await on.put({ 'a.md': 'a', 'House/x.md': 'x' });
    for (const destination of ['a.pdf', 'House']) {
      await on.refused(() => rename('a.md', destination, { expectedEtag: 'other' }), 'precondition_failed');
    }
  });

  it('has one winner of many that want the same name', async () => {
    const sources = Array.from({ length: 10 }, (_, i) => `${i}.md`);
    await on.put(Object.fromEntries(sources.map((source) => [source, source])));
    const moved = await Promise.allSettled(sources.map((source) => rename(source, 'New/it.md')));
    expect(moved.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(Object.keys(await on.everything())).toHaveLength(sources.length + 1);
  });
});
