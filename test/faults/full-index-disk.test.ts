/**
 * The disk that holds the index while it is full: a reconcile's work ends there once, with a word and without a job a file,
 * and goes on by itself when there is room. Mounting needs root, so without it this is skipped, visibly.
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { createLogger } from '@vault-mcp/shared/log';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type IndexedVault, indexVault } from '../support/indexed-vault.ts';
import { createRecordingQueue } from '../support/recording-queue.ts';
import { canMount, mount, resize, unmount } from '../support/small-disk.ts';
import { createTempFolder, type TempFolder } from '../support/temp-folder.ts';

const mayMount = await canMount();

const NOTES = 300;

describe.skipIf(!mayMount)('an index on a full disk', () => {
  let folder: TempFolder;
  let data: string;
  let vault: IndexedVault | undefined;
  beforeEach(async () => {
    folder = await createTempFolder('full-index');
    data = join(folder.path, 'data');
    mkdirSync(data);
    mount(data, '2m');
  });
  afterEach(async () => {
    try {
      await vault?.stop();
    } finally {
      unmount(data);
      await folder.remove();
    }
  });

  it('is said once, costs no job a file, and is whole by itself once there is room', async () => {
    const lines: { msg: string; err?: unknown; path?: string }[] = [];
    const queue = createRecordingQueue();
    vault = await indexVault({
      base: folder.path,
      files: Object.fromEntries(
        Array.from({ length: NOTES }, (_, i) => [
          `n${i}.md`,
          `# Note ${i}\n\n${`Word${i} in a line.\n\n`.repeat(200)}`,
        ]),
      ),
      queue,
      logger: createLogger({
        name: 'test',
        level: 'warn',
        destination: { write: (line) => lines.push(JSON.parse(line)) },
      }),
    });
    const { indexer } = vault.composed;
    await vault.until(() => indexer.build().state().state === 'failed', 'the disk to be full');
    await indexer.build().idle();
    expect(indexer.build().state()).toMatchObject({ error: expect.stringContaining('could not be written') });
    expect(indexer.build().state().waiting).toBeGreaterThan(0);
    expect(lines.filter(({ msg }) => msg.startsWith('not every file'))).toHaveLength(1);
    expect(lines.filter(({ path }) => path !== undefined)).toEqual([]);
    resize(data, '64m');
    await vault.settled({ vectors: false, withinMs: 60_000 });
    expect(vault.reader.counts().notes).toBe(NOTES);
    expect(queue.synced).toEqual([]);
  });
});
