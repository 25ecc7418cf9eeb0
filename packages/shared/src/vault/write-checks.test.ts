import { execFileSync } from 'node:child_process';
import { readdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createWritableVault, type WritableVault } from '../../../../test/support/writable-vault.ts';
import { sha256Hex } from './note/text.ts';
import { parseVaultPath, type VaultPath } from './path.ts';
import type { VaultWriter, WriteOptions } from './write.ts';

let on: WritableVault;
let writer: VaultWriter;
beforeEach(async () => {
  on = await createWritableVault();
  writer = on.writer;
});
afterEach(() => on.remove());

const p = parseVaultPath;
const write = (path: string, content: string, options: WriteOptions = {}) =>
  writer.edit(p(path), () => content, options);
const code = (expected: string) => expect.objectContaining({ code: expected });

describe('the order of refusals', () => {
  beforeEach(async () => {
    await on.put({ 'House/note.md': 'note', 'House/scan.pdf': 'pdf', 'folder.md/x.md': 'x' });
    await symlink(on.outside, join(on.root, 'linked'));
    await symlink('House/note.md', join(on.root, 'link.md'));
    execFileSync('mkfifo', [join(on.root, 'pipe.md')]);
  });
  const scope = p('House');

  it.each([
    ['a link before a wrong suffix', 'linked/a.txt', {}, 'invalid_path', /symbolic link/],
    ['a link as the note itself', 'link.md', {}, 'invalid_path', /symbolic link/],
    ['a pipe', 'pipe.md', {}, 'invalid_path', /neither a file nor a folder/],
    ['protected before suffix', '.git/config', {}, 'invalid_path', /protected/],
    ['the index page in any case', 'INDEX.md', {}, 'invalid_path', /protected/],
    ['the vault itself', '', {}, 'invalid_path', /vault itself/],
    ['an unportable name before a wrong suffix', 'bad. /a.txt', {}, 'invalid_path', /dot or space/],
    ['a name too long', `${'a'.repeat(253)}.md`, {}, 'invalid_path', /255 bytes.*a shorter one/],
    ['a place too deep', `${'a/'.repeat(100)}a.txt`, {}, 'invalid_path', /folders deep/],
    ['a new folder named like a note', 'new.md/a.md', {}, 'invalid_path', /named like a file/],
    ['suffix before scope', 'Garden/a.txt', { scope }, 'unsupported_suffix', /neither note nor document/],
    ['a document', 'House/scan.pdf', {}, 'is_document', /document/],
    ['scope before existence', 'Garden/a.md', { scope, mustExist: true }, 'out_of_scope', /do not retry/],
    ['a scope in another case', 'house/a.md', { scope }, 'out_of_scope', /"house\/a.md" is not in it/],
    [
      'precondition before existence',
      'House/none.md',
      { mustExist: true, expectedEtag: 'x' },
      'precondition_failed',
      /not there.*without an etag/,
    ],
    ['nothing there, naming what is', 'House/Note.md', { mustExist: true }, 'not_found', /There is "House\/note.md"/],
    ["a folder with a note's name", 'folder.md', {}, 'is_directory', /folder/],
    ['something below a file', 'House/note.md/a.md', {}, 'not_a_directory', /"House\/note.md" is a file/],
    ['another case of a note', 'House/NOTE.md', {}, 'already_exists', /"House\/note.md"/],
    ['another case of a folder', 'HOUSE/Deep/a.md', {}, 'already_exists', /"House"/],
    ['what is there, for a new note', 'House/note.md', { mustNotExist: true }, 'already_exists', /there already/],
  ] as [string, string, WriteOptions, string, RegExp][])('%s', async (_name, path, options, expected, message) => {
    for (const dryRun of [false, true]) {
      const call = () => writer.edit(path as VaultPath, () => 'new', { ...options, dryRun });
      await on.refused(call, expected, message);
    }
  });

  it('lets a scope write what is in it, a single note too', async () => {
    await write('House/new.md', 'new', { scope });
    await write('House/note.md', 'new', { scope: p('House/note.md') });
  });
});

describe('preconditions', () => {
  it('let through whoever saw the version that is there', async () => {
    const { etag } = await write('a.md', 'one');
    await write('a.md', 'two', { expectedEtag: etag });
    await on.refused(() => write('a.md', 'three', { expectedEtag: etag }), 'precondition_failed');
    const current = sha256Hex(Buffer.from('two'));
    await expect(write('a.md', 'three', { expectedEtag: etag })).rejects.toThrow(current);
    await write('a.md', 'three', { expectedEtag: '*' });
  });

  it('come before anything about the content', async () => {
    await on.put({ 'latin.md': Buffer.from([0xff]) });
    await on.refused(() => write('latin.md', 'x', { expectedEtag: 'other' }), 'precondition_failed');
    const change = () => Promise.reject(new Error('the change was asked'));
    await expect(writer.edit(p('latin.md'), change, { expectedEtag: 'other' })).rejects.toEqual(
      code('precondition_failed'),
    );
  });

  it('refuse to make what is there already', async () => {
    await write('a.md', 'one', { ifNoneMatch: true });
    await on.refused(() => write('a.md', 'two', { ifNoneMatch: true }), 'precondition_failed', /there already/);
  });

  it('let exactly one of many through who saw the same version', async () => {
    const { etag } = await write('a.md', 'start');
    const racers = Array.from({ length: 20 }, (_, i) => write('a.md', `racer ${i}`, { expectedEtag: etag }));
    const outcomes = await Promise.allSettled(racers);
    const winners = outcomes.filter(({ status }) => status === 'fulfilled');
    expect(winners).toHaveLength(1);
    const creators = Array.from({ length: 20 }, (_, i) => write('b.md', `racer ${i}`, { mustNotExist: true }));
    const made = await Promise.allSettled(creators);
    expect(made.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });

  it('let exactly one of two spellings be made, folders included', async () => {
    const made = await Promise.allSettled([
      write('House/a.md', '1'),
      write('house/b.md', '2'),
      write('HOUSE/c.md', '3'),
    ]);
    expect(made.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await readdir(on.root)).toHaveLength(1);
  });
});

describe('what is refused', () => {
  const stale = { expectedEtag: 'f'.repeat(64) };
  it.each<[string, string, (writer: VaultWriter) => Promise<unknown>]>([
    ['an edit of another version', 'precondition_failed', (w) => w.edit(p('a.md'), () => 'x', stale)],
    ['an edit of what is not there', 'not_found', (w) => w.edit(p('b.md'), () => 'x', { mustExist: true })],
    ['an edit of a folder', 'is_directory', (w) => w.edit(p('F.md'), () => 'x')],
    ['a new note that is there', 'already_exists', (w) => w.replace(p('a.md'), () => 'x', { mustNotExist: true })],
    ['a replacement of another version', 'precondition_failed', (w) => w.replace(p('a.md'), () => 'x', stale)],
    ['a removal out of scope', 'out_of_scope', (w) => w.removeFile(p('a.md'), { trash: true, scope: p('House') })],
    ['a removal of what is not there', 'not_found', (w) => w.removeFile(p('b.md'), { trash: true })],
    ['a removal of another version', 'precondition_failed', (w) => w.removeFile(p('a.md'), { trash: true, ...stale })],
    ['a removal of a full folder', 'not_empty', (w) => w.removeFolder(p('House'), { trash: true })],
    ['a removal of a folder not there', 'not_found', (w) => w.removeFolder(p('Flat'), { trash: true })],
    ['a folder where a file is', 'already_exists', (w) => w.createFolder(p('plain'))],
    ['a move of what is not there', 'not_found', (w) => w.rename(p('b.md'), p('c.md'))],
    ['a move of another version', 'precondition_failed', (w) => w.rename(p('a.md'), p('c.md'), stale)],
    ['a move onto what is there', 'already_exists', (w) => w.rename(p('a.md'), p('House/a.md'))],
  ])('does not wait for a lock: %s', async (_what, expected, call) => {
    await on.put({ 'a.md': 'a', 'House/a.md': 'a', 'F.md/a.txt': 'a', plain: 'a' });
    const claims = (await readdir(on.root)).map((name) => ({ path: p(name), tree: true }));
    const others = ['b.md', 'c.md', 'Flat'].map((path) => ({ path: p(path), tree: true }));
    await writer.holding([...claims, ...others], async () => {
      await expect(call(writer)).rejects.toEqual(code(expected));
    });
  });
});

describe('a path that lacks its suffix', () => {
  it('is refused with the name of the note that is there', async () => {
    await on.put({ 'House/a.md': 'a', 'House/b.md/c.md': 'no note' });
    const edit = (path: string, options = {}) => on.writer.edit(p(path), () => 'new', options);
    const named = /There is "House\/a\.md"/;
    await on.refused(() => edit('House/a'), 'unsupported_suffix', named);
    await on.refused(() => on.writer.replace(p('House/a'), () => 'new'), 'unsupported_suffix', named);
    await on.refused(() => on.writer.rename(p('House/a'), p('c.md')), 'not_found', named);
    await on.refused(() => on.writer.removeFile(p('House/a'), { trash: true }), 'not_found', named);
    for (const [path, scope] of [
      ['House/a', 'Flat'],
      ['House/b', 'House'],
      ['House/none', 'House'],
    ] as const) {
      await on.refused(() => edit(path, { scope: p(scope) }), 'unsupported_suffix', /^(?!.*There is)/);
    }
  });
});
