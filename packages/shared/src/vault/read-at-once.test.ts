import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createTempFolder, type TempFolder } from '../../../../test/support/temp-folder.ts';
import { hasDescriptorPaths } from './open-leaf.ts';
import { parseVaultPath } from './path.ts';
import { readNoteFile } from './read.ts';
import { type ReadAtOnce, readerAtOnce } from './read-at-once.ts';
import { openVault, type Vault } from './vault.ts';

let folder: TempFolder;
let root: string;
let vault: Vault;
let readAtOnce: ReadAtOnce;
beforeEach(async () => {
  folder = await createTempFolder('read-at-once');
  root = join(folder.path, 'vault');
  mkdirSync(join(root, 'a/b'), { recursive: true });
  writeFileSync(join(root, 'a/b/Note.md'), '\ufeff# Gutters\r\n');
  vault = await openVault(root, { docSuffixes: [] });
  readAtOnce = readerAtOnce(vault);
});
afterEach(() => folder.remove());

const read = (path: string, maxBytes = 0) => readAtOnce(parseVaultPath(path), { maxBytes });

describe.runIf(hasDescriptorPaths)('reading a note at once', () => {
  it('gives what reading it the other way gives', async () => {
    const {
      bytes: _bytes,
      validUtf8: _valid,
      ...note
    } = await readNoteFile(vault, parseVaultPath('a/b/Note.md'), {
      maxBytes: 0,
    });
    expect(read('a/b/Note.md')).toEqual(note);
  });

  it('keeps no part of one note for the next', () => {
    writeFileSync(join(root, 'long.md'), 'long '.repeat(1000));
    writeFileSync(join(root, 'short.md'), 'short');
    const long = read('long.md')?.text;
    expect(read('short.md')?.text).toBe('short');
    expect(long).toBe('long '.repeat(1000));
  });

  it.each([
    ['what is not there', 'a/none.md'],
    ['a note whose name differs in case', 'a/b/note.md'],
    ['a folder', 'a/b'],
    ['the vault itself', ''],
    ['something below a note', 'a/b/Note.md/c.md'],
  ])('leaves to others: %s', (_what, path) => {
    expect(read(path)).toBeNull();
  });

  it('follows no link, neither as the note nor as a folder on the way', () => {
    mkdirSync(join(folder.path, 'outside'));
    writeFileSync(join(folder.path, 'outside/secret.md'), 'secret');
    symlinkSync(join(folder.path, 'outside'), join(root, 'linked'));
    symlinkSync(join(folder.path, 'outside/secret.md'), join(root, 'linked.md'));
    expect([read('linked/secret.md'), read('linked.md')]).toEqual([null, null]);
  });

  it('does not wait for the other end of a pipe', () => {
    execFileSync('mkfifo', [join(root, 'pipe.md')]);
    expect(read('pipe.md')).toBeNull();
  });

  it('leaves to others what is larger than is allowed, or than one file may hold up the rest', () => {
    const { length } = '\ufeff# Gutters\r\n';
    expect(read('a/b/Note.md', length)).toBeNull();
    expect(read('a/b/Note.md', length + 2)?.text).toHaveLength(length);
    writeFileSync(join(root, 'large.md'), 'x'.repeat(1_048_577));
    expect(read('large.md')).toBeNull();
  });

  it('reads nothing where names are not told apart by case, or the vault is gone', () => {
    expect(readerAtOnce({ root, caseSensitive: false })(parseVaultPath('a/b/Note.md'), { maxBytes: 0 })).toBeNull();
    rmSync(root, { recursive: true });
    expect(read('a/b/Note.md')).toBeNull();
  });
});
