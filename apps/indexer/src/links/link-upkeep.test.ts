import { silentLogger } from '@vault-mcp/shared/log';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type SyncedVault, syncedVault } from '../../../../test/support/synced-vault.ts';
import { createLinkUpkeep, type LinkUpkeep, type LinkUpkeepDeps } from './link-upkeep.ts';

let vault: SyncedVault;
let upkeep: LinkUpkeep | undefined;
beforeEach(async () => {
  vault = await syncedVault();
});
afterEach(async () => {
  await upkeep?.stop();
  await vault.close();
});

/** @returns how many passes have been closed */
function keep(times: { quietMs: number; patienceMs: number }, hooks: { isWhole?: () => boolean; fails?: Error } = {}) {
  const seen = { closed: 0, errors: [] as unknown[] };
  const deps: LinkUpkeepDeps = {
    ...{ vault: vault.deps.vault, presence: vault.deps.presence, queue: vault.deps.producer, locks: null },
    writer: {
      passes: {
        close() {
          if (hooks.fails) throw hooks.fails;
          seen.closed++;
          return true;
        },
        current: () => 1,
        follow: () => {},
        expectOwn: () => {},
      },
    },
    settings: { kinds: new Set(), indexPath: '', noteMaxBytes: 0, ...times },
    rules: { ignore: [], excludeDirs: [] },
    logger: silentLogger(),
  };
  const onError = (error: unknown) => seen.errors.push(error);
  upkeep = createLinkUpkeep(deps, { isWhole: hooks.isWhole ?? (() => true), onError });
  return seen;
}

describe('the upkeep of links', () => {
  it('looks at a vault that is never quiet all the same', async () => {
    const seen = keep({ quietMs: 60_000, patienceMs: 50 });
    await vi.waitFor(() => {
      upkeep?.ask();
      expect(seen.closed).toBeGreaterThan(1);
    }, 10_000);
  });

  it('looks once for all that is asked until the vault is quiet', async () => {
    const seen = keep({ quietMs: 100, patienceMs: 60_000 });
    for (let i = 0; i < 50; i++) upkeep?.ask();
    await vi.waitFor(() => expect(seen.closed).toBe(1));
  });

  it('waits for the end of a reconcile, and then until it is asked', async () => {
    let isWhole = false;
    const seen = keep({ quietMs: 1, patienceMs: 1 }, { isWhole: () => isWhole });
    upkeep?.ask();
    await upkeep?.stop();
    expect(seen.closed).toBe(0);
    isWhole = true;
    const after = keep({ quietMs: 1, patienceMs: 1 }, { isWhole: () => isWhole });
    upkeep?.ask();
    await vi.waitFor(() => expect(after.closed).toBe(1));
  });

  it('tells of a fault that is no file’s, and goes on when asked again', async () => {
    const fails = new Error('the disk is full');
    const seen = keep({ quietMs: 1, patienceMs: 1 }, { fails });
    upkeep?.ask();
    await vi.waitFor(() => expect(seen.errors).toEqual([fails]));
    await vi.waitFor(() => {
      upkeep?.ask();
      expect(seen.errors.length).toBeGreaterThan(1);
    });
  });
});
