/**
 * A vault whose scripts are run as its checks, for each test of a file. Danger: these are real programs; the folder goes only
 * after they have ended, which asking them waits for.
 */
import { afterEach, beforeEach } from 'vitest';
import { DEFAULT_LIMITS, type ScriptLimits } from '../../apps/api/src/checks/scripts/run-script.ts';
import type { CheckedScripts, ScriptSettings } from '../../apps/api/src/checks/scripts/script-session.ts';
import { VaultScripts } from '../../apps/api/src/checks/scripts/vault-scripts.ts';
import { checkOf } from './check-program.ts';
import { createTempFolder, type TempFolder } from './temp-folder.ts';
import { fillVault, type PutFile } from './vault-files.ts';

export const LIMITS: ScriptLimits = { ...DEFAULT_LIMITS, seconds: 20 };

export interface CheckingScripts {
  /** Of the vault. */
  readonly path: string;
  readonly put: PutFile;
  scripts(): VaultScripts;
  check(over?: Partial<ScriptSettings>): Promise<CheckedScripts>;
  /** Puts a script there that describes itself and finds what its lines say. */
  putCheck(file: string, ...args: Parameters<typeof checkOf>): void;
}

export function settings(over: Partial<ScriptSettings> = {}): ScriptSettings {
  return { ...{ run: true, timeZone: 'UTC', secrets: [], limits: LIMITS }, ...over };
}

/** Registers the hooks that make the vault, and remove it. */
export function checkingScripts(): CheckingScripts {
  let folder: TempFolder;
  let put: PutFile;
  beforeEach(async () => {
    folder = await createTempFolder('scripts');
    put = fillVault(folder.path, { 'Home.md': '# Home\n' });
  });
  afterEach(() => folder.remove());
  const at: CheckingScripts = {
    get path() {
      return folder.path;
    },
    get put() {
      return put;
    },
    scripts: () => new VaultScripts({ root: folder.path }),
    check: (over) => at.scripts().check(settings(over)),
    putCheck: (file, ...args) => put(`.scripts/${file}`, checkOf(...args)),
  };
  return at;
}
