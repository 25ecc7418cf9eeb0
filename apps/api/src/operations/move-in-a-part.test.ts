import { type AccessRule, createAccess } from '@vault-mcp/shared/vault/access';
import type { VaultPath } from '@vault-mcp/shared/vault/path';
import { viewOf } from '@vault-mcp/shared/vault/view';
import { createVaultWriter } from '@vault-mcp/shared/vault/write';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { indexVault } from '../../../../test/support/indexed-vault.ts';
import { movingContext } from '../../../../test/support/moving-context.ts';
import { operationContext } from '../../../../test/support/reading-context.ts';
import { createWritableVault, NOTE_MAX_BYTES, type WritableVault } from '../../../../test/support/writable-vault.ts';
import { ANYWHERE } from '../../../../test/support/writing-context.ts';
import { moveText } from '../rendering/move-text.ts';
import { linkedFrom } from './linked-from.ts';
import { type MoveContext, moveEntry } from './move-entry.ts';

const RULES: readonly AccessRule[] = [
  { prefix: 'Mine', read: true, write: true },
  { prefix: 'Seen', read: true },
  { prefix: 'Log', read: true, write: 'append' },
];
const FILES = {
  'Mine/Plan.md': '# Plan\n',
  'Mine/own.md': 'See [[Mine/Plan]].\n',
  'Seen/reads.md': 'See [[Mine/Plan]].\n',
  'Log/day.md': 'See [[Mine/Plan]].\n',
};
const HIDDEN = { 'Shut/secret.md': 'See [[Mine/Plan]].\n', 'Shut/Plan.md': 'Another.\n' };

let on: WritableVault;
let context: MoveContext;
beforeEach(async () => {
  on = await createWritableVault();
  const vault = viewOf(on.vault, createAccess(RULES));
  const writer = createVaultWriter(vault, { locks: on.locks, noteMaxBytes: NOTE_MAX_BYTES });
  context = { ...movingContext(on).context, vault, writer };
});
afterEach(() => on.remove());

const move = (options: Record<string, unknown> = {}) =>
  moveEntry(context, { source: 'Mine/Plan.md', destination: 'Mine/New.md', ...options }, ANYWHERE);

describe('a move by who may see and change a part of the vault', () => {
  it('makes the links follow that may be changed, names those that may be seen, and no other', async () => {
    await on.put({ ...FILES, ...HIDDEN });
    const answer = await move();
    expect(answer).toMatchObject({ links_updated: 1, notes_updated: 1, links_unseen: true });
    expect(answer.left).toEqual([
      { path: 'Log/day.md', line: 1, reason: expect.stringMatching(/may not change the file/) },
      { path: 'Seen/reads.md', line: 1, reason: expect.stringMatching(/may not change the file/) },
    ]);
    expect(await on.read('Mine/own.md')).toBe('See [[Mine/New]].\n');
    for (const path of ['Seen/reads.md', 'Log/day.md', 'Shut/secret.md']) {
      expect(await on.read(path)).toBe('See [[Mine/Plan]].\n');
    }
  });

  it.each([{}, { dry_run: true }, { update_links: false }])(
    'says the same whether or not there are files that it may not see: %o',
    async (options) => {
      await on.put(FILES);
      const alone = await move({ ...options, dry_run: true });
      await on.put(HIDDEN);
      expect(await move({ ...options, dry_run: true })).toEqual(alone);
    },
  );

  it('says in words that links may be left that nobody here sees', async () => {
    await on.put(FILES);
    const { text } = moveText(await move(), 10_000);
    expect(text).toContain('Links in files that you may not see stay as they are');
    const whole = await moveEntry(
      movingContext(on).context,
      { source: 'Mine/New.md', destination: 'Mine/Plan.md' },
      ANYWHERE,
    );
    expect(whole).not.toHaveProperty('links_unseen');
    expect(moveText(whole, 10_000).text).not.toContain('may not see');
  });

  it('takes no note away from where others are, nor puts one there', async () => {
    await on.put({ ...FILES, ...HIDDEN });
    for (const [source, destination] of [
      ['Shut/secret.md', 'Mine/secret.md'],
      ['Seen/reads.md', 'Mine/reads.md'],
      ['Log/day.md', 'Mine/day.md'],
      ['Mine/Plan.md', 'Shut/Moved.md'],
      ['Mine/Plan.md', 'Log/Moved.md'],
      ['Mine', 'Shut/Mine'],
    ] as const) {
      await on.refused(() => moveEntry(context, { source, destination }, ANYWHERE), 'out_of_scope');
    }
  });
});

describe('what links to a file, for who may see a part of the vault', () => {
  it('is named of that part alone', async () => {
    const indexed = await indexVault({ files: { ...FILES, ...HIDDEN } });
    try {
      await indexed.settled();
      const whole = await operationContext(indexed);
      const part = { ...whole, vault: viewOf(whole.vault, createAccess(RULES)) };
      const removed = ['Mine/Plan.md' as VaultPath];
      const seen = ['Log/day.md', 'Mine/own.md', 'Seen/reads.md'];
      expect(await linkedFrom(part, removed)).toEqual({ linked_from: seen, links_unseen: true });
      expect(await linkedFrom(whole, removed)).toEqual({ linked_from: [...seen, 'Shut/secret.md'] });
    } finally {
      await indexed.remove();
    }
  });
});
