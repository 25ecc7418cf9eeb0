// Scripts under `maintenance.scripts: auto`, by a user who may not change them: whether they run.
import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createTempFolder, type TempFolder } from '../../../../../test/support/temp-folder.ts';
import { canGiveAway, giveAway, runUnprivileged } from '../../../../../test/support/unprivileged.ts';
import { fillVault, type PutFile } from '../../../../../test/support/vault-files.ts';
import { DEFAULT_LIMITS } from './run-script.ts';
import { WHOLE_WALL } from './warden.ts';

let folder: TempFolder;
let put: PutFile;
beforeEach(async () => {
  folder = await createTempFolder('scripts');
  put = fillVault(folder.path, { 'Home.md': '# Home\n' });
});
afterEach(async () => {
  for (const path of ['.', '.scripts']) chmodSync(join(folder.path, path), 0o755);
  await folder.remove();
});

const LIMITS = { ...DEFAULT_LIMITS, seconds: 20 };

describe.skipIf(!canGiveAway || process.platform !== 'linux')('scripts that nobody asked for in so many words', () => {
  /** As the user who may not change `.scripts`; the wall as it is said to be. */
  const automatic = (wall: number | null, secrets: readonly string[] = []) => {
    const self = { schema: 2, check: 'a', title: 'A', description: '', order: 1 };
    put('.scripts/a.py', `print('${JSON.stringify(self)}')\n`);
    put('.scripts/b.mjs', 'console.log("none")');
    for (const path of ['.scripts/a.py', '.scripts/b.mjs']) chmodSync(join(folder.path, path), 0o444);
    for (const path of ['.scripts', '.']) chmodSync(join(folder.path, path), 0o555);
    giveAway(['.scripts/a.py', '.scripts/b.mjs', '.scripts', '.'].map((path) => join(folder.path, path)));
    const module = new URL('../../../dist/checks/scripts/vault-scripts.js', import.meta.url);
    const given = { run: 'auto', timeZone: 'UTC', secrets, limits: LIMITS };
    const program = `
      const { VaultScripts } = await import(${JSON.stringify(module.href)});
      const settings = { ...${JSON.stringify(given)}, wall: async () => ${wall} };
      const { state, results } = await new VaultScripts({ root: process.argv[1] }).check(settings);
      console.log(JSON.stringify({ run: state.run, reason: state.reason, files: results.map(({ file }) => file) }));
    `;
    return runUnprivileged(program, [folder.path]);
  };

  it('run where they cannot be changed, are held and see nothing of ours', () => {
    expect(automatic(WHOLE_WALL)).toEqual({ run: true, reason: null, files: ['a.py'] });
  });

  it.each([
    ['the system holds none', 0, [], /Linux 6\.2 .*set maintenance\.scripts/],
    ['it could be made to write', WHOLE_WALL - 1, [], /Linux 6\.2 .*set maintenance\.scripts/],
    ['nothing can put up a wall', null, [], /python3, .*set maintenance\.scripts/],
    ['a key stands in what they read', WHOLE_WALL, ['/usr/key'], /a key: move that .*set maintenance\.scripts/],
  ])('are not run, node’s neither, where %s, and it is said what to do', (_where, wall, secrets, reason) => {
    expect(automatic(wall, secrets)).toEqual({ run: false, reason: expect.stringMatching(reason), files: [] });
  });
});
