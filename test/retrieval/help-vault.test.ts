/**
 * Search on a real vault of six languages, and what happens to it on disk: some thousand notes nobody wrote for us.
 * Needs the help vault beside the repository (see support/help-vault); skips without it.
 */
import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { OperationContext } from '@vault-mcp/api/context';
import { search } from '@vault-mcp/api/operations/search';
import { silentLogger } from '@vault-mcp/shared/log';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { recordComparisons } from '../support/comparisons.ts';
import { hasHelpVault, unpackHelpVault } from '../support/help-vault.ts';
import { type IndexedVault, indexVault } from '../support/indexed-vault.ts';
import { operationContext } from '../support/reading-context.ts';

const FOLDERS = ['en', 'de', 'ja', 'zh', 'th', 'ar'];
let base: string;
let vault: IndexedVault;
let context: OperationContext;

/** Six languages of notes take a while on a small machine. */
const WHOLE_VAULT_MS = 200_000;

async function start(logger = silentLogger()): Promise<void> {
  vault = await indexVault({ base, logger, watch: true });
  await vault.settled({ withinMs: WHOLE_VAULT_MS });
  context = await operationContext(vault);
}

async function found(q: string, k = 5): Promise<string[]> {
  const answer = await search(context, { query: q, k });
  return answer.results.map(({ path }) => path);
}

describe.skipIf(!hasHelpVault)('the help vault in six languages', { timeout: 240_000 }, () => {
  beforeAll(async () => {
    base = mkdtempSync(join(tmpdir(), 'vault-mcp-help-'));
    mkdirSync(join(base, 'vault'));
    unpackHelpVault(join(base, 'vault'), FOLDERS);
    await start();
  }, 240_000);
  afterAll(async () => {
    await vault?.remove();
  });

  it('is indexed whole: every note, nothing in quarantine', () => {
    const counts = vault.reader.counts();
    expect(counts.notes).toBeGreaterThan(1000);
    expect(counts).toMatchObject({ quarantined: 0, failed: 0, pending: 0 });
    expect(counts.embedded).toBe(counts.chunks);
  });

  it.each([
    ['English', 'callout syntax', 'en/Editing and formatting/Callouts.md'],
    ['English, as a sentence', 'how do I fold headings in the editor', 'en/Editing and formatting/Folding.md'],
    ['an address', 'obsidian://open', 'Obsidian URI.md'],
    ['German', 'Tastenkürzel ändern', 'de/Benutzeroberfläche/Tastenkürzel.md'],
    ['German, without its umlauts', 'Tastenkurzel', 'de/Benutzeroberfläche/Tastenkürzel.md'],
    ['Japanese', 'ホットキーを変更する', 'ja/ユーザーインターフェイス/ホットキー.md'],
    ['Japanese, two characters', '同期', 'Sync'],
    ['Chinese', '如何使用标注', 'zh/'],
    ['Thai', 'การซิงค์โน้ต', 'th/'],
    ['Arabic', 'الروابط الداخلية', 'ar/'],
  ])('is found in %s: %s', async (_language, q, expected) => {
    expect((await found(q)).some((path) => path.includes(expected))).toBe(true);
  });

  it('follows an edit, a rename and a removal on disk', async () => {
    const at = (path: string) => join(vault.vaultPath, path);
    const { notes } = vault.reader.counts();
    await vault.until(() => vault.reader.indexerStatus()?.watcher.ok === true, 'the watcher');
    writeFileSync(at('en/Home.md'), '# Home\n\nThe zwergfledermaus lives in the attic.\n');
    await vault.until(async () => (await found('zwergfledermaus'))[0] === 'en/Home.md', 'the edit');
    renameSync(at('en/Home.md'), at('en/Attic.md'));
    await vault.until(async () => (await found('zwergfledermaus'))[0] === 'en/Attic.md', 'the rename');
    rmSync(at('en/Attic.md'));
    await vault.until(async () => !(await found('zwergfledermaus')).includes('en/Attic.md'), 'the removal');
    renameSync(at('de'), at('deutsch'));
    await vault.until(
      async () => (await found('Tastenkürzel', 1))[0]?.startsWith('deutsch/') === true,
      'the folder rename',
    );
    await vault.until(() => vault.reader.counts().notes === notes - 1, 'every renamed note');
    await vault.settled();
  });

  it('is there again after a restart, with nothing read twice', async () => {
    const before = vault.reader.counts();
    const generation = vault.reader.generation();
    await vault.stop();
    const { logger, compared } = recordComparisons();
    await start(logger);
    // The index page, which has no row, is looked at for its mark alone.
    expect(compared).toEqual([{ seen: before.notes + 1, differing: 1 }]);
    expect(vault.reader.counts()).toEqual(before);
    expect(vault.reader.generation()).toBe(generation);
  });
});
