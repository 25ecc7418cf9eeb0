import { chmodSync, mkdirSync, renameSync, rmSync, statSync, symlinkSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createTempFolder, type TempFolder } from '../../../../test/support/temp-folder.ts';
import { fillVault, type PutFile } from '../../../../test/support/vault-files.ts';
import { createNoteCache, type LookOptions, type NoteCacheOptions } from './note-cache.ts';
import type { VaultPath } from './path.ts';

const isRoot = process.getuid?.() === 0;
const ROOT = '' as VaultPath;
const EVERYTHING: LookOptions = { maxBytes: 0, isIgnored: () => false };
/** Times as FAT keeps them, but all of them one. */
const ONE_TICK = () => 0n;

let folder: TempFolder;
let put: PutFile;
let read: string[];
beforeEach(async () => {
  folder = await createTempFolder('cache');
  put = fillVault(folder.path);
  read = [];
});
afterEach(() => folder.remove());

/** Remembers each note's text, and which ones were read for it. */
function textCache(options: Partial<NoteCacheOptions<string>> = {}) {
  const cache = createNoteCache<string>(folder.path, {
    derive: (text, path) => {
      read.push(path);
      return text;
    },
    weight: (text) => text.length,
    ...options,
  });
  const look = (below = ROOT, wanted = EVERYTHING) => {
    const { notes, leftOut } = cache.look(below, wanted);
    return { notes: Object.fromEntries(notes.map(({ path, derived }) => [path, derived])), leftOut };
  };
  /** Which notes a look reads. */
  const readFor = (): string[] => {
    read.splice(0);
    look();
    return read;
  };
  return { look, readFor };
}

/** By this clock every file is old. */
const DAY_ON = { monotonic: () => 0, wall: () => Date.now() + 86_400_000 };

describe('what is remembered of notes', () => {
  it('is what stands in them, by path, and nothing hidden, linked or no note', () => {
    put('b.md', 'B');
    put('House/a.MD', 'A');
    put('House/plan.png', '');
    put('.obsidian/x.md', '');
    put('.x.md', '');
    symlinkSync(join(folder.path, 'b.md'), join(folder.path, 'c.md'));
    symlinkSync(folder.path, join(folder.path, 'loop'));
    expect(textCache().look()).toEqual({ notes: { 'House/a.MD': 'A', 'b.md': 'B' }, leftOut: [] });
  });

  it('is not read again while the stat of an old file is the same', () => {
    put('a.md', 'A');
    put('b.md', 'B');
    const cache = textCache({ clock: DAY_ON });
    expect(cache.readFor()).toEqual(['a.md', 'b.md']);
    expect(cache.readFor()).toEqual([]);
    put('b.md', 'C');
    expect(cache.readFor()).toEqual(['b.md']);
  });

  it('follows edits that come at once, of the same length', () => {
    const cache = textCache();
    for (let round = 100; round < 400; round++) {
      put('a.md', `${round}`);
      expect(cache.look().notes).toEqual({ 'a.md': `${round}` });
    }
  });

  it('follows an edit whose time was set back to that of the one before', () => {
    const cache = textCache({ clock: DAY_ON });
    put('a.md', 'one');
    const { mtime, atime } = statSync(join(folder.path, 'a.md'));
    cache.look();
    put('a.md', 'two');
    utimesSync(join(folder.path, 'a.md'), atime, mtime);
    expect(cache.look().notes).toEqual({ 'a.md': 'two' });
  });

  it('follows edits that leave the stat as it was, within the tick of the clock', () => {
    const cache = textCache({ tick: ONE_TICK, clock: { monotonic: () => 0, wall: () => 0 } });
    put('a.md', 'one');
    cache.look();
    cache.look();
    put('a.md', 'two');
    expect(cache.look().notes).toEqual({ 'a.md': 'two' });
  });

  it('is trusted once a read came after that tick, by whatever calendar', () => {
    let monotonic = 0;
    // The calendar says that the file is of the future, as it may be where another machine keeps the files.
    const cache = textCache({ clock: { monotonic: () => monotonic, wall: () => 0 } });
    put('a.md', 'one');
    expect(cache.readFor()).toEqual(['a.md']);
    monotonic = 2000;
    expect(cache.readFor()).toEqual(['a.md']);
    monotonic = 2001;
    expect(cache.readFor()).toEqual(['a.md']);
    expect(cache.readFor()).toEqual([]);
  });

  it('follows two notes whose names were exchanged', () => {
    const at = (name: string) => join(folder.path, name);
    put('a.md', 'A');
    put('b.md', 'B');
    const cache = textCache({ clock: DAY_ON, tick: ONE_TICK });
    cache.look();
    renameSync(at('a.md'), at('c.md'));
    renameSync(at('b.md'), at('a.md'));
    renameSync(at('c.md'), at('b.md'));
    expect(cache.look().notes).toEqual({ 'a.md': 'B', 'b.md': 'A' });
  });

  it('is kept of other folders when one is looked at, and given for that one alone', () => {
    put('House/a.md', 'A');
    put('House 2/b.md', 'B');
    const cache = textCache({ clock: DAY_ON });
    cache.look();
    expect(cache.look('House' as VaultPath).notes).toEqual({ 'House/a.md': 'A' });
    expect(cache.readFor()).toEqual([]);
  });

  it('leaves out what is larger than it may be, and says so', () => {
    put('a.md', 'A'.repeat(11));
    put('b.md', 'B'.repeat(10));
    const { notes, leftOut } = textCache().look(ROOT, { ...EVERYTHING, maxBytes: 10 });
    expect(Object.keys(notes)).toEqual(['b.md']);
    expect(leftOut).toEqual([{ path: 'a.md', reason: expect.stringContaining('larger than 10 bytes') }]);
  });

  it('says nothing of what is to be ignored', () => {
    put('a.md', 'A');
    put('b.md', 'B');
    expect(textCache().look(ROOT, { maxBytes: 0, isIgnored: (path) => path === 'a.md' }).notes).toEqual({
      'b.md': 'B',
    });
  });

  it('leaves out a name that nobody could ask for, and says so', () => {
    put('odd\\name.md', '');
    expect(textCache().look().leftOut).toEqual([
      { path: 'odd\\name.md', reason: expect.stringContaining('no one could ask for it') },
    ]);
  });

  it('leaves out folders that are nested without an end in sight, and says so', () => {
    const deep = `${'d/'.repeat(201)}a.md`;
    put(deep, 'A');
    put(`${'d/'.repeat(200)}b.md`, 'B');
    const { notes, leftOut } = textCache().look();
    expect(Object.values(notes)).toEqual(['B']);
    expect(leftOut).toEqual([{ isFolder: true, path: deep.slice(0, -5), reason: expect.stringContaining('200 deep') }]);
  });

  it.skipIf(isRoot)('leaves out what may not be read, and says so', () => {
    put('House/a.md', 'A');
    put('b.md', 'B');
    put('c.md', 'C');
    const closed = [join(folder.path, 'House'), join(folder.path, 'b.md')];
    for (const path of closed) chmodSync(path, 0o000);
    const { notes, leftOut } = textCache().look();
    for (const path of closed) chmodSync(path, 0o700);
    expect(notes).toEqual({ 'c.md': 'C' });
    expect(leftOut).toEqual([
      { path: 'House', reason: expect.stringContaining('cannot be read') },
      { path: 'b.md', reason: expect.stringContaining('no permission') },
    ]);
  });

  it('refuses a folder that is not there, or a link', () => {
    symlinkSync('/etc', join(folder.path, 'linked'));
    const codeOf = (path: string) => {
      try {
        return textCache().look(path as VaultPath);
      } catch (error) {
        return (error as { code: unknown }).code;
      }
    };
    expect([codeOf('Nowhere'), codeOf('linked'), codeOf('linked/ssl')]).toEqual([
      'not_found',
      'invalid_path',
      'invalid_path',
    ]);
  });

  it('is bounded: what is beyond is read each time', () => {
    put('a.md', 'A'.repeat(60));
    put('b.md', 'B'.repeat(60));
    const cache = textCache({ clock: DAY_ON, maxWeight: 100 });
    cache.look();
    expect(cache.readFor()).toEqual(['b.md']);
    rmSync(join(folder.path, 'a.md'));
    cache.look();
    expect(cache.readFor()).toEqual(['b.md']);
    expect(cache.readFor()).toEqual([]);
  });
});

const NAMES = ['a.md', 'b.md', 'F/a.md', 'F/b.md', 'G/a.md'];
const edit = fc.oneof(
  fc.record({
    do: fc.constant('write' as const),
    name: fc.constantFrom(...NAMES),
    text: fc.constantFrom('one', 'two'),
  }),
  fc.record({ do: fc.constant('move' as const), from: fc.constantFrom(...NAMES), to: fc.constantFrom(...NAMES) }),
  fc.record({ do: fc.constant('remove' as const), name: fc.constantFrom(...NAMES, 'F', 'G') }),
  fc.record({ do: fc.constant('date' as const), name: fc.constantFrom(...NAMES), seconds: fc.constantFrom(1, 2e9) }),
  fc.record({ do: fc.constant('look' as const), below: fc.constantFrom('', 'F', 'G') }),
);
type Edit = typeof edit extends fc.Arbitrary<infer E> ? E : never;

function apply(one: Exclude<Edit, { do: 'look' }>): void {
  const at = (name: string) => join(folder.path, name);
  try {
    if (one.do === 'write') put(one.name, one.text);
    else if (one.do === 'move') renameSync(at(one.from), at(one.to));
    else if (one.do === 'remove') rmSync(at(one.name), { recursive: true, force: true });
    else utimesSync(at(one.name), one.seconds, one.seconds);
  } catch (error) {
    // Moving or dating what is not there is no edit.
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
}

describe('whatever is done to the files', () => {
  it.each([
    ['the times of this disk', {}],
    ['times that never tell two edits apart', { tick: ONE_TICK, clock: { monotonic: () => 0, wall: () => 0 } }],
  ] as const)('each look is a plain read of all of them: with %s', (_what, options) => {
    fc.assert(
      fc.property(fc.array(edit, { minLength: 5, maxLength: 40 }), (edits) => {
        for (const name of ['a.md', 'b.md', 'F', 'G'])
          rmSync(join(folder.path, name), { recursive: true, force: true });
        for (const kept of ['F', 'G']) mkdirSync(join(folder.path, kept));
        const cache = textCache(options);
        for (const one of edits) {
          if (one.do !== 'look') apply(one);
          else if (statSync(join(folder.path, one.below), { throwIfNoEntry: false })) {
            expect(cache.look(one.below as VaultPath)).toEqual(textCache().look(one.below as VaultPath));
          }
        }
        expect(cache.look()).toEqual(textCache().look());
      }),
      { numRuns: 100 },
    );
  });
});
