/** The one container for small vaults: the same product in one process, with the model that its image holds. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { docker } from '../support/containers/engine.ts';
import { withContainers } from '../support/containers/images.ts';
import { type Project, startProject } from '../support/containers/project.ts';

const SERVICE = 'api';

describe.skipIf(!withContainers)('the one container', () => {
  let project: Project;
  beforeAll(async () => {
    project = await startProject({
      files: ['docker-compose.embedded.yml'],
      vault: { 'Home.md': '# Home\n\nThe chimney was swept.\n', 'Car.md': '# Car\n\nThe tyres were changed.\n' },
      settings: { WATCH_DEBOUNCE_SECONDS: '0.1' },
      owner: [1026, 100],
    });
    await project.untilReady();
  });
  afterAll(() => project?.down());

  it('finds by meaning without any other container, and follows edits on the host', async () => {
    await project.until(async () => {
      const { chunks, embedded } = (await project.get('/readyz')).body.index as Record<string, number>;
      return chunks === 2 && embedded === 2;
    }, 'the vectors');
    expect((await project.search('flue cleaning'))[0]).toBe('Home.md');
    expect((await project.get('/search?q=flue')).body.degraded).toEqual([]);
    await project.put('New.md', 'Gooseberry jam.\n');
    await project.untilFound('gooseberry', 'New.md');
  });

  it('becomes healthy, as an ordinary user who can change nothing but its mounts', async () => {
    await project.until(
      async () => (await project.inspect(SERVICE)).State.Health?.Status === 'healthy',
      'the container to be healthy',
    );
    expect((await project.exec(SERVICE, 'id')).output).toMatch(/^uid=1026 gid=100/);
    expect((await project.exec(SERVICE, 'touch', '/app/x')).output).toMatch(/Read-only/);
  });

  it('is back with everything after a crash, and stops within ten seconds', async () => {
    const written = await project.call('PUT', '/vault/Kept.md?wait=indexed', 'Quince jelly.\n');
    expect(written.body.indexed).toBe('indexed');
    await project.crash(SERVICE);
    await project.untilReady();
    expect((await project.inspect(SERVICE)).RestartCount).toBe(1);
    await project.untilFound('quince', 'Kept.md');
    await docker('stop', '--time', '10', `${project.name}-${SERVICE}-1`);
    expect((await project.inspect(SERVICE)).State).toMatchObject({ Status: 'exited', ExitCode: 0 });
  });
});
