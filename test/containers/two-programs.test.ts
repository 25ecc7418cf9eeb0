/** The pair of containers at work: what is edited on the host and through the api is found, and each is told of the other. */
import { readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { docker } from '../support/containers/engine.ts';
import { IMAGES, withContainers } from '../support/containers/images.ts';
import { type Project, startProject } from '../support/containers/project.ts';

describe.skipIf(!withContainers)('api and indexer in containers', () => {
  let project: Project;
  beforeAll(async () => {
    project = await startProject({
      vault: { 'Home.md': '# Home\n\nThe chimney was swept.\n', 'Garden/Beds.md': '# Beds\n\nRhubarb.\n' },
      services: ['api'],
    });
  });
  afterAll(() => project?.down());

  it('serve files before there is an indexer, are ready with it, and say within seconds that it is gone', async () => {
    await project.until(async () => (await project.get('/readyz')).status === 503, 'an api without an indexer');
    expect((await project.get('/vault/Home.md')).body).toMatchObject({ path: 'Home.md' });
    expect((await project.get('/search?q=chimney')).status).toBe(503);

    await project.compose('up', '-d', '--no-build', 'indexer');
    await project.untilReady();
    await project.untilFound('chimney', 'Home.md');

    await project.compose('stop', 'indexer');
    await project.until(async () => (await project.get('/readyz')).status === 503, 'the missing heartbeat');
    await project.untilFound('chimney', 'Home.md');
    await project.compose('start', 'indexer');
    await project.untilReady();
  });

  it('find what is edited, moved and removed on the host', async () => {
    await project.put('Garden/Beds.md', '# Beds\n\nNow quinces.\n');
    await project.untilFound('quinces', 'Garden/Beds.md');
    await rename(join(project.vaultPath, 'Garden/Beds.md'), join(project.vaultPath, 'Garden/Orchard.md'));
    await project.untilFound('quinces', 'Garden/Orchard.md');
    await rm(join(project.vaultPath, 'Garden/Orchard.md'));
    await project.until(async () => !(await project.search('quinces')).includes('Garden/Orchard.md'), 'the removal');
  });

  it('write for the owner of the vault, and find it at once when asked to wait', async () => {
    const { status, body } = await project.call('PUT', '/vault/Pantry/Jam.md?wait=indexed', 'Gooseberry jam.\n');
    expect([status, body.indexed]).toEqual([200, 'indexed']);
    expect((await project.search('gooseberry'))[0]).toBe('Pantry/Jam.md');
    expect(await readFile(join(project.vaultPath, 'Pantry/Jam.md'), 'utf8')).toBe('Gooseberry jam.\n');
  });

  it('build the index anew where another version made it', async () => {
    await project.compose('stop', 'api', 'indexer');
    const age = `new (require('better-sqlite3'))('/data/index.db').pragma('user_version = 999')`;
    const aged = await docker('run', '--rm', '-v', `${project.name}_data:/data`, IMAGES.api, 'node', '-e', age);
    expect(aged).toEqual({ exitCode: 0, output: '' });
    await project.compose('start', 'api', 'indexer');
    await project.untilReady();
    await project.untilFound('gooseberry', 'Pantry/Jam.md');
    expect(await project.logs('indexer')).toMatch(/schema version 999 is not \d+/);
  });

  it('refuse a second writer, which names the first', async () => {
    await project.compose('up', '-d', '--no-build', '--scale', 'indexer=2', 'indexer');
    await project.until(async () => (await project.inspect('indexer', 2)).RestartCount > 0, 'the refusal');
    const { output } = await docker('logs', `${project.name}-indexer-2`);
    expect(output).toMatch(/is being written by process \d+/);
    await project.compose('up', '-d', '--no-build', '--scale', 'indexer=1', 'indexer');

    // On another machine it has a data folder of its own, and only Redis knows of both.
    const apart = ['run', '--rm', '-T', '-v', `${project.name}_apart:/data`, 'indexer'];
    const refusal = await project.compose(...apart).catch((error: Error) => error.message);
    const first = (await project.inspect('indexer')).Id.slice(0, 12);
    expect(refusal).toMatch(new RegExp(`is being written by process \\d+ on ${first}`));
    await docker('volume', 'rm', `${project.name}_apart`);
    await project.untilReady();
  });
});
