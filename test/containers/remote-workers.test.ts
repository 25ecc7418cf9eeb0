/**
 * Workers on another machine, as two compose projects that share nothing but a Redis with a password, reached by its
 * published port: one serves the vault and makes no vectors, the other makes them.
 */
import { networkInterfaces } from 'node:os';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { withContainers } from '../support/containers/images.ts';
import { KEY, type Project, startProject } from '../support/containers/project.ts';
import { type FakeOllama, startFakeOllama } from '../support/fake-ollama.ts';
import { freePort } from '../support/free-port.ts';

const NOTES = 300;
const PASSWORD = 'sw0rdfish';
const notes = Object.fromEntries(
  Array.from({ length: NOTES }, (_, n) => [`Notes/n${n}.md`, `# Note ${n}\n\nA sentence about subject${n}x.\n`]),
);

describe.skipIf(!withContainers)('workers in a compose project of their own', () => {
  const projects: Project[] = [];
  let ollama: FakeOllama;
  let served: Project;
  let redis: string;
  const start = async (options: Parameters<typeof startProject>[0]) => {
    const project = await startProject(options);
    projects.push(project);
    return project;
  };
  const startWorkers = (password: string) =>
    start({
      files: ['docker-compose.worker.yml'],
      environment: {
        REDIS_URL: `redis://:${password}@${redis}`,
        OLLAMA_URL: `http://host.docker.internal:${new URL(ollama.url).port}/v1`,
      },
      settings: { EMBED_BATCH_SIZE: '4' },
      // As the image has it, only sooner.
      override: { worker: { healthcheck: { interval: '1s', start_period: '1s', retries: 2 } } },
    });
  const index = async () => (await served.get('/readyz')).body.index as Record<string, number>;

  beforeAll(async () => {
    ollama = await startFakeOllama({ host: '0.0.0.0' });
    ollama.delayMs = 100;
    redis = `${ownAddress()}:${await freePort()}`;
    served = await start({
      files: ['docker-compose.yml', 'docker-compose.remote-workers.yml'],
      environment: { REDIS_PASSWORD: PASSWORD, REDIS_PORT: redis, INDEXER_ROLES: 'watch,write,extract' },
      vault: notes,
      settings: { EMBED_PROVIDER: 'ollama', EMBED_BATCH_SIZE: '4' },
    });
    await served.untilReady();
  });
  afterAll(async () => {
    for (const project of projects.reverse()) await project.down();
    await ollama?.close();
  });

  it('with a wrong password say so, are never well, and leave the password out', async () => {
    const strangers = await startWorkers('w0rng');
    await strangers.until(async () => /WRONGPASS/.test(await strangers.logs('worker')), 'the refusal');
    expect(await strangers.logs('worker')).not.toContain('w0rng');
    await strangers.until(
      async () => (await strangers.inspect('worker')).State.Health?.Status === 'unhealthy',
      'a worker that is not well',
    );
    expect(await index()).toMatchObject({ chunks: NOTES, embedded: 0 });
  });

  it('make the vectors of the vault that is served, and one that is killed loses nothing', async () => {
    const workers = await startWorkers(PASSWORD);
    await served.until(async () => ((await index()).embedded ?? 0) > 20, 'some vectors');
    await workers.crash('worker');
    expect((await index()).embedded).toBeLessThan(NOTES);
    await served.until(async () => (await index()).embedded === NOTES, 'every vector');
    expect(await index()).toMatchObject({ notes: NOTES, pending: 0, failed: 0 });
    expect((await workers.inspect('worker')).RestartCount).toBe(1);
    await workers.until(
      async () => (await workers.inspect('worker')).State.Health?.Status === 'healthy',
      'a healthy worker',
    );
    // It holds neither the vault nor the data, nor the key.
    expect((await workers.exec('worker', 'sh', '-c', 'ls /vault /data; env')).output).not.toMatch(/n1\.md|index\.db/);
    expect((await workers.exec('worker', 'env')).output).not.toContain(KEY);
  });
});

/** An address of this machine that is not its own alone: containers reach it as another machine would. */
function ownAddress(): string {
  const addresses = Object.values(networkInterfaces()).flatMap((of = []) => of);
  const found = addresses.find(({ family, internal }) => family === 'IPv4' && !internal);
  if (found === undefined) throw new Error('This machine has no address but its own.');
  return found.address;
}
