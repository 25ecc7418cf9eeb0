/** The compose file as a user gets it: what it lets the containers do. */
import { cp, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { docker } from '../support/containers/engine.ts';
import { IMAGES, REVISION, ROOT, SOURCE, withContainers } from '../support/containers/images.ts';
import { type Project, startProject } from '../support/containers/project.ts';

describe.skipIf(!withContainers)('docker compose up on a clean machine', () => {
  let project: Project;
  beforeAll(async () => {
    const began = performance.now();
    // Only images and port differ from what a user has: no settings, no override.
    project = await startProject({
      vault: (folder) => cp(join(ROOT, 'examples/vault'), folder, { recursive: true }),
      settings: {},
    });
    await project.untilReady();
    console.log(`docker compose up to ready on examples/vault: ${((performance.now() - began) / 1000).toFixed(1)} s`);
  });
  afterAll(() => project?.down());

  it('serves every note, by words until there is an embedder', async () => {
    const { body } = await project.get('/readyz');
    expect(body.index).toMatchObject({ notes: 55, documents: 2, quarantined: 0 });
    expect(await project.search('burst pipe')).toContain('Household/House log.md');
    expect((await project.get('/search?q=pipe')).body.degraded).toContain('embedder_unreachable');
  });

  it('becomes healthy', async () => {
    for (const service of ['api', 'indexer', 'redis']) {
      await project.until(
        async () => (await project.inspect(service)).State.Health?.Status === 'healthy',
        `${service} to be healthy`,
      );
    }
  });

  it('says which build it is, in /readyz as in the labels', async () => {
    const { body } = await project.get('/readyz');
    const { version } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8')) as { version: string };
    expect(body).toMatchObject({ version, revision: REVISION, source: SOURCE, licence: 'MIT' });
    for (const image of [IMAGES.api, IMAGES.indexer, IMAGES.embedded]) {
      const { output } = await docker('image', 'inspect', '--format', '{{json .Config.Labels}}', image);
      expect(JSON.parse(output)).toMatchObject({
        'org.opencontainers.image.title': expect.stringMatching(/^vault-mcp/),
        'org.opencontainers.image.version': version,
        'org.opencontainers.image.revision': REVISION,
        'org.opencontainers.image.source': SOURCE,
        'org.opencontainers.image.licenses': 'MIT',
      });
    }
  });

  it.each(['api', 'indexer'])(
    'runs the %s as an ordinary user who can change nothing but its mounts',
    async (service) => {
      expect((await project.exec(service, 'id', '-u')).output).toBe('1000\n');
      expect(await project.exec(service, 'touch', '/app/x')).toMatchObject({
        output: expect.stringMatching(/Read-only/),
      });
      expect((await project.exec(service, 'touch', '/tmp/x', '/data/x')).exitCode).toBe(0);
      const rights = await project.exec(service, 'grep', '-E', 'CapBnd|NoNewPrivs', '/proc/self/status');
      expect(rights.output.replaceAll('\t', '')).toBe('CapBnd:0000000000000000\nNoNewPrivs:1\n');
    },
  );

  it('keeps a page that lists the notes, as their owner, and lets neither program that may write them at the scripts', async () => {
    const listed = async () => String((await project.get('/vault/index.md')).body.content);
    await project.until(async () => /^- \[/m.test(await listed()), 'the index page');
    expect((await stat(join(project.vaultPath, 'index.md'))).uid).toBe(1000);
    await project.call('PUT', '/vault/Gooseberries.md', '# Gooseberries\n');
    await project.until(async () => (await listed()).includes('[Gooseberries](Gooseberries.md)'), 'the new note');
    for (const program of ['api', 'indexer']) {
      expect((await project.exec(program, 'touch', '/vault/.scripts/x')).output).toMatch(/Read-only/);
    }
  });

  it('keeps Redis to the programs, writing down what it is given and forgetting nothing', async () => {
    const { HostConfig } = await project.inspect('redis');
    expect(HostConfig.PortBindings).toEqual({});
    const settings = await project.exec('redis', 'redis-cli', 'config', 'get', 'append*', 'maxmemory-policy');
    expect(settings.output).toMatch(/appendonly\nyes/);
    expect(settings.output).toMatch(/maxmemory-policy\nnoeviction/);
    // The network it is on leads nowhere.
    const { output } = await docker('network', 'inspect', '--format', '{{.Internal}}', `${project.name}_queue`);
    expect(output).toBe('true\n');
  });

  it('is reached from this machine alone', async () => {
    const { HostConfig } = await project.inspect('api');
    const { port } = new URL(project.url);
    expect(HostConfig.PortBindings).toEqual({ '8080/tcp': [{ HostIp: '127.0.0.1', HostPort: port }] });
  });

  it('has no more in its images than their programs need', async () => {
    for (const [image, absent] of [
      [IMAGES.api, 'tesseract'],
      [IMAGES.api, '/app/node_modules/pdf-parse'],
      [IMAGES.api, '/app/apps/indexer/dist'],
      [IMAGES.indexer, '/app/node_modules/hono'],
      [IMAGES.embedded, '/app/node_modules/vitest'],
      [IMAGES.embedded, 'make'],
    ] as const) {
      const found = await docker('run', '--rm', image, 'sh', '-c', `command -v ${absent} || ls -d ${absent}`);
      expect(found.exitCode, `${absent} in ${image}`).not.toBe(0);
    }
  });
});
