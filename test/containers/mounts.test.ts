/** Vaults and volumes of all owners: what the programs say when they may not, and that they work for any PUID and PGID. */
import { chmod, chown, mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ERROR_STATUS } from '@vault-mcp/shared/errors';
import { isMachineRoot, WARNING } from '@vault-mcp/shared/vault/running-user';
import { afterEach, describe, expect, it } from 'vitest';
import { withContainers } from '../support/containers/images.ts';
import { KEY, type Project, type ProjectOptions, startProject } from '../support/containers/project.ts';
import { createTempFolder } from '../support/temp-folder.ts';

const VAULT = { 'Home.md': '# Home\n\nThe chimney was swept.\n' };

describe.skipIf(!withContainers)('containers on mounts', () => {
  let project: Project | undefined;
  afterEach(async () => {
    await project?.down();
    project = undefined;
  });
  const start = async (options: ProjectOptions): Promise<Project> => {
    project = await startProject({ vault: VAULT, ...options });
    return project;
  };

  it('work for another user with a fresh volume, and what they write is that user’s', async () => {
    const on = await start({ owner: [1026, 100] });
    await on.untilReady();
    const { status } = await on.call('PUT', '/vault/New/Note.md?wait=indexed', 'Gooseberry.\n');
    expect(status).toBe(200);
    const { uid, gid } = await stat(join(on.vaultPath, 'New/Note.md'));
    expect([uid, gid]).toEqual([1026, 100]);
    expect((await on.exec('indexer', 'id')).output).toMatch(/^uid=1026 gid=100/);
    await on.untilFound('gooseberry', 'New/Note.md');
  });

  it('run as root when they are told to, and warn of what comes of it where that is the machine’s root', async () => {
    const on = await start({ owner: [0, 0] });
    await on.untilReady();
    expect((await on.call('PUT', '/vault/New.md?wait=indexed', 'Gooseberry.\n')).status).toBe(200);
    const { output: map } = await on.exec('api', 'cat', '/proc/self/uid_map');
    for (const program of ['api', 'indexer']) {
      expect((await on.exec(program, 'id', '-u')).output.trim()).toBe('0');
      expect((await on.logs(program)).includes(WARNING)).toBe(isMachineRoot(0, map));
    }
  });

  it('name user, path and owner where the vault is somebody else’s', async () => {
    const on = await start({
      vault: { ...VAULT, '.scripts/check.py': '' },
      ...{ owner: [0, 0], environment: { PUID: '1000', PGID: '1000' }, services: ['redis'] },
    });
    await on.compose('up', '-d', '--no-build');
    await on.until(async () => (await on.inspect('api')).RestartCount > 0, 'the refusal');
    expect(await on.logs('api')).toContain(
      'The vault /vault cannot be written by uid 1000, gid 1000 (EACCES): it belongs to uid 0, gid 0, mode 755.',
    );
    expect(await on.logs('api')).toMatch(/PUID and PGID.*READ_ONLY=true/);
    // Reading needs no more than reading; only the index page cannot be made.
    await on.compose('stop', 'api');
    await chmod(on.vaultPath, 0o700);
    await on.compose('restart', 'indexer');
    await on.until(async () => (await on.inspect('indexer')).RestartCount > 0, 'the other refusal');
    expect(await on.logs('indexer')).toMatch(/The vault "\/vault" may not be read by uid 1000, gid 1000/);
  });

  it('name user, path and owner where the data is another user’s', async () => {
    const on = await start({});
    await on.untilReady();
    await on.compose('stop');
    const run = (service: string) =>
      on
        .compose('run', '--rm', '-T', '--no-deps', '--user', '1026:100', service)
        .catch((error: Error) => error.message);
    for (const service of ['api', 'indexer']) {
      expect(await run(service)).toMatch(
        /\/data\/\S+ cannot be written by uid 1026, gid 100 .*belongs to uid 1000, gid 1000/,
      );
    }
  });

  it('read a vault that is mounted read-only, and say why nothing can be written', async () => {
    const mounted = { type: 'bind', source: '$' + '{VAULT_DIR}', target: '/vault', read_only: true };
    const on = await start({ override: { api: { volumes: [mounted] } } });
    await on.untilReady();
    await on.untilFound('chimney', 'Home.md');
    for (const [method, path] of [
      ['PUT', '/vault/New.md'],
      ['POST', '/vault/Home.md'],
      ['DELETE', '/vault/Home.md'],
    ] as const) {
      const { status, body } = await on.call(method, path, method === 'DELETE' ? undefined : 'x');
      expect([status, body.code, body.error]).toEqual([
        ERROR_STATUS.out_of_scope,
        'out_of_scope',
        expect.stringMatching(/mounted read-only/),
      ]);
    }
    expect(await on.logs('api')).toMatch(/the vault is mounted read-only/);
  });

  it('take the key from a file', async () => {
    const folder = await createTempFolder('secrets');
    const file = join(folder.path, 'key');
    await writeFile(file, `${KEY}\n`, { mode: 0o644 });
    await chmod(folder.path, 0o755);
    const on = await start({
      files: ['docker-compose.yml', 'docker-compose.secrets.yml'],
      environment: { VAULT_MCP_API_KEY: undefined, KEY_FILE: file },
    });
    await on.untilReady();
    const { output } = await on.exec('api', 'sh', '-c', 'env | grep KEY');
    expect(output).toBe('VAULT_MCP_API_KEY_FILE=/run/secrets/vault_mcp_api_key\n');
    await folder.remove();
  });

  it.each(['docker-compose.yml', 'docker-compose.embedded.yml'])(
    'are closed to the system’s own writes where READ_ONLY says so: %s',
    async (file) => {
      const on = await start({ files: [file], environment: { READ_ONLY: 'true' }, services: ['api'] });
      expect((await on.exec('api', 'touch', '/vault/x')).output).toMatch(/Read-only/);
      // Ready or not: without an indexer it is not.
      await on.until(async () => (await on.get('/readyz')).status >= 200, 'the api');
      const { status, body } = await on.call('PUT', '/vault/New.md', 'x');
      expect([status, body.error]).toEqual([
        ERROR_STATUS.out_of_scope,
        expect.stringContaining('This server is read-only'),
      ]);
      if (file !== 'docker-compose.yml') return;
      await on.compose('up', '-d', '--no-build');
      await on.untilReady();
      expect((await on.exec('indexer', 'touch', '/vault/x')).output).toMatch(/Read-only/);
      expect((await on.get('/readyz')).body.index_doc).toMatchObject({ ok: true, state: 'disabled' });
    },
  );

  it('serve a vault whose path holds spaces, umlauts, a colon and a dollar', async () => {
    const folder = await createTempFolder('named');
    const path = join(folder.path, 'Größere Notizen: $HOME & Übriges');
    await mkdir(path);
    await writeFile(join(path, 'Home.md'), VAULT['Home.md']);
    await chmod(folder.path, 0o755);
    await chown(path, 1000, 1000);
    const colon = /invalid volume specification: '\S.*: \$HOME/;
    await expect(start({ environment: { VAULT_DIR: path } })).rejects.toThrow(colon);
    // What docs/docker.md says to do then.
    await mkdir(join(path, '.scripts'));
    const scripts = { type: 'bind', source: '$' + '{VAULT_DIR}/.scripts', target: '/vault/.scripts', read_only: true };
    const volumes = [{ ...scripts, bind: { create_host_path: false } }];
    const override = { api: { volumes }, indexer: { volumes } };
    const on = await start({ environment: { VAULT_DIR: path }, override });
    await on.untilReady();
    await on.untilFound('chimney', 'Home.md');
    expect((await on.exec('api', 'touch', '/vault/.scripts/x')).output).toMatch(/Read-only/);
    expect((await on.call('PUT', '/vault/New.md', 'Quince.\n')).status).toBe(200);
    expect(await readFile(join(path, 'New.md'), 'utf8')).toContain('Quince.');
    await folder.remove();
  });
});
