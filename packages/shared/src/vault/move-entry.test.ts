import { existsSync, linkSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { contentOf, createWritableVault, type WritableVault } from '../../../../test/support/writable-vault.ts';
import { type PathLocks, refuseWhenClosed } from './lock.ts';
import { moveEntry } from './move-entry.ts';
import { parseVaultPath } from './path.ts';
import { type NameCalls, nameCalls } from './take-away.ts';
import { createVaultWriter, type VaultWriter } from './write.ts';

let on: WritableVault;
beforeEach(async () => {
  on = await createWritableVault();
  await on.put({ 'a.md': 'seen' });
});
afterEach(() => on.remove());

const p = parseVaultPath;
const entry = (name: string, path = on.root) => ({ folder: { path, close: async () => {} }, name });

/** What a program does that saves a new version without ever leaving half of one. */
function save(text: string, name = 'a.md'): void {
  writeFileSync(join(on.outside, 'editor'), text);
  renameSync(join(on.outside, 'editor'), join(on.root, name));
}

/** A call that another program's save comes just before, or just after. */
const savedBefore =
  <A extends readonly string[], R>(call: (...args: A) => R) =>
  (...args: A): R => {
    save('newer');
    return call(...args);
  };
const savedAfter =
  <A extends readonly string[]>(call: (...args: A) => void) =>
  (...args: A): void => {
    call(...args);
    save('newer');
  };

/** A writer to whom something happens once, at the very moment before it changes the vault. */
function writerDisturbedBy(act: () => void): VaultWriter {
  let acted = false;
  const locks: PathLocks = {
    owner: on.locks.owner,
    closed: on.locks.closed,
    isAlive() {
      if (!acted) act();
      acted = true;
      return true;
    },
    hold: (claims, work) => on.locks.hold(claims, work),
    close: () => on.locks.close(),
  };
  return createVaultWriter(on.vault, { locks, noteMaxBytes: 0 });
}

describe('a save by another program while a note', () => {
  it.each<[string, Partial<NameCalls>]>([
    ['before it has its new name', { linkSync: savedBefore(nameCalls.linkSync) }],
    ['after it has its new name', { linkSync: savedAfter(nameCalls.linkSync) }],
    ['before it loses the old one', { renameSync: savedBefore(nameCalls.renameSync) }],
  ])('is moved, %s, is kept where it was saved, and nothing is moved', async (_name, calls) => {
    const options = { locks: on.locks, seen: null, calls: { ...nameCalls, ...calls } };
    expect(await moveEntry(entry('a.md'), entry('b.md'), options)).toBe('changed');
    expect(await on.everything()).toEqual({ 'a.md': 'newer' });
  });

  it('is moved has the new version moved, when there is still time', async () => {
    const writer = writerDisturbedBy(() => save('newer'));
    await writer.rename(p('a.md'), p('b.md'));
    expect(await on.everything()).toEqual({ 'b.md': 'newer' });
  });

  it.each([true, false])('is deleted (trash: %s) keeps the note, whose deleter saw another', async (trash) => {
    const writer = writerDisturbedBy(() => save('newer'));
    await expect(writer.removeFile(p('a.md'), { trash })).rejects.toMatchObject({ code: 'locked' });
    expect(await on.read('a.md')).toBe('newer');
  });

  it('is edited is edited itself', async () => {
    const writer = writerDisturbedBy(() => save('newer'));
    await writer.edit(p('a.md'), (current) => `${current?.text} and edited`);
    expect(await on.read('a.md')).toBe('newer and edited');
  });

  it('moves on leaves alone what came to the new name meanwhile', async () => {
    const calls: NameCalls = {
      ...nameCalls,
      renameSync(from, to) {
        save('newer');
        save("somebody's", 'b.md');
        nameCalls.renameSync(from, to);
      },
    };
    expect(await moveEntry(entry('a.md'), entry('b.md'), { locks: on.locks, seen: null, calls })).toBe('changed');
    expect(await on.everything()).toEqual({ 'a.md': 'newer', 'b.md': "somebody's" });
  });
});

const other = '/dev/shm';
const hasOther = existsSync(other);

describe.skipIf(!hasOther)('a file that goes to another file system', () => {
  let there: string;
  beforeEach(async () => {
    there = await mkdtemp(join(other, 'vault-mcp-'));
    expect(statSync(there).dev).not.toBe(statSync(on.root).dev);
  });
  afterEach(() => rm(there, { recursive: true }));

  it('is copied with its time, and goes from where it was', async () => {
    expect(await moveEntry(entry('a.md'), entry('a.md', there), { locks: on.locks, seen: null })).toBe('moved');
    expect(await contentOf(there)).toEqual({ 'a.md': 'seen' });
    expect(await on.everything()).toEqual({});
  });

  it.each<[string, Partial<NameCalls>]>([
    ['while it was copied', { lstatSync: savedBefore(nameCalls.lstatSync) }],
    ['just before it goes', { renameSync: savedBefore(nameCalls.renameSync) }],
  ])('stays when another version was saved %s', async (_name, disturbed) => {
    const calls = { ...nameCalls, ...disturbed };
    expect(await moveEntry(entry('a.md'), entry('a.md', there), { locks: on.locks, seen: null, calls })).toBe(
      'changed',
    );
    expect(await contentOf(there)).toEqual({});
    expect(await on.everything()).toEqual({ 'a.md': 'newer' });
  });
});

describe('work that outlives its locks', () => {
  it.each([
    ['an edit', 'a.md'],
    ['a new note', 'b.md'],
  ])('%s changes nothing any more', async (_name, path) => {
    const change = () => {
      on.locks.close();
      return 'late';
    };
    await on.refused(() => on.writer.edit(p(path), change), 'locked', /stopping/);
  });

  it.each<[string, (writer: VaultWriter) => Promise<unknown>]>([
    ['a move', (writer) => writer.rename(p('a.md'), p('b.md'))],
    ['a move of a folder', (writer) => writer.rename(p('House'), p('Flat'))],
    ['a new folder', (writer) => writer.createFolder(p('New'))],
    ['a deletion', (writer) => writer.removeFile(p('a.md'), { trash: true })],
    ['a deletion for good', (writer) => writer.removeFile(p('a.md'), { trash: false })],
    ['a deletion of a folder', (writer) => writer.removeFolder(p('House'), { trash: false, recursive: true })],
  ])('%s changes nothing any more', async (_name, work) => {
    await on.put({ 'House/b.md': 'b', '.trash/old.md': 'old' });
    const claims = ['a.md', 'b.md', 'House', 'Flat', 'New'].map((path) => ({ path: p(path), tree: true }));
    const late = () =>
      on.writer.holding(claims, (writer) => {
        on.locks.close();
        return work(writer);
      });
    await on.refused(late, 'locked', /stopping/);
    expect(() => refuseWhenClosed(on.locks)).toThrow(/stopping/);
  });
});

it('a file keeps its one name when the old and the new are the same file', async () => {
  linkSync(join(on.root, 'a.md'), join(on.root, 'b.md'));
  expect(await moveEntry(entry('a.md'), entry('b.md'), { locks: on.locks, seen: null })).toBe('taken');
  expect(await moveEntry(entry('a.md'), entry('b.md'), { locks: on.locks, seen: null, resume: true })).toBe('moved');
  expect(await on.everything()).toEqual({ 'b.md': 'seen' });
});
