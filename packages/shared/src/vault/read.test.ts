import { mkdir, readdir, rename, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text as readText } from 'node:stream/consumers';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTempFolder, type TempFolder } from '../../../../test/support/temp-folder.ts';
import { decodeNote, encodeNote, sha256Hex } from './note/text.ts';
import { openLeaf } from './open-leaf.ts';
import { parseVaultPath } from './path.ts';
import { listFolder, openFileStream, readFileBytes, readNoteFile } from './read.ts';
import { openVault, type Vault } from './vault.ts';

let folder: TempFolder;
let vault: Vault;

beforeAll(async () => {
  folder = await createTempFolder('read');
  const root = join(folder.path, 'vault');
  await mkdir(join(root, 'b', 'Sub'), { recursive: true });
  await mkdir(join(root, '.hidden'));
  await writeFile(join(root, 'note.md'), '\ufeff# Grüße\r\n');
  await writeFile(join(root, 'latin.md'), Buffer.from([0x63, 0x61, 0x66, 0xe9]));
  await writeFile(join(root, 'utf16.md'), Buffer.from('\ufeffhello', 'utf16le'));
  await writeFile(join(root, 'nul.md'), 'a\0b');
  await writeFile(join(root, 'empty.md'), '');
  await writeFile(join(root, 'big.md'), 'x'.repeat(1001));
  await writeFile(join(root, 'manual.pdf'), '0123456789');
  await writeFile(join(root, 'Z.png'), 'png');
  await writeFile(join(root, 'b', 'in.md'), 'in');
  await writeFile(join(root, 'b', 'Sub', 'deep.md'), 'deep');
  await writeFile(join(root, 'b\\c.md'), 'no one can ask for this');
  await symlink(root, join(root, 'loop'));
  vault = await openVault(root, { docSuffixes: ['.pdf'] });
});
afterAll(() => folder.remove());

const read = (path: string, maxBytes = 1000) => readNoteFile(vault, parseVaultPath(path), { maxBytes });

describe('readNoteFile', () => {
  it('answers bytes, text with its byte order mark, and the hash of the bytes', async () => {
    const note = await read('note.md');
    expect(note).toMatchObject({ path: 'note.md', text: '\ufeff# Grüße\r\n', validUtf8: true });
    expect(encodeNote(note.text)).toEqual(note.bytes);
    expect(note.sha256).toBe(sha256Hex(note.bytes));
    expect(note.stat.size).toBe(note.bytes.length);
  });

  it('shows what is no UTF-8, marked as such', async () => {
    expect(await read('latin.md')).toMatchObject({ text: 'caf\ufffd', validUtf8: false });
    expect(await read('utf16.md')).toMatchObject({ text: '\ufeffhello', validUtf8: false });
  });

  it('reads a NUL and an empty file as they are', async () => {
    expect((await read('nul.md')).text).toBe('a\0b');
    expect((await read('empty.md')).bytes).toHaveLength(0);
  });

  it('refuses a note over the limit, and reads it with none', async () => {
    await expect(read('big.md')).rejects.toMatchObject({
      code: 'note_too_large',
      message: expect.stringContaining('note_max_bytes'),
    });
    expect((await read('big.md', 1001)).bytes).toHaveLength(1001);
    expect((await read('big.md', 0)).bytes).toHaveLength(1001);
  });

  it.each([
    ['b', 'is_directory'],
    ['manual.pdf', 'is_document'],
    ['Z.png', 'unsupported_suffix'],
    ['none.md', 'not_found'],
    ['loop/note.md', 'invalid_path'],
  ])('refuses %j as %s', async (path, code) => {
    await expect(read(path)).rejects.toMatchObject({ code });
  });

  it('encodes what it decoded to the same bytes, for all valid UTF-8', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 40 }), fc.string({ unit: 'binary' }), (noise, text) => {
        for (const bytes of [Buffer.from(noise), Buffer.from(text)]) {
          const decoded = decodeNote(bytes);
          if (decoded.validUtf8) expect(encodeNote(decoded.text).equals(bytes)).toBe(true);
        }
      }),
    );
  });
});

describe('the moment between looking and opening', () => {
  it.runIf(process.platform === 'linux')('gives a parent swapped for a link no way out', async () => {
    const inside = join(vault.root, 'swapped');
    const outside = join(folder.path, 'outside');
    await mkdir(inside);
    await mkdir(outside);
    await writeFile(join(inside, 'x.md'), 'inside');
    await writeFile(join(outside, 'x.md'), 'outside');
    const located = await vault.locate(parseVaultPath('swapped/x.md'));
    await rename(inside, `${inside}-gone`);
    await symlink(outside, inside);
    await expect(openLeaf(vault, located)).rejects.toMatchObject({ code: 'invalid_path' });
  });

  it('gives a leaf swapped for a link no way out', async () => {
    const leaf = join(vault.root, 'leaf.md');
    await writeFile(leaf, 'inside');
    const located = await vault.locate(parseVaultPath('leaf.md'));
    await rename(leaf, `${leaf}.old`);
    await symlink(join(folder.path, 'outside', 'x.md'), leaf);
    await expect(openLeaf(vault, located)).rejects.toMatchObject({ code: 'invalid_path' });
  });

  it('says when the file is gone', async () => {
    const located = await vault.locate(parseVaultPath('note.md'));
    await rename(located.absolute, `${located.absolute}.away`);
    await expect(openLeaf(vault, located)).rejects.toMatchObject({ code: 'not_found' });
    await rename(`${located.absolute}.away`, located.absolute);
  });
});

describe('bytes and streams', () => {
  it('reads any file whole, up to a limit', async () => {
    const path = parseVaultPath('manual.pdf');
    expect((await readFileBytes(vault, path, { maxBytes: 10 })).bytes.toString()).toBe('0123456789');
    await expect(readFileBytes(vault, path, { maxBytes: 9 })).rejects.toMatchObject({ code: 'document_too_large' });
  });

  it.each([
    [undefined, '0123456789'],
    [{ start: 0, end: 0 }, '0'],
    [{ start: 3, end: 5 }, '345'],
    [{ start: 8, end: 100 }, '89'],
  ])('streams the range %j, both ends included', async (range, expected) => {
    const { stream, stat } = await openFileStream(vault, parseVaultPath('manual.pdf'), range);
    expect(await readText(stream)).toBe(expected);
    expect(stat.size).toBe(10);
  });

  it('leaves no descriptor open', async () => {
    const open = async () => (process.platform === 'linux' ? (await readdir('/proc/self/fd')).length : 0);
    await read('note.md');
    const before = await open();
    for (let i = 0; i < 20; i++) {
      await read('note.md');
      await read('big.md', 5).catch(() => {});
      await read('loop/note.md').catch(() => {});
      await listFolder(vault, parseVaultPath(''), { recursive: true });
      await readText((await openFileStream(vault, parseVaultPath('manual.pdf'))).stream);
    }
    expect(await open()).toBeLessThanOrEqual(before + 2);
  });
});

describe('listFolder', () => {
  const paths = async (path: string, recursive = false) =>
    (await listFolder(vault, parseVaultPath(path), { recursive })).map((entry) => entry.path);

  it('lists folders before files, each by name, without what is hidden, linked or cannot be asked for', async () => {
    const names = (await paths('')).filter((path) => !/^(swapped|leaf)/.test(path));
    expect(names).toEqual([
      'b',
      'Z.png',
      'big.md',
      'empty.md',
      'latin.md',
      'manual.pdf',
      'note.md',
      'nul.md',
      'utf16.md',
    ]);
  });

  it('lets the content of a folder follow it when asked for everything', async () => {
    expect(await paths('b', true)).toEqual(['b/Sub', 'b/Sub/deep.md', 'b/in.md']);
  });

  it('describes each entry', async () => {
    expect(await listFolder(vault, parseVaultPath('b'))).toEqual([
      { name: 'Sub', path: 'b/Sub', type: 'folder', size: 0, modified: expect.stringMatching(/^\d{4}-.*Z$/) },
      { name: 'in.md', path: 'b/in.md', type: 'note', size: 2, modified: expect.stringMatching(/^\d{4}-.*Z$/) },
    ]);
  });

  it('refuses a file', async () => {
    await expect(paths('note.md')).rejects.toMatchObject({ code: 'not_a_directory' });
  });
});
