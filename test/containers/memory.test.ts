/**
 * What the two programs hold resident with a large vault (SPEC §18), the model apart: it belongs to Ollama. Counted is the
 * resident set of the program itself, as the kernel says; what the container is charged for beside it is page cache.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { withContainers } from '../support/containers/images.ts';
import { type Project, startProject } from '../support/containers/project.ts';
import { hasHelpVault, unpackHelpVault } from '../support/help-vault.ts';

const LIMITS_MIB = { api: 150, indexer: 300 } as const;
const INDEXING_MS = 8 * 60_000;

/** Minutes of a quiet machine: asked for by `TEST_MEMORY=1`, else skipped. */
const measures = withContainers && hasHelpVault && process.env.TEST_MEMORY === '1';

describe.skipIf(!measures)('with 6 279 notes', () => {
  let project: Project;
  /** MiB: the most that was seen, and the kernel's own record of the most there ever was. */
  const most = { api: { seen: 0, ever: 0 }, indexer: { seen: 0, ever: 0 } };
  beforeAll(async () => {
    project = await startProject({
      vault: (folder) => unpackHelpVault(folder),
      profiles: ['ollama'],
      settings: { EMBED_PROVIDER: 'ollama' },
      // Slow, as a model is: text is indexed while few vectors are made, and they go on being made afterwards.
      override: { ollama: { environment: { FAKE_OLLAMA_MS_PER_TEXT: '30' } } },
    });
  }, INDEXING_MS);
  afterAll(() => project?.down());

  it('api and indexer stay within their figures, while indexing and afterwards', { timeout: INDEXING_MS }, async () => {
    await project.until(async () => (await project.get('/readyz')).status === 503, 'the api');
    for (const began = Date.now(); Date.now() - began < INDEXING_MS; await sleep(1_000)) {
      await look();
      await project.search('how do I link to a heading of another note');
      const { status, body } = await project.get('/readyz');
      if (status === 200 && (body.index as { waiting: number }).waiting === 0) break;
    }
    const { index } = (await project.get('/readyz')).body;
    expect(index).toMatchObject({ state: 'ready', notes: 6_279 });
    for (let n = 0; n < 50; n += 1) await project.search(`sync my vault between devices ${n}`);
    await look();
    console.log('resident, MiB:', JSON.stringify(most), JSON.stringify(index));
    expect(most.api.seen).toBeLessThanOrEqual(LIMITS_MIB.api);
    expect(most.indexer.seen).toBeLessThanOrEqual(LIMITS_MIB.indexer);
  });

  /** The program is the child of the container's init. */
  async function look(): Promise<void> {
    for (const service of ['api', 'indexer'] as const) {
      const read = 'read -r program _ < /proc/1/task/1/children; cat "/proc/$program/status"';
      const { output } = await project.exec(service, 'sh', '-c', read);
      const mib = (key: string) => Math.round(Number(new RegExp(`${key}:\\s+(\\d+) kB`).exec(output)?.[1]) / 1024);
      expect(mib('VmRSS'), output).toBeGreaterThan(0);
      most[service].seen = Math.max(most[service].seen, mib('VmRSS'));
      most[service].ever = mib('VmHWM');
    }
  }
});
