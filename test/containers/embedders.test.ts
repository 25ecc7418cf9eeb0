/** Who makes the vectors: an Ollama beside the pair, the host's own, more workers, or the model in the images. */
import { afterEach, describe, expect, it } from 'vitest';
import { withContainers } from '../support/containers/images.ts';
import { KEY, type Project, type ProjectOptions, startProject } from '../support/containers/project.ts';
import { startFakeOllama } from '../support/fake-ollama.ts';

const notes = (count: number) =>
  Object.fromEntries(
    Array.from({ length: count }, (_, n) => [`Notes/n${n}.md`, `# Note ${n}\n\nA sentence about subject${n}x.\n`]),
  );

describe.skipIf(!withContainers)('vectors in containers', () => {
  let project: Project;
  afterEach(() => project?.down());
  const start = async (options: ProjectOptions) => {
    project = await startProject(options);
    await project.untilReady();
  };
  const untilEmbedded = () =>
    project.until(async () => {
      const { chunks, embedded } = (await project.get('/readyz')).body.index as Record<string, number>;
      return chunks !== 0 && chunks === embedded;
    }, 'every chunk to have its vector');

  it('come from the Ollama of the profile, whose model a service fetches once', async () => {
    await start({ vault: notes(20), profiles: ['ollama'], settings: { EMBED_PROVIDER: 'ollama' } });
    await untilEmbedded();
    const { State } = await project.inspect('ollama-model');
    expect(State).toMatchObject({ Status: 'exited', ExitCode: 0 });
    expect((await project.get('/search?q=subject7x')).body.degraded).toEqual([]);
  });

  it('come from the host’s own Ollama', async () => {
    const ollama = await startFakeOllama({ host: '0.0.0.0' });
    try {
      const url = `http://host.docker.internal:${new URL(ollama.url).port}/v1`;
      await start({ vault: notes(20), settings: { EMBED_PROVIDER: 'ollama', OLLAMA_URL: url } });
      await untilEmbedded();
      expect((await project.get('/search?q=subject7x')).body.degraded).toEqual([]);
    } finally {
      await ollama.close();
    }
  });

  it('come from workers too, and killing one loses nothing', async () => {
    await start({
      vault: notes(300),
      profiles: ['ollama'],
      // What a worker holds is given to another soon after its death.
      settings: { EMBED_PROVIDER: 'ollama', EMBED_BATCH_SIZE: '4' },
      override: { ollama: { environment: { FAKE_OLLAMA_MS_PER_TEXT: '20' } }, indexer: { environment: {} } },
    });
    await project.compose('up', '-d', '--no-build', '--no-recreate', '--scale', 'worker=2', 'worker');
    await project.until(async () => (await project.inspect('worker', 2)).State.Status === 'running', 'two workers');
    await project.until(
      async () => Number(((await project.get('/readyz')).body.index as { embedded: number }).embedded) > 20,
      'some vectors',
    );
    await project.crash('worker');
    await untilEmbedded();
    expect((await project.get('/readyz')).body.index).toMatchObject({ notes: 300, failed: 0 });
    await project.until(
      async () => (await project.inspect('worker', 2)).State.Health?.Status === 'healthy',
      'a healthy worker',
    );
    // It holds neither the data nor the key, and the vault only to read documents.
    expect((await project.exec('worker', 'ls', '/data')).output).not.toContain('index.db');
    expect((await project.inspect('worker')).Mounts).toMatchObject([{ Destination: '/vault', RW: false }]);
    expect((await project.exec('worker', 'env')).output).not.toContain(KEY);
  });
});
