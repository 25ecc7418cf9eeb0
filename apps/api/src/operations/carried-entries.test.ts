import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { movingContext } from '../../../../test/support/moving-context.ts';
import { createWritableVault, type WritableVault } from '../../../../test/support/writable-vault.ts';
import { ANYWHERE } from '../../../../test/support/writing-context.ts';
import { moveEntry } from './move-entry.ts';

let on: WritableVault;
beforeEach(async () => {
  on = await createWritableVault();
});
afterEach(() => on.remove());

const move = (source: string, destination: string, options = {}) =>
  moveEntry(movingContext(on).context, { source, destination, ...options }, ANYWHERE);

describe('the move of a folder', () => {
  it.each([true, false])(
    'says what a folder takes along that no listing shows (update_links: %j)',
    async (update_links) => {
      await on.put({ 'Old/a.md': 'a', 'Old/.obsidian/x': 'x', 'Old/Deep/.hidden.md': '[a](../a.md)' });
      await symlink('../a.md', join(on.root, 'Old/Deep/link.md'));
      const left = [
        { path: 'New/.obsidian', line: null, reason: expect.stringMatching(/hidden/) },
        { path: 'New/Deep/.hidden.md', line: null, reason: expect.stringMatching(/no links rewritten/) },
        { path: 'New/Deep/link.md', line: null, reason: expect.stringMatching(/symbolic link/) },
      ];
      expect(await move('Old', 'New', { update_links, dry_run: true })).toMatchObject({ left });
      expect(await move('Old', 'New', { update_links })).toMatchObject({ left });
      expect(await on.everything()).toMatchObject({ 'New/.obsidian/x': 'x', 'New/Deep/link.md': '-> ../a.md' });
    },
  );

  it('has nothing to say of one that holds plain files alone', async () => {
    await on.put({ 'Old/a.md': 'a', 'Old/Deep/scan.pdf': 's' });
    expect(await move('Old', 'New')).toMatchObject({ left: [] });
  });
});
