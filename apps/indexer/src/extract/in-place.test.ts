import { chmodSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseVaultPath } from '@vault-mcp/shared/vault/path';
import { openVault, type Vault, type VaultStat } from '@vault-mcp/shared/vault/vault';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createTempFolder, type TempFolder } from '../../../../test/support/temp-folder.ts';
import { NotInPlace, whileInPlace } from './in-place.ts';

let folder: TempFolder;
let vault: Vault;
let stat: VaultStat;
const at = (path: string): string => join(folder.path, path);

beforeEach(async () => {
  folder = await createTempFolder('in-place');
  mkdirSync(at('Files'));
  writeFileSync(at('Files/scan.pdf'), 'the bytes of a scan');
  vault = await openVault(folder.path, { docSuffixes: ['.pdf'] });
  ({ stat } = await vault.locate(parseVaultPath('Files/scan.pdf')));
});
afterEach(() => folder.remove());

/** A reading that goes on for so long, unless it is ended. */
function reading(ms: number, signal = new AbortController().signal): Promise<string> {
  return whileInPlace(
    { vault, path: 'Files/scan.pdf', stat },
    signal,
    (ended) =>
      new Promise((resolve, reject) => {
        const timer = setTimeout(() => resolve('read'), ms);
        ended.addEventListener('abort', () => {
          clearTimeout(timer);
          reject(ended.reason);
        });
      }),
  );
}

const NEVER = 600_000;

it.each<[string, () => void]>([
  ['is deleted', () => rmSync(at('Files/scan.pdf'))],
  ['goes with its folder', () => rmSync(at('Files'), { recursive: true })],
  ['is moved away', () => renameSync(at('Files/scan.pdf'), at('Files/other.pdf'))],
  [
    'is replaced',
    () => {
      writeFileSync(at('new'), 'other bytes');
      renameSync(at('new'), at('Files/scan.pdf'));
    },
  ],
  ['is written over', () => writeFileSync(at('Files/scan.pdf'), 'more bytes than there were before')],
])('ends a reading once its document %s', async (_how, become) => {
  const ended = reading(NEVER);
  become();
  await expect(ended).rejects.toBeInstanceOf(NotInPlace);
});

it('lets a reading go on while its document stands where it was, whatever else becomes of it', async () => {
  const done = reading(5_000);
  chmodSync(at('Files/scan.pdf'), 0o600);
  expect(await done).toBe('read');
});

it('ends a reading that nobody wants any more, for the reason given', async () => {
  const caller = new AbortController();
  const ended = reading(NEVER, caller.signal);
  caller.abort(new Error('shutting down'));
  await expect(ended).rejects.toThrow('shutting down');
});
