/** Which path a new note is given when somebody else is at it; all else of it is shown by what `propose` answers. */
import type { VaultPath } from '@vault-mcp/shared/vault/path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type GateVault, gateVault } from '../../../../../test/support/gate-vault.ts';
import { freePath } from './free-path.ts';

let vault: GateVault;
beforeEach(async () => {
  vault = await gateVault({});
});
afterEach(() => vault.remove());

/** Writes as ever, but just before the first look somebody else does something. */
function portsWith(meanwhile: () => void) {
  const { vault: root, writer } = vault.context;
  let isFirst = true;
  const replace: typeof writer.replace = (...asked) => {
    if (isFirst) meanwhile();
    isFirst = false;
    return writer.replace(...asked);
  };
  return { vault: root, writer: { ...writer, replace }, caller: { agent: 'scribe' } };
}

const asked = (meanwhile: () => void) => freePath(portsWith(meanwhile), 'New/Folder' as VaultPath, 'tea', '# Tea\n');

describe('the path of a new note in a folder that is not there yet', () => {
  it('has no number', async () => {
    expect(await asked(() => {})).toBe('New/Folder/tea.md');
  });

  it('has one where somebody else makes the folder and that note meanwhile', async () => {
    expect(await asked(() => vault.put('New/Folder/tea.md', '# Theirs\n'))).toBe('New/Folder/tea-2.md');
  });

  it('is refused where a file stands in the folder’s place', async () => {
    await expect(asked(() => vault.put('New/Folder', 'no folder'))).rejects.toMatchObject({ code: expect.any(String) });
  });
});
