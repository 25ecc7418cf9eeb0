/**
 * A vault with scripts, and the product's own way to run one of them. Danger: these are real programs, so each test's folder
 * goes only after they have ended, which running them waits for.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach } from 'vitest';
import {
  DEFAULT_LIMITS,
  runScript,
  type ScriptLimits,
  type ScriptOutcome,
} from '../../apps/api/src/checks/scripts/run-script.ts';
import { readableFolders } from '../../apps/api/src/checks/scripts/script-command.ts';
import { createTempFolder, type TempFolder } from './temp-folder.ts';
import { fillVault, type PutFile } from './vault-files.ts';

export interface ScriptVault {
  /** Holds the vault, `secret`, and what else a test puts beside them. */
  readonly folder: string;
  readonly vault: string;
  readonly put: PutFile;
  /** @param name in `.scripts`; its suffix says what runs it */
  run(name: string, lines: readonly string[], limits?: Partial<ScriptLimits>): Promise<ScriptOutcome>;
  python(...lines: string[]): Promise<ScriptOutcome>;
  node(...lines: string[]): Promise<ScriptOutcome>;
}

const LIMITS: ScriptLimits = { ...DEFAULT_LIMITS, seconds: 20 };

/** Registers the hooks that make a vault for each test of the file, and remove it. */
export function scriptVault(): ScriptVault {
  let temporary: TempFolder;
  let put: PutFile;
  beforeEach(async () => {
    temporary = await createTempFolder('scripts');
    put = fillVault(at.vault, { 'Home.md': '# Home\n' });
    writeFileSync(join(temporary.path, 'secret'), 'the key');
  });
  afterEach(() => temporary.remove());
  const at: ScriptVault = {
    get folder() {
      return temporary.path;
    },
    get vault() {
      return join(temporary.path, 'my vault');
    },
    get put() {
      return put;
    },
    async run(name, lines, limits = {}) {
      const { folder, vault } = at;
      put(`.scripts/${name}`, lines.join('\n'));
      const language = name.endsWith('.py') ? 'python' : 'node';
      const place = { vault, timeZone: 'Europe/Berlin', ...(await readableFolders(vault, [join(folder, 'data')])) };
      const command = { file: join(vault, '.scripts', name), args: ['--json', '--vault-path', vault], ...place };
      return runScript({ language, ...command } as Parameters<typeof runScript>[0], { ...LIMITS, ...limits });
    },
    python: (...lines) => at.run('a.py', lines),
    node: (...lines) => at.run('a.mjs', lines),
  };
  return at;
}
