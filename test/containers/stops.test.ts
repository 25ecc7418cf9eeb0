/**
 * Containers that are stopped in the middle of slow work, by compose and within the time it gives: they end by themselves
 * with 0 (one that docker had to kill ends with 137), and the work is done later, by whoever is there then.
 */
import { chown, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { scannedPdf } from '../fixtures/pdf-files.ts';
import { withContainers } from '../support/containers/images.ts';
import { type Project, startProject } from '../support/containers/project.ts';
import { type FakeOllama, startFakeOllama } from '../support/fake-ollama.ts';

const PAGES = 8;
const NOTES = 20;
const isOfNotes = (texts: readonly string[]) => texts.some((text) => text.includes('subject'));

describe.skipIf(!withContainers)('a stop in the middle of slow work', () => {
  let project: Project;
  let ollama: FakeOllama | undefined;
  afterEach(async () => {
    await project?.down();
    await ollama?.close();
    ollama = undefined;
  });
  const index = async () => (await project.get('/readyz')).body.index as Record<string, number>;
  const expectGoodEnd = async (service: string) =>
    expect((await project.inspect(service)).State).toMatchObject({ Status: 'exited', ExitCode: 0 });

  it('ends an indexer that reads a scan, which is read after the next start', async () => {
    const texts = Array.from({ length: PAGES }, (_, n) => `Page ${n}. The gutters of the house next door leak.`);
    const scan = await scannedPdf([...texts, 'The last page is about rhubarb.']);
    project = await startProject({
      vault: async (folder) => {
        await mkdir(join(folder, 'Files'));
        await writeFile(join(folder, 'Files/scan.pdf'), scan);
        await chown(join(folder, 'Files/scan.pdf'), 1000, 1000);
      },
    });
    await project.until(async () => {
      const { output } = await project.exec('indexer', 'sh', '-c', 'cat /proc/[0-9]*/comm');
      return output.includes('tesseract');
    }, 'the scan to be read');
    await project.compose('stop', 'indexer');
    await expectGoodEnd('indexer');
    await project.compose('start', 'indexer');
    await project.untilFound('rhubarb', 'Files/scan.pdf');
    expect(await index()).toMatchObject({ documents: 1, quarantined: 0 });
    expect((await project.get('/readyz')).body.queue).toMatchObject({ failed: 0 });
  });

  it.each([
    ['hands over what it can finish in time', true],
    ['gives back what it cannot', false],
  ])('ends a worker that embeds: it %s', async (_what, inTime) => {
    ollama = await startFakeOllama({ host: '0.0.0.0' });
    if (inTime) ollama.delayMs = 2_000;
    // Not for the question whether it is there.
    else ollama.misbehave = (texts) => (isOfNotes(texts) ? { kind: 'hang' } : null);
    const { requests } = ollama;
    project = await startProject({
      vault: Object.fromEntries(Array.from({ length: NOTES }, (_, n) => [`n${n}.md`, `A note on subject${n}x.\n`])),
      environment: { WORKERS: '1', INDEXER_ROLES: 'watch,write,extract' },
      settings: {
        EMBED_PROVIDER: 'ollama',
        EMBED_BATCH_SIZE: '4',
        OLLAMA_URL: `http://host.docker.internal:${new URL(ollama.url).port}/v1`,
      },
    });
    await project.until(async () => requests.some(({ texts }) => isOfNotes(texts)), 'a batch in the worker’s hands');
    await project.compose('stop', 'worker');
    await expectGoodEnd('worker');
    if (inTime) {
      await project.until(async () => ((await index()).embedded ?? 0) >= 1, 'the vectors that were handed over');
    } else expect(await index()).toMatchObject({ chunks: NOTES, embedded: 0 });
    expect((await index()).embedded).toBeLessThan(NOTES);
    ollama.delayMs = 0;
    ollama.misbehave = () => null;
    await project.compose('start', 'worker');
    await project.until(async () => (await index()).embedded === NOTES, 'every vector');
    expect(await index()).toMatchObject({ pending: 0, failed: 0 });
  });
});
