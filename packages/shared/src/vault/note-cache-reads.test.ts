// How notes come to be remembered: how much of one is read, and which.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createTempFolder, type TempFolder } from '../../../../test/support/temp-folder.ts';
import { fillVault, type PutFile } from '../../../../test/support/vault-files.ts';
import { createNoteCache, type LookOptions } from './note-cache.ts';
import type { VaultPath } from './path.ts';

const ROOT = '' as VaultPath;
const EVERYTHING: LookOptions = { maxBytes: 0, isIgnored: () => false };
/** By this clock every file is old. */
const DAY_ON = { monotonic: () => 0, wall: () => Date.now() + 86_400_000 };

let folder: TempFolder;
let put: PutFile;
beforeEach(async () => {
  folder = await createTempFolder('cache-reads');
  put = fillVault(folder.path);
});
afterEach(() => folder.remove());

describe('what is remembered of notes', () => {
  it('is derived from the beginning of a long note where that is enough, and of the whole where it is not', () => {
    put('Enough.md', `enough ${'é'.repeat(10_000)}`);
    put('Odd.md', `o${'é'.repeat(10_000)}`);
    put('Short.md', 'short');
    const lengths = createNoteCache<number>(folder.path, {
      derive: (text) => text.length,
      deriveFromHead: (head) => (head.startsWith('enough') ? -head.length : null),
      weight: () => 1,
    });
    const { notes } = lengths.look(ROOT, EVERYTHING);
    // 8 KiB end in the middle of a character.
    expect(notes.map(({ derived }) => derived)).toEqual([-(7 + (8192 - 7 - 1) / 2), 10_001, 5]);
  });

  it('is whole where the beginning alone is no valid text', () => {
    put('a.md', Buffer.concat([Buffer.from([0xff]), Buffer.alloc(9_000, 'x')]));
    const lengths = createNoteCache<number>(folder.path, {
      derive: (text) => text.length,
      deriveFromHead: () => -1,
      weight: () => 1,
    });
    expect(lengths.look(ROOT, EVERYTHING).notes).toMatchObject([{ derived: 9_001 }]);
  });

  it('is given of the files that are named, and forgotten of others', () => {
    put('a.md', 'A');
    put('House/b.canvas', 'B');
    put('House/c.md', 'C');
    const read: string[] = [];
    const cache = createNoteCache<string>(folder.path, {
      derive: (text, path) => {
        read.push(path);
        return text;
      },
      weight: () => 1,
      clock: DAY_ON,
    });
    const lookAt = (...paths: string[]) => {
      const { notes, leftOut } = cache.lookAt(paths as VaultPath[], { maxBytes: 0 });
      return [notes.map(({ path, derived }) => `${path} ${derived}`), leftOut];
    };
    expect(lookAt('House/b.canvas', 'a.md', 'Gone/x.md')).toEqual([['House/b.canvas B', 'a.md A'], []]);
    expect(lookAt('a.md')).toEqual([['a.md A'], []]);
    expect(lookAt('House/b.canvas')).toEqual([['House/b.canvas B'], []]);
    expect(read).toEqual(['House/b.canvas', 'a.md', 'House/b.canvas']);
  });

  it('is of the file alone, however many share the room that they are read into', () => {
    for (let n = 0; n < 50; n++) put(`${n}.md`, `${n} `.repeat(n * 400));
    const texts = createNoteCache<string>(folder.path, { derive: (text) => text, weight: () => 1 });
    for (const { path, derived } of texts.look(ROOT, EVERYTHING).notes) {
      const n = Number.parseInt(path, 10);
      expect(derived).toBe(`${n} `.repeat(n * 400));
    }
  });
});
