/**
 * A process that is killed while it moves a folder that many notes link to: the next start leaves the vault as if the
 * move had never begun, or as if it had been done.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { resumeMoves } from '@vault-mcp/api/operations/resume-moves';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { movingContext } from '../support/moving-context.ts';
import { createWritableVault, type WritableVault } from '../support/writable-vault.ts';

const PROGRAM = join(import.meta.dirname, '../support/move-process.mjs');
const ROUNDS = 12;
const LINKING_NOTES = 60;

let on: WritableVault;
beforeEach(async () => {
  on = await createWritableVault();
});
afterEach(() => on.remove());

/** The vault, with the folder at one of its two places: `up` leads from it to the root. */
function vaultWith(place: string, up: string): Record<string, string> {
  const files: Record<string, string> = {
    [`${place}/a.md`]: `[out](${up}0.md) [[${place}/b]]`,
    [`${place}/b.md`]: '[a](a.md)',
  };
  for (let i = 0; i < LINKING_NOTES; i++) files[`${i}.md`] = `${i} [a](${place}/a.md#x) ![[${place}/b|two]]\n`;
  return files;
}

const AT_HOUSE = vaultWith('House', '../');
const AT_FLAT = vaultWith('Flat/Deep', '../../');

async function killMidway(): Promise<void> {
  const child = fork(PROGRAM, [on.root, on.dataPath], { execArgv: [], stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  await once(child, 'message');
  const intents = join(on.dataPath, 'move-intents');
  while (!(existsSync(intents) && readdirSync(intents).some((name) => name.endsWith('.json')))) {
    await new Promise((resolve) => setImmediate(resolve));
  }
  // Mostly early, where the steps are few and short: the intent, the rename, the first links.
  await new Promise((resolve) => setTimeout(resolve, Math.random() ** 3 * 60));
  child.kill('SIGKILL');
  await once(child, 'exit');
}

async function notes(): Promise<Record<string, string>> {
  const entries = Object.entries(await on.everything());
  return Object.fromEntries(entries.filter(([path]) => path.endsWith('.md')));
}

describe('a move whose process is killed', () => {
  it(`is whole after the next start, ${ROUNDS} times`, async () => {
    await on.put(AT_HOUSE);
    let completed = 0;
    for (let round = 0; round < ROUNDS; round++) {
      await killMidway();
      const { context } = movingContext(on);
      completed += await resumeMoves(context);
      expect(await context.moveIntents.standing()).toEqual([]);
      expect(await notes()).toEqual(existsSync(join(on.root, 'House')) ? AT_HOUSE : AT_FLAT);
    }
    // Else no kill ever came while links were being written, and this has proven nothing.
    expect(completed).toBeGreaterThan(0);
  });
});
