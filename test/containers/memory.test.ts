/**
 * What the two programs hold resident with a large vault (SPEC §18), the model apart: it belongs to Ollama. Counted is the
 * resident set of the program itself, as the kernel says (VmRSS: its own pages and those of the files that it has mapped);
 * what the container is charged for beside it is page cache.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { withContainers } from '../support/containers/images.ts';
import { KEY, type Project, startProject } from '../support/containers/project.ts';
import { hasHelpVault, unpackHelpVault } from '../support/help-vault.ts';

const LIMITS_MIB = { api: 150, indexer: 300 } as const;
/** On top of it: what 400 callers are answered with at the same moment. */
const BURST_MIB = 25;
const LIMIT_MS = 20 * 60_000;
/** All at once, from callers that wait for as long as it takes. */
const SEARCHES = 400;

/** Minutes of a quiet machine: asked for by `TEST_MEMORY=1`, else skipped. */
const measures = withContainers && hasHelpVault && process.env.TEST_MEMORY === '1';

describe.skipIf(!measures)('with 6 279 notes', () => {
  let project: Project;
  /** MiB: the most that was seen, of it what is the program's own, and the kernel's record of the most there ever was. */
  const most = { api: { seen: 0, own: 0, ever: 0 }, indexer: { seen: 0, own: 0, ever: 0 } };
  beforeAll(async () => {
    project = await startProject({
      vault: (folder) => unpackHelpVault(folder),
      profiles: ['ollama'],
      // Answers at once, with vectors as long as the real ones: the worst case, everything at the same time.
      settings: { EMBED_PROVIDER: 'ollama' },
    });
  }, LIMIT_MS);
  afterAll(() => project?.down());
  const index = async () => (await project.get('/readyz')).body.index as Record<string, number>;

  it('api and indexer stay within their figures, until every vector is made and then', {
    timeout: LIMIT_MS,
  }, async () => {
    const began = Date.now();
    const say = async (when: string) => {
      await look();
      const { notes, chunks, embedded } = await index();
      const seconds = Math.round((Date.now() - began) / 1000);
      console.log(`${when}, ${seconds} s, resident in MiB:`, JSON.stringify({ ...most, notes, chunks, embedded }));
    };
    await project.until(async () => (await project.get('/readyz')).status > 0, 'the api');
    await untilIndex(({ notes, waiting }) => notes === 6_279 && waiting === 0);
    await say('found by words');
    await untilIndex(({ chunks, embedded }) => chunks === embedded);
    await say('found by meaning');
    expect(await index()).toMatchObject({ state: 'ready', notes: 6_279, failed: 0 });
    expect(most.api.ever).toBeLessThanOrEqual(LIMITS_MIB.api);
    expect(most.indexer.ever).toBeLessThanOrEqual(LIMITS_MIB.indexer);
    await Promise.all(Array.from({ length: SEARCHES }, (_, n) => search(`sync my vault between devices ${n}`)));
    await say(`after ${SEARCHES} searches at once`);
    expect(most.api.ever).toBeLessThanOrEqual(LIMITS_MIB.api + BURST_MIB);
    expect(most.indexer.ever).toBeLessThanOrEqual(LIMITS_MIB.indexer);
  });

  /** Looks and searches every second until it holds. */
  async function untilIndex(holds: (index: Record<string, number>) => boolean): Promise<void> {
    for (;;) {
      const { status, body } = await project.get('/readyz');
      if (status === 200 && holds(body.index as Record<string, number>)) return;
      await look();
      await search('how do I link to a heading of another note');
      await sleep(1_000);
    }
  }

  async function search(query: string): Promise<void> {
    const headers = { authorization: `Bearer ${KEY}`, accept: 'application/json' };
    const answer = await fetch(`${project.url}/search?k=20&q=${encodeURIComponent(query)}`, { headers });
    await answer.arrayBuffer();
    expect([200, 503]).toContain(answer.status);
  }

  /** The program is the child of the container's init. */
  async function look(): Promise<void> {
    for (const service of ['api', 'indexer'] as const) {
      const read = 'read -r program _ < /proc/1/task/1/children; cat "/proc/$program/status"';
      const { output } = await project.exec(service, 'sh', '-c', read);
      const mib = (key: string) => Math.round(Number(new RegExp(`${key}:\\s+(\\d+) kB`).exec(output)?.[1]) / 1024);
      expect(mib('VmRSS'), output).toBeGreaterThan(0);
      most[service].seen = Math.max(most[service].seen, mib('VmRSS'));
      most[service].own = Math.max(most[service].own, mib('RssAnon'));
      most[service].ever = mib('VmHWM');
    }
  }
});
