import { readdirSync, readFileSync, renameSync, type Stats, writeFileSync } from 'node:fs';
import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createTempFolder, type TempFolder } from '../../../../test/support/temp-folder.ts';
import { type NameCalls, nameCalls, takeAway } from './take-away.ts';

let folder: TempFolder;
let [leaf, aside] = ['', ''];
let isMeant: (now: Stats) => boolean;
beforeEach(async () => {
  folder = await createTempFolder('take-away');
  [leaf, aside] = [join(folder.path, 'a.md'), join(folder.path, '.aside')];
  writeFileSync(leaf, 'seen');
  const { ino } = await lstat(leaf);
  isMeant = (now) => now.ino === ino;
});
afterEach(() => folder.remove());

/** What a program does that saves a new version without ever leaving half of one. */
function save(text: string): void {
  writeFileSync(join(folder.path, '.editor'), text);
  renameSync(join(folder.path, '.editor'), leaf);
}

const content = () =>
  Object.fromEntries(readdirSync(folder.path).map((name) => [name, readFileSync(join(folder.path, name), 'utf8')]));

describe('taking a name away from a file', () => {
  it('removes the file that is meant', () => {
    expect(takeAway(leaf, aside, isMeant)).toBe(true);
    expect(content()).toEqual({});
  });

  it('leaves another that was saved before', () => {
    save('newer');
    expect(takeAway(leaf, aside, isMeant)).toBe(false);
    expect(content()).toEqual({ 'a.md': 'newer' });
  });

  it('puts back another that was saved between the look and the change', () => {
    const calls: NameCalls = {
      ...nameCalls,
      renameSync(from, to) {
        save('newer');
        renameSync(from, to);
      },
    };
    expect(takeAway(leaf, aside, isMeant, calls)).toBe(false);
    expect(content()).toEqual({ 'a.md': 'newer' });
  });

  it('keeps the newest of several that were saved meanwhile', () => {
    const calls: NameCalls = {
      ...nameCalls,
      renameSync(from, to) {
        save('newer');
        renameSync(from, to);
        save('newest');
      },
    };
    expect(takeAway(leaf, aside, isMeant, calls)).toBe(false);
    expect(content()).toEqual({ 'a.md': 'newest' });
  });

  it('needs no room on a full disk', () => {
    const calls: NameCalls = {
      ...nameCalls,
      renameSync() {
        throw Object.assign(new Error('no room for a longer name'), { code: 'ENOSPC' });
      },
    };
    expect(takeAway(leaf, aside, isMeant, calls)).toBe(true);
    expect(content()).toEqual({});
  });

  it('changes nothing when it fails', () => {
    const refused = () => {
      throw Object.assign(new Error('not allowed'), { code: 'EPERM' });
    };
    for (const calls of [{ renameSync: refused }, { unlinkSync: (path: string) => path === aside && refused() }]) {
      let failing = true;
      const once = (call: (path: string) => void) => (path: string) => {
        if (!failing) return nameCalls.unlinkSync(path);
        failing = false;
        call(path);
      };
      const { unlinkSync, ...rest } = { ...nameCalls, ...calls };
      const faulty: NameCalls = { ...rest, unlinkSync: once(unlinkSync as (path: string) => void) };
      expect(() => takeAway(leaf, aside, isMeant, faulty)).toThrow('not allowed');
      expect(content()).toEqual({ 'a.md': 'seen' });
    }
  });
});
