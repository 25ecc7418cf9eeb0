/** Containers that are killed, restarted and stopped in the middle of their work: what that costs is time, never a note. */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { startWrites, type Writes } from '../support/containers/acknowledged-writes.ts';
import { docker } from '../support/containers/engine.ts';
import { withContainers } from '../support/containers/images.ts';
import { type Project, startProject } from '../support/containers/project.ts';

const WRITES = 80;

describe.skipIf(!withContainers)('writes while a container', () => {
  let project: Project;
  let writes: Writes;
  beforeAll(async () => {
    project = await startProject();
    await project.untilReady();
  });
  afterAll(() => project?.down());
  const enough = (count: number) =>
    project.until(async () => writes.acknowledged() >= count, `${count} acknowledged writes`);

  it.each([
    ['api', 0],
    ['indexer', 100],
    ['redis', 200],
  ] as const)('is killed, the %s: none is lost or torn, and it comes back by itself', async (service, first) => {
    const { RestartCount: before } = await project.inspect(service);
    writes = startWrites(project, [first, first + WRITES]);
    await enough(WRITES / 4);
    await project.crash(service);
    await enough(WRITES / 2);
    await project.crash(service);
    await writes.done;
    expect((await project.inspect(service)).RestartCount).toBeGreaterThan(before);
    await writes.verifyFiles();
    await writes.verifyIndex();
    // What was being written when the api died is swept when it is back.
    expect((await readdir(join(project.vaultPath, 'Written'))).filter((name) => name.startsWith('.'))).toEqual([]);
  });

  it('is away, the Redis: they say that they are found later, and are', async () => {
    await project.compose('stop', 'redis');
    const { status, body } = await project.call('PUT', '/vault/Away.md', 'Written without a queue: elderflower.\n');
    expect([status, body.indexed]).toEqual([200, 'deferred']);
    await project.put('Outside.md', 'Edited without a queue: marmalade.\n');
    expect((await project.search('subject1x'))[0]).toBe('Written/n1.md');
    await project.compose('start', 'redis');
    await project.untilFound('elderflower', 'Away.md');
    await project.untilFound('marmalade', 'Outside.md');
  });
});

describe.skipIf(!withContainers)('a stop with work in hand', () => {
  let project: Project;
  afterEach(() => project?.down());

  it('takes less than ten seconds, finishes what was begun and loses nothing', async () => {
    // A slow embedder: there are vectors to be made all the while.
    project = await startProject({
      profiles: ['ollama'],
      settings: { EMBED_PROVIDER: 'ollama', WATCH_DEBOUNCE_SECONDS: '0.1' },
      override: { ollama: { environment: { FAKE_OLLAMA_MS_PER_TEXT: '200' } } },
    });
    await project.untilReady();
    const writes = startWrites(project, [0, 1_000], '?wait=indexed');
    await project.until(async () => writes.acknowledged() >= 20, 'work to be in hand');
    const containers = ['api', 'indexer'].map((service) => `${project.name}-${service}-1`);
    // Whoever is not done by then is killed, and ends with 137.
    await docker('stop', '--time', '10', ...containers);
    await writes.stop();
    for (const service of ['api', 'indexer']) {
      expect((await project.inspect(service)).State, service).toMatchObject({ Status: 'exited', ExitCode: 0 });
    }
    await writes.verifyFiles();
    await project.compose('start', 'api', 'indexer');
    await writes.verifyIndex();
    expect((await project.get('/readyz')).body.queue).toMatchObject({ failed: 0 });
  });
});
