import { chmodSync, chownSync, mkdirSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { canMount, mount, mountAgainReadOnly, unmount } from '../../../../test/support/small-disk.ts';
import { createTempFolder, type TempFolder } from '../../../../test/support/temp-folder.ts';
import { canGiveAway, canRunUnprivileged, giveAway, runUnprivileged } from '../../../../test/support/unprivileged.ts';
import { fillVault, type PutFile } from '../../../../test/support/vault-files.ts';
import { listScripts, MAX_ENTRIES, scriptsState } from './scripts-folder.ts';

/** Mounting needs root. */
const mounts = await canMount();

let folder: TempFolder;
let put: PutFile;
const at = (path: string) => join(folder.path, path);
beforeEach(async () => {
  folder = await createTempFolder('scripts');
  put = fillVault(folder.path);
});
afterEach(async () => {
  for (const path of ['.', '.scripts', '.scripts/lib']) {
    try {
      chmodSync(at(path), 0o755);
    } catch {
      // It is not there.
    }
  }
  await folder.remove();
});

const list = () => listScripts({ root: folder.path });

describe('the scripts of a vault', () => {
  it('are the plain files of three suffixes that stand in the folder itself, by name', async () => {
    for (const name of ['b.py', 'a.mjs', 'c.js', '_d.py', '.e.py', 'f.sh', 'g.PY', 'h', 'lib/i.py'])
      put(`.scripts/${name}`, '');
    mkdirSync(at('.scripts/j.py'));
    expect(await list()).toEqual({
      problem: null,
      isAbsent: false,
      scripts: [
        { name: 'a.mjs', absolute: at('.scripts/a.mjs'), language: 'node' },
        { name: 'b.py', absolute: at('.scripts/b.py'), language: 'python' },
        { name: 'c.js', absolute: at('.scripts/c.js'), language: 'node' },
      ],
      refused: [],
    });
  });

  it.each(['constructor', 'notes.toString', 'a.__proto__', 'valueOf', 'py', 'js', 'mjs', 'a.', '.py', 'a.py.'])(
    'are none by the name of %s',
    async (name) => {
      put(`.scripts/${name}`, '');
      expect(await list()).toMatchObject({ problem: null, scripts: [], refused: [] });
    },
  );

  it('are no links, wherever they lead', async () => {
    put('.scripts/a.py', '');
    symlinkSync(at('.scripts/a.py'), at('.scripts/b.py'));
    symlinkSync('/nonexistent', at('.scripts/c.py'));
    const { scripts, refused } = await list();
    expect([scripts.map(({ name }) => name), refused.map(({ name }) => name)]).toEqual([['a.py'], ['b.py', 'c.py']]);
  });

  it.each([
    ['there is no folder', () => {}, /has no folder/],
    ['it is a file', () => writeFileSync(at('.scripts'), ''), /is a file/],
    ['it is a link', () => symlinkSync(folder.path, at('.scripts')), /is a link/],
  ])('are none where %s', async (_what, prepare, problem) => {
    prepare();
    const isAbsent = problem.test('has no folder');
    expect(await list()).toEqual({ problem: expect.stringMatching(problem), isAbsent, scripts: [], refused: [] });
  });
});

describe.skipIf(!canRunUnprivileged)('whether this process could change the scripts', () => {
  const may = (): unknown =>
    runUnprivileged(
      `const { mayChangeScripts } = await import('@vault-mcp/shared/vault/scripts-folder');
       console.log(JSON.stringify(await mayChangeScripts({ root: process.argv[1] })));`,
      [folder.path],
    );
  const YES = { may: true, problem: null };
  const NO = { may: false, problem: null };
  const PATHS = ['.scripts/a.py', '.scripts/lib/b.py', '.scripts/lib', '.scripts', '.'];
  const closed = () => {
    put('.scripts/a.py', '');
    put('.scripts/lib/b.py', '');
    for (const path of PATHS) chmodSync(at(path), path.endsWith('.py') ? 0o444 : 0o555);
  };

  it('it could where it is theirs, whatever their mode: it could change that', () => {
    closed();
    expect(may()).toEqual(YES);
  });

  describe.skipIf(!canGiveAway)('of somebody else', () => {
    const closedByOthers = () => {
      closed();
      giveAway(PATHS.map(at));
    };

    it('it could not where nothing can be written, and nothing be put in the folder’s place', () => {
      closedByOthers();
      expect(may()).toEqual(NO);
    });

    it.each([
      ['a script', '.scripts/a.py', 0o666],
      ['what a script uses', '.scripts/lib/b.py', 0o666],
      ['a folder within', '.scripts/lib', 0o777],
      ['the folder', '.scripts', 0o777],
      ['the vault, and so the folder’s name', '.', 0o777],
    ])('it could where it can write %s', (_what, path, mode) => {
      closedByOthers();
      chmodSync(at(path), mode);
      expect(may()).toEqual(YES);
    });

    it.each(PATHS)('it could where one of them is its own: %s', (path) => {
      closedByOthers();
      chownSync(at(path), 0, 0);
      expect(may()).toEqual(YES);
    });

    it('it counts as able to where that cannot be told', () => {
      closedByOthers();
      chmodSync(at('.scripts/lib'), 0o333);
      expect(may()).toEqual({ may: true, problem: '.scripts/lib cannot be listed (EACCES)' });
    });
  });

  it.skipIf(!mounts)('it could not where they are its own, and mounted read-only', () => {
    mkdirSync(at('.scripts'));
    mount(at('.scripts'));
    try {
      closed();
      chmodSync(at('.'), 0o755);
      expect(may()).toEqual(YES);
      mountAgainReadOnly(at('.scripts'));
      expect(may()).toEqual(NO);
    } finally {
      unmount(at('.scripts'));
    }
  });
});

describe('the state of the scripts', () => {
  const state = () => scriptsState({ root: folder.path });

  it('stays as long as nothing changes', async () => {
    put('.scripts/a.py', 'one');
    expect(await state()).toEqual({ hash: expect.any(String) });
    expect(await state()).toEqual(await state());
  });

  it.each([
    ['a script is written', () => put('.scripts/a.py', 'two')],
    [
      'and its times are put back',
      () => {
        put('.scripts/a.py', 'two');
        utimesSync(at('.scripts/a.py'), 1, 1);
      },
    ],
    ['what a script uses is written', () => put('.scripts/lib/b.py', 'two')],
    ['one comes', () => put('.scripts/c.py', '')],
    ['one goes', () => rmSync(at('.scripts/a.py'))],
    ['one is made to run', () => chmodSync(at('.scripts/a.py'), 0o755)],
  ])('is another when %s', async (_what, change) => {
    put('.scripts/a.py', 'one');
    put('.scripts/lib/b.py', 'one');
    utimesSync(at('.scripts/a.py'), 1, 1);
    const before = await state();
    change();
    expect(await state()).toEqual({ hash: expect.any(String) });
    expect(await state()).not.toEqual(before);
  });

  it.each([
    ['that is not there', () => {}, '.scripts cannot be listed (ENOENT)'],
    [
      'that holds too much',
      () => {
        mkdirSync(at('.scripts'));
        for (let n = 0; n <= MAX_ENTRIES; n++) symlinkSync('a.py', at(`.scripts/${n}`));
      },
      `it holds more than ${MAX_ENTRIES} files and folders`,
    ],
  ])('is not known of a folder %s, and it is said why', async (_what, prepare, problem) => {
    prepare();
    expect(await state()).toEqual({ problem });
  });
});
