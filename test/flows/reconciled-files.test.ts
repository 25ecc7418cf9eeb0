/**
 * The files that a reconcile meets: looked at by the process that met them, a few at a time, without standing in the way of
 * anything else.
 */
import { createLogger } from '@vault-mcp/shared/log';
import { afterEach, describe, expect, it } from 'vitest';
import { createChoosyQueue } from '../support/choosy-queue.ts';
import { pathsWith } from '../support/index-contents.ts';
import { type IndexedVault, indexVault } from '../support/indexed-vault.ts';
import { createRecordingQueue } from '../support/recording-queue.ts';

let vault: IndexedVault;
afterEach(() => vault?.remove());

const many = (count: number, suffix: string): Record<string, string> =>
  Object.fromEntries(Array.from({ length: count }, (_, i) => [`Many/n${i}.${suffix}`, `Number ${i}.\n`]));

const waiting = () => vault.composed.indexer.build().state().waiting;
const depth = async () => (await vault.queue.stats()).depth;

/** Two documents that are being looked at, which takes both places, until the gate is opened. */
async function heldVault(): Promise<{ open(): void }> {
  let held = 0;
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  const queue = createChoosyQueue(async (name) => {
    if (name !== 'extract-document') return;
    held++;
    await opened;
  });
  vault = await indexVault({ files: { 'a.pdf': 'not a PDF\n', 'b.pdf': 'nor is this\n' }, queue });
  await vault.until(() => held === 2, 'both places to be taken');
  return { open };
}

describe('the files that a reconcile meets', () => {
  it('ask the queue for nothing but vectors, however many there are', async () => {
    const queue = createRecordingQueue();
    vault = await indexVault({ files: many(50, 'md'), queue });
    await vault.settled();
    expect(vault.reader.counts().notes).toBe(50);
    expect(queue.synced).toEqual([]);
  });

  it('let news overtake them while they wait', async () => {
    const gate = await heldVault();
    for (const [path, text] of Object.entries(many(20, 'md'))) vault.put(path, text);
    vault.put('zz.md', 'The boiler.\n');
    await vault.queue.add('reconcile', {});
    await vault.until(() => waiting() === 23, 'all files to be met');
    await vault.queue.add('sync-path', { path: 'zz.md', source: 'news' });
    await vault.until(() => pathsWith('boiler', vault).length === 1, 'the news');
    await vault.until(() => waiting() === 22, 'the others alone to wait');
    gate.open();
    await vault.settled();
    expect(vault.reader.counts().notes).toBe(21);
  });

  it('count as one job with the reconcile that came by the queue, and as none with the first', async () => {
    const gate = await heldVault();
    expect([waiting(), await depth()]).toEqual([2, 0]);
    for (const [path, text] of Object.entries(many(20, 'md'))) vault.put(path, text);
    await vault.queue.add('reconcile', {});
    await vault.until(() => waiting() === 22, 'all files to be met');
    expect(await depth()).toBe(1);
    gate.open();
    await vault.until(async () => (await depth()) === 0, 'the reconcile');
    expect(vault.reader.counts().notes).toBe(20);
  });

  it('are given up by a stop that has waited for those in hand as long as it was told', async () => {
    const gate = await heldVault();
    await vault.composed.indexer.stop({ timeoutMs: 50 });
    expect(waiting()).toBe(2);
    gate.open();
  });

  it('are left together when the queue takes no job, said once, and looked for again without being asked', async () => {
    const lines: string[] = [];
    let refuses = true;
    let cleared = 0;
    const inner = createChoosyQueue(async (name) => {
      if (refuses && (name === 'extract-document' || name === 'sync-path')) throw new Error('no memory left');
    });
    const queue = {
      ...inner,
      clear: async (lane: Parameters<typeof inner.clear>[0]) => {
        cleared++;
        await inner.clear(lane);
      },
    };
    const logger = createLogger({ name: 'test', level: 'warn', destination: { write: (line) => lines.push(line) } });
    vault = await indexVault({ files: many(4, 'pdf'), queue, logger });
    await vault.until(() => lines.length > 0, 'a word about it');
    await vault.composed.indexer.build().idle();
    expect(waiting()).toBe(4);
    expect(lines).toEqual([expect.stringContaining('no memory left')]);
    const clearedBefore = cleared;
    refuses = false;
    await vault.settled({ withinMs: 60_000 });
    expect(vault.reader.counts().quarantined).toBe(4);
    // The lane's jobs in hand are none of a later look's business.
    expect(cleared).toBe(clearedBefore);
  });
});
