/**
 * The files that a reconcile meets: looked at by the process that met them, a few at a time, without standing in the way of
 * anything else.
 */
import { afterEach, describe, expect, it } from 'vitest';
import { pathsWith } from '../support/index-contents.ts';
import { type IndexedVault, type IndexedVaultOptions, indexVault } from '../support/indexed-vault.ts';
import { createRecordingQueue } from '../support/recording-queue.ts';

let vault: IndexedVault;
afterEach(() => vault?.remove());

async function indexed(options: IndexedVaultOptions): Promise<IndexedVault> {
  vault = await indexVault(options);
  await vault.settled();
  return vault;
}

const found = (words: string): string[] => pathsWith(words, vault);

/** Notes that take a moment each. */
const many = (count: number): Record<string, string> =>
  Object.fromEntries(
    Array.from({ length: count }, (_, i) => [`Many/n${i}.md`, `# Note ${i}\n\n${`Line ${i}.\n\n`.repeat(20)}`]),
  );

describe('the files that a reconcile meets', () => {
  it('asks the queue for nothing but vectors, however many files there are', async () => {
    const queue = createRecordingQueue();
    await indexed({ files: many(50), queue });
    expect(vault.reader.counts().notes).toBe(50);
    expect(queue.synced).toEqual([]);
  });

  it('lets news overtake the files that wait', async () => {
    vault = await indexVault({ files: { ...many(500), 'zz.md': 'The boiler.\n' } });
    const waiting = () => vault.composed.indexer.build().state().waiting;
    await vault.until(() => waiting() > 250, 'half the files to wait');
    await vault.queue.add('sync-path', { path: 'zz.md', source: 'news' });
    await vault.until(() => found('boiler').length === 1, 'the news');
    expect(waiting()).toBeGreaterThan(0);
    await vault.settled();
    expect(vault.reader.counts().notes).toBe(501);
  });

  it('counts a reconcile as a job until every file it met is in the index', async () => {
    await indexed({ files: { 'Home.md': 'The boiler.\n' } });
    for (const [path, text] of Object.entries(many(80))) vault.put(path, text);
    await vault.queue.add('reconcile', {});
    await vault.until(async () => (await vault.queue.stats()).depth === 0, 'the reconcile');
    expect(vault.reader.counts().notes).toBe(81);
  });
});
