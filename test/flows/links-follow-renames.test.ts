/** What the running indexer does to links when other programs rename files or take names: real watcher, real files. */
import { existsSync, readFileSync, renameSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { type IndexedVault, type IndexedVaultOptions, indexVault } from '../support/indexed-vault.ts';

const BOTH = { LINKS_REPAIR: 'true', LINKS_AUTO_QUALIFY: 'true' };
const FILES = {
  'a/Old.md': 'What is old.\n',
  'a/Note.md': 'The first.\n',
  'x.md': 'See [[Old]] and [[Note|the note]].\n',
};

let vault: IndexedVault | undefined;
afterEach(async () => {
  await vault?.remove();
  vault = undefined;
});

async function watched(options: IndexedVaultOptions = {}): Promise<IndexedVault> {
  vault = await indexVault({ files: FILES, watch: true, env: BOTH, ...options });
  await vault.settled();
  await quiet(vault);
  return vault;
}

/** Resolves once the indexer has found the vault quiet after what has happened until now. */
async function quiet({ put, reader, until }: IndexedVault): Promise<void> {
  // Something has to happen in a pass, or it does not end.
  put('mark.md', `${Math.random()}`);
  const seen = reader.generation();
  await until(() => reader.generation() > seen, 'the mark to be seen');
  const { pass } = reader.fileHistory();
  await until(() => reader.fileHistory().pass > pass, 'a quiet moment');
}

function read({ vaultPath }: IndexedVault, path: string): string {
  return readFileSync(join(vaultPath, path), 'utf8');
}

function rename({ vaultPath }: IndexedVault, from: string, to: string): void {
  renameSync(join(vaultPath, from), join(vaultPath, to));
}

describe('a vault whose links are kept', () => {
  it('follows a rename, and tells namesakes apart, while it is watched; and finds the note by its new links', async () => {
    const { put, until, reader } = await watched();
    rename(vault as IndexedVault, 'a/Old.md', 'New name.md');
    put('b/Note.md', 'The second.\n');
    const text = 'See [[New name]] and [[a/Note|the note]].\n';
    await until(() => read(vault as IndexedVault, 'x.md') === text, 'both links to be rewritten');
    await until(() => {
      const row = reader.fileByPath('x.md');
      return row !== undefined && reader.linksOf(row)?.[0]?.target === 'New name';
    }, 'the new links to be in the index');
  });

  it('follows a folder that was renamed', async () => {
    const names = Array.from({ length: 60 }, (_, i) => `n${i}`);
    const files = Object.fromEntries(names.map((name) => [`a/${name}.md`, `This is ${name}, see [[a/n0]].\n`]));
    const all = names.map((name) => `[[a/${name}]]`).join(' ');
    const { until } = await watched({ files: { ...files, 'x.md': all } });
    rename(vault as IndexedVault, 'a', 'b');
    await until(() => read(vault as IndexedVault, 'x.md') === all.replaceAll('[[a/', '[[b/'), 'links to follow');
    await until(
      () => names.every((name) => read(vault as IndexedVault, `b/${name}.md`).endsWith('see [[b/n0]].\n')),
      'the links inside of the folder to follow',
    );
  });

  it('follows what was renamed while nothing ran', async () => {
    const first = await watched();
    await first.stop();
    rename(first, 'a/Old.md', 'New name.md');
    vault = await indexVault({ base: first.base, watch: true, env: BOTH });
    const again = vault;
    await again.until(() => read(again, 'x.md').includes('[[New name]]'), 'the link to follow');
  });

  it('leaves a file that the link meant and that is only gone, and one that two could be', async () => {
    const kept = await watched({ files: { ...FILES, 'y.md': '[[Gone]]\n', 'a/Gone.md': 'Was here.\n' } });
    unlinkSync(join(kept.vaultPath, 'a/Gone.md'));
    kept.put('b/One.md', 'What is old.\n');
    kept.put('b/Two.md', 'What is old.\n');
    unlinkSync(join(kept.vaultPath, 'a/Old.md'));
    await kept.until(() => kept.reader.fileHistory().departed.length === 2, 'both to be gone');
    await quiet(kept);
    expect([read(kept, 'x.md'), read(kept, 'y.md')]).toEqual([FILES['x.md'], '[[Gone]]\n']);
  });
});

const off: [string, IndexedVaultOptions['env']][] = [
  ['by default', {}],
  ['of a server that only reads', { ...BOTH, READ_ONLY: 'true' }],
];
describe('a vault whose links are not kept', () => {
  it.each(off)('%s is left as it is', async (_name, env) => {
    const kept = await watched({ env: env ?? {} });
    rename(kept, 'a/Old.md', 'New name.md');
    kept.put('b/Note.md', 'The second.\n');
    await kept.until(() => kept.reader.fileHistory().departed.length === 1, 'the rename to be seen');
    await quiet(kept);
    expect(read(kept, 'x.md')).toBe(FILES['x.md']);
    expect(existsSync(join(kept.vaultPath, 'a/Old.md'))).toBe(false);
  });
});
