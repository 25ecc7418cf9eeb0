/** A program that hangs, as on a dead disk or in an endless loop: its container becomes unhealthy, and healthy when it goes on. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { withContainers } from '../support/containers/images.ts';
import { type Project, startProject } from '../support/containers/project.ts';

/** The image's own check, only more often. */
const SOON = { healthcheck: { interval: '1s', retries: 2 } };

describe.skipIf(!withContainers)('a container whose program hangs', () => {
  let project: Project;
  beforeAll(async () => {
    project = await startProject({ vault: { 'Home.md': 'The chimney.\n' }, override: { api: SOON, indexer: SOON } });
    await project.untilReady();
  });
  afterAll(() => project?.down());
  const untilIts = (service: string, status: string) =>
    project.until(
      async () => (await project.inspect(service)).State.Health?.Status === status,
      `the ${service} to be ${status}`,
    );

  it.each(['api', 'indexer'])('becomes unhealthy, the %s, and is healthy again when it goes on', async (service) => {
    await untilIts(service, 'healthy');
    await project.hang(service);
    await untilIts(service, 'unhealthy');
    await project.goOn(service);
    await untilIts(service, 'healthy');
    expect((await project.inspect(service)).RestartCount).toBe(0);
    await project.put(`${service}.md`, `Noticed after the pause of the ${service}.\n`);
    await project.untilFound(`pause of the ${service}`, `${service}.md`);
  });

  it('is missed by the api too, the indexer, which goes on serving', async () => {
    await project.hang('indexer');
    await project.until(async () => (await project.get('/readyz')).status === 503, 'the missing heartbeat');
    expect(await project.search('chimney')).toContain('Home.md');
    await project.goOn('indexer');
    await project.untilReady();
  });
});
