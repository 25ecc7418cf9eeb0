// Folders that are not listed again, on a real disk: whether a walk by them sees what a plain one sees.
import { lstatSync, mkdirSync, readdirSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createTempFolder, type TempFolder } from '../../../../test/support/temp-folder.ts';
import { canRunUnprivileged, runUnprivileged } from '../../../../test/support/unprivileged.ts';
import { fillVault, type PutFile } from '../../../../test/support/vault-files.ts';
import { FolderListings } from './folder-listings.ts';
import { createNoteCache } from './note-cache.ts';
import type { VaultPath } from './path.ts';

let folder: TempFolder;
let put: PutFile;
beforeEach(async () => {
  folder = await createTempFolder('listings');
  put = fillVault(join(folder.path, 'vault'), { 'a.md': '', 'House/b.md': '', 'House/c.png': '', '.hidden/d.md': '' });
});
afterEach(() => folder.remove());

const at = (path: string) => join(folder.path, 'vault', path);

describe('the listing of a folder', () => {
  const HOUSE = 'House' as VaultPath;
  const stat = () => lstatSync(at('House'), { bigint: true });
  const keep = (listings: FolderListings) =>
    listings.keep(HOUSE, stat(), readdirSync(at('House'), { withFileTypes: true }));
  const clockOf = (wall: () => number) => ({ monotonic: () => 0, wall });
  const dayOn = clockOf(() => Date.now() + 86_400_000);

  it('is its notes and folders, in the place of their paths', () => {
    for (const path of ['House/b/x.md', 'House/b !.md', 'House/.z.md']) put(path, '');
    symlinkSync('b.md', at('House/link.md'));
    const entries = keep(new FolderListings({ clock: dayOn }));
    expect(entries.map(({ path }) => path)).toEqual(['House/b !.md', 'House/b.md', 'House/b']);
  });

  it('is known as long as the folder looks as it did, once it was made late enough', () => {
    const listings = new FolderListings({ clock: dayOn });
    expect(listings.known(HOUSE, stat())).toBeNull();
    const entries = keep(listings);
    expect(listings.known(HOUSE, stat())).toBe(entries);
    const before = stat();
    for (let n = 0; stat().mtimeNs === before.mtimeNs; n++) put(`House/${n}.md`, '');
    expect(listings.known(HOUSE, stat())).toBeNull();
  });

  it('is not known where it may have been made within the tick of a change', () => {
    const listings = new FolderListings({ clock: clockOf(() => 0) });
    keep(listings);
    expect(listings.known(HOUSE, stat())).toBeNull();
  });

  it('is not that of another folder with the same times, nor of a file in its place', () => {
    const listings = new FolderListings({ clock: dayOn, tick: () => 0n });
    keep(listings);
    renameSync(at('House'), at('Old house'));
    mkdirSync(at('House'));
    expect(listings.known(HOUSE, stat())).toBeNull();
  });
});

describe('a look at all notes', () => {
  let monotonic = 0;
  const looking = () => {
    const cache = createNoteCache<string>(join(folder.path, 'vault'), {
      derive: (text) => text,
      weight: () => 1,
      clock: { monotonic: () => monotonic, wall: () => 0 },
    });
    return () => cache.look('' as VaultPath, { maxBytes: 0, isIgnored: () => false }).notes.map(({ path }) => path);
  };
  /** One that knows every folder, some ticks of the kernel's clock after they were made. */
  const known = async () => {
    await sleep(50);
    const look = looking();
    for (const _ of [1, 2, 3]) {
      look();
      monotonic += 5_000;
    }
    return look;
  };

  it.each([
    ['a note came', () => put('House/new.md', ''), ['House/b.md', 'House/new.md', 'a.md']],
    ['a note went', () => rmSync(at('House/b.md')), ['a.md']],
    ['a folder came', () => put('New/x.md', ''), ['House/b.md', 'New/x.md', 'a.md']],
    ['a folder went', () => rmSync(at('House'), { recursive: true }), ['a.md']],
    ['a folder was renamed', () => renameSync(at('House'), at('Home')), ['Home/b.md', 'a.md']],
    ['a note took a folder’s place', () => renameSync(at('a.md'), at('House/b.md')), ['House/b.md']],
  ])('sees at once that %s', async (_what, change, paths) => {
    const look = await known();
    expect(look()).toEqual(['House/b.md', 'a.md']);
    change();
    expect(look()).toEqual(paths);
  });

  it('follows no link that took the place of a folder it knows', async () => {
    const look = await known();
    renameSync(at('House'), join(folder.path, 'elsewhere'));
    symlinkSync(join(folder.path, 'elsewhere'), at('House'));
    expect(look()).toEqual(['a.md']);
  });
});

describe.skipIf(!canRunUnprivileged)('a folder that may not be read any more', () => {
  it('is left out by who knows what stood in it', () => {
    const program = `
      import { chmodSync } from 'node:fs';
      const { createNoteCache } = await import('@vault-mcp/shared/vault/note-cache');
      const root = process.argv[1];
      const cache = createNoteCache(root, {
        derive: (text) => text, weight: () => 1,
        clock: { monotonic: () => 0, wall: () => Date.now() + 86_400_000 },
      });
      const look = () => cache.look('', { maxBytes: 0, isIgnored: () => false });
      look();
      chmodSync(root + '/House', 0o000);
      const { notes, leftOut } = look();
      chmodSync(root + '/House', 0o755);
      console.log(JSON.stringify([notes.map(({ path }) => path), leftOut.map(({ path }) => path)]));
    `;
    expect(runUnprivileged(program, [at('')])).toEqual([['a.md'], ['House']]);
  });
});
