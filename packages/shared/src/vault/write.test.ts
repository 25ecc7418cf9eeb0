import { chmod, chown, lstat, readdir, readFile, rename, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  contentOf,
  createWritableVault,
  NOTE_MAX_BYTES,
  type WritableVault,
} from '../../../../test/support/writable-vault.ts';
import { sha256Hex } from './note/text.ts';
import { parseVaultPath, type VaultPath } from './path.ts';
import type { NoteFile } from './read.ts';
import type { VaultWriter, WriteOptions } from './write.ts';

const isRoot = process.getuid?.() === 0;

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

describe('edit', () => {
  it('makes a note with its folders, and says what it made', async () => {
    const result = await write('House/Deep/Heating.md', 'warm\n');
    expect(await on.read('House/Deep/Heating.md')).toBe('warm\n');
    expect(result).toMatchObject({
      path: 'House/Deep/Heating.md',
      etag: sha256Hex(Buffer.from('warm\n')),
      etagBefore: null,
      before: null,
      created: true,
      changed: true,
      madeFolders: ['House', 'House/Deep'],
      dryRun: false,
    });
    expect(Object.keys(await on.everything()).sort()).toEqual(['House', 'House/Deep', 'House/Deep/Heating.md']);
  });

  it('hands the change what is there, and answers both versions', async () => {
    await on.put({ 'a.md': 'old' });
    const result = await writer.edit(p('a.md'), async (current) => `${(current as NoteFile).text} and new`);
    expect(await on.read('a.md')).toBe('old and new');
    expect(result).toMatchObject({
      etagBefore: sha256Hex(Buffer.from('old')),
      etag: sha256Hex(Buffer.from('old and new')),
      created: false,
    });
    expect(result.before?.toString()).toBe('old');
    expect(result.after.toString()).toBe('old and new');
  });

  it('writes bytes as they are given', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'binary', maxLength: 200 }), async (text) => {
        const { etag } = await write('any.md', text);
        const bytes = await readFile(join(on.root, 'any.md'));
        expect(bytes.equals(Buffer.from(text))).toBe(true);
        expect(etag).toBe(sha256Hex(bytes));
      }),
      { numRuns: 30 },
    );
  });

  it('leaves a file alone that would stay the same', async () => {
    await on.put({ 'a.md': 'same' });
    const before = await lstat(join(on.root, 'a.md'));
    expect(await write('a.md', 'same')).toMatchObject({ changed: false, created: false });
    expect((await lstat(join(on.root, 'a.md'))).ino).toBe(before.ino);
  });

  it('keeps the mode of what it replaces', async () => {
    await on.put({ 'a.md': 'old' });
    await chmod(join(on.root, 'a.md'), 0o640);
    await write('a.md', 'new');
    expect((await lstat(join(on.root, 'a.md'))).mode & 0o7777).toBe(0o640);
  });

  it.skipIf(!isRoot)('keeps the owner where it may', async () => {
    await on.put({ 'a.md': 'old' });
    await chown(join(on.root, 'a.md'), 1234, 2345);
    await write('a.md', 'new');
    expect(await lstat(join(on.root, 'a.md'))).toMatchObject({ uid: 1234, gid: 2345 });
  });

  it.skipIf(isRoot)('does not replace a note that is marked read-only, nor write where it may not', async () => {
    await on.put({ 'a.md': 'old', 'House/b.md': 'b' });
    await chmod(join(on.root, 'a.md'), 0o444);
    await chmod(join(on.root, 'House'), 0o555);
    await on.refused(() => write('a.md', 'new'), 'out_of_scope', /no permission/);
    await on.refused(() => write('House/b.md', 'new'), 'out_of_scope', /no permission/);
    await on.refused(() => write('House/b.md', 'new', { dryRun: true }), 'out_of_scope', /no permission/);
    await chmod(join(on.root, 'House'), 0o755);
  });

  it('writes a note whose name fills all the bytes there are', async () => {
    const path = `${'é'.repeat(126)}.md`;
    await write(path, 'one');
    await write(path, 'two');
    expect(await on.read(path)).toBe('two');
  });

  it('keeps the spelling on disk of a note that is named in another normal form', async () => {
    await on.put({ 'House/cafe\u0301.md': 'coffee' });
    expect(await write('House/café.md', 'tea')).toMatchObject({ path: 'House/cafe\u0301.md', created: false });
    expect(await readdir(join(on.root, 'House'))).toEqual(['cafe\u0301.md']);
  });

  it('changes nothing when the change throws, not even folders', async () => {
    await on.put({ 'a.md': 'old' });
    const failing = () => Promise.reject(new Error('no such heading'));
    await expect(writer.edit(p('a.md'), failing)).rejects.toThrow('no such heading');
    await expect(writer.edit(p('New/a.md'), failing)).rejects.toThrow('no such heading');
    expect(await on.everything()).toEqual({ 'a.md': 'old' });
  });

  it('computes anew when another program writes the note meanwhile', async () => {
    await on.put({ 'a.md': 'one' });
    const seen: string[] = [];
    await writer.edit(p('a.md'), async (current) => {
      seen.push(current?.text ?? '');
      // An editor saves in place the first time, and by rename the second time.
      if (seen.length === 1) await writeFile(join(on.root, 'a.md'), 'two');
      if (seen.length === 2) {
        await writeFile(join(on.root, 'b.md'), 'three');
        await rename(join(on.root, 'b.md'), join(on.root, 'a.md'));
      }
      return `${current?.text} more`;
    });
    expect(seen).toEqual(['one', 'two', 'three']);
    expect(await on.everything()).toEqual({ 'a.md': 'three more' });
  });

  it('takes back nothing of another program that makes the same note meanwhile', async () => {
    const result = await writer.edit(p('New/a.md'), async (current) => {
      if (current === null) await on.put({ 'New/a.md': 'theirs' });
      return `${current?.text ?? ''} ours`;
    });
    expect(result).toMatchObject({ created: false });
    expect(await on.everything()).toEqual({ New: '/', 'New/a.md': 'theirs ours' });
  });

  it.each(['House/a.md', 'House/new.md', 'House/Deep/new.md'])(
    'follows no link that takes the place of a folder while it computes %s',
    async (path) => {
      const elsewhere = join(on.outside, 'elsewhere');
      await on.put({ 'House/a.md': 'a', '../elsewhere/a.md': 'canary' });
      const change = async () => {
        await rename(join(on.root, 'House'), join(on.root, 'Aside'));
        await symlink(elsewhere, join(on.root, 'House'));
        return 'ours';
      };
      await expect(writer.edit(p(path), change)).rejects.toEqual(code('invalid_path'));
      expect(await contentOf(elsewhere)).toEqual({ 'a.md': 'canary' });
      expect(await contentOf(join(on.root, 'Aside'))).toEqual({ 'a.md': 'a' });
    },
  );

  it('gives up on a note that another program never stops writing', async () => {
    await on.put({ 'a.md': '0' });
    let count = 0;
    const change = async () => {
      await writeFile(join(on.root, 'a.md'), String(++count).padStart(count, '.'));
      return 'ours';
    };
    await expect(writer.edit(p('a.md'), change)).rejects.toEqual(code('locked'));
    expect(await on.everything()).toEqual({ 'a.md': String(count).padStart(count, '.') });
  });

  it('loses none of many appends made at once', async () => {
    const appends = Array.from({ length: 40 }, (_, i) =>
      writer.edit(p('log.md'), (current) => `${current?.text ?? ''}line ${i}\n`),
    );
    await Promise.all(appends);
    const lines = (await on.read('log.md')).trimEnd().split('\n');
    expect(lines.sort()).toEqual(appends.map((_, i) => `line ${i}`).sort());
  });

  it('refuses what it could not write back byte for byte', async () => {
    await on.put({ 'latin.md': Buffer.from('caf\xe9', 'latin1') });
    await on.refused(() => write('latin.md', 'new'), 'unreadable', /not valid UTF-8/);
    await on.refused(() => write('half.md', 'half a \ud800 pair'), 'invalid_value', /half of a character/);
  });

  it('refuses a note that is, or would be, too large', async () => {
    await on.put({ 'large.md': 'x'.repeat(NOTE_MAX_BYTES + 1) });
    await on.refused(() => write('large.md', 'small'), 'note_too_large');
    await on.refused(() => write('a.md', 'é'.repeat(NOTE_MAX_BYTES / 2 + 1)), 'note_too_large', /1002 bytes/);
    await write('a.md', 'x'.repeat(NOTE_MAX_BYTES));
  });

  it('rewrites a canvas and the index page only for those who say that they mean one', async () => {
    await on.put({ 'plan.canvas': '{}' });
    await on.refused(() => write('plan.canvas', '[]'), 'unsupported_suffix');
    await write('plan.canvas', '[]', { target: 'canvas', mustExist: true });
    await on.refused(() => write('a.md', '[]', { target: 'canvas' }), 'unsupported_suffix');
    await on.refused(() => write('index.md', '# Index'), 'invalid_path', /protected/);
    await write('index.md', '# Index', { target: 'index-page' });
    expect(await on.everything()).toEqual({ 'plan.canvas': '[]', 'index.md': '# Index' });
  });
});

describe('a dry run', () => {
  it('answers what would be and changes nothing, whoever holds the lock', async () => {
    await on.put({ 'a.md': 'old', 'House/b.md': 'b' });
    const before = await on.everything();
    await on.locks.hold([{ path: '' as VaultPath, tree: true }, { path: p('a.md') }], async () => {
      expect(await write('a.md', 'new', { dryRun: true })).toMatchObject({
        dryRun: true,
        changed: true,
        etagBefore: sha256Hex(Buffer.from('old')),
        etag: sha256Hex(Buffer.from('new')),
      });
      expect(await write('X/Y/c.md', 'c', { dryRun: true })).toMatchObject({
        created: true,
        madeFolders: ['X', 'X/Y'],
      });
      expect(await writer.createFolder(p('X/Y'), { dryRun: true })).toMatchObject({ made: ['X', 'X/Y'] });
      const options = { trash: true, dryRun: true };
      expect(await writer.removeFile(p('a.md'), options)).toMatchObject({ path: 'a.md', trashed: null });
      expect(await writer.removeFolder(p('House'), { ...options, recursive: true })).toMatchObject({
        files: [{ path: 'House/b.md', kind: 'note' }],
      });
      expect(await writer.rename(p('a.md'), p('X/a.md'), { dryRun: true })).toMatchObject({ madeFolders: ['X'] });
    });
    expect(await on.everything()).toEqual(before);
  });
});

describe('createFolder', () => {
  it('makes parents, names every one, and is content with what is there', async () => {
    await on.put({ 'House/a.md': 'a' });
    expect(await writer.createFolder(p('House/Deep/Deeper'))).toMatchObject({
      made: ['House/Deep', 'House/Deep/Deeper'],
    });
    expect(await writer.createFolder(p('House/Deep'))).toMatchObject({ path: 'House/Deep', made: [] });
  });

  it('refuses names of files, files, other cases and the root', async () => {
    await on.put({ 'House/plan': 'an attachment' });
    await on.refused(() => writer.createFolder(p('new.md')), 'invalid_path', /named like a file/);
    await on.refused(() => writer.createFolder(p('House/plan')), 'already_exists', /is a file/);
    await on.refused(() => writer.createFolder(p('House/plan/x')), 'not_a_directory');
    await on.refused(() => writer.createFolder(p('house')), 'already_exists', /"House"/);
    await on.refused(() => writer.createFolder(p('')), 'invalid_path', /vault itself/);
    await on.refused(() => writer.createFolder(p('Garden'), { scope: p('House') }), 'out_of_scope');
  });

  it('is asked by many at once and made by one', async () => {
    const results = await Promise.all(Array.from({ length: 10 }, () => writer.createFolder(p('A/B'))));
    expect(results.filter(({ made }) => made.length > 0)).toHaveLength(1);
  });
});

describe('holding', () => {
  it('does several changes as one, with no lock taken twice', async () => {
    const done: string[] = [];
    const claims = [{ path: p('a.md') }, { path: p('New'), tree: true }];
    const both = writer.holding(claims, async (inner) => {
      await inner.edit(p('a.md'), () => 'one');
      await inner.rename(p('a.md'), p('New/a.md'));
      await inner
        .edit(p('new/A.md'), () => 'two', { mustExist: true })
        .catch(() => inner.edit(p('New/a.md'), () => 'two'));
      done.push('both');
    });
    const later = writer.edit(p('New/a.md'), (current) => {
      done.push('later');
      return `${current?.text} three`;
    });
    await Promise.all([both, later]);
    expect(done).toEqual(['both', 'later']);
    expect(await on.read('New/a.md')).toBe('two three');
  });

  it('refuses paths that were not claimed', async () => {
    await on.put({ 'a.md': 'a', 'b.md': 'b' });
    const holding = (work: (inner: VaultWriter) => Promise<unknown>) => writer.holding([{ path: p('a.md') }], work);
    await expect(holding((inner) => inner.edit(p('b.md'), () => 'x'))).rejects.toThrow(/not among the paths/);
    await expect(holding((inner) => inner.rename(p('a.md'), p('c.md')))).rejects.toThrow(/not among the paths/);
    expect(await on.everything()).toEqual({ 'a.md': 'a', 'b.md': 'b' });
  });
});
