/** Every compose file, in every way that they go together, as Compose reads them: two settings are enough, none too few. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { ROOT, withContainers } from '../support/containers/images.ts';

const run = promisify(execFile);
const TWO = { VAULT_DIR: '/some/notes', VAULT_MCP_API_KEY: 'k' };
const FILE = { VAULT_DIR: '/some/notes', KEY_FILE: '/some/key' };
const REDIS = { REDIS_PASSWORD: 'p', REDIS_PORT: '192.0.2.1:6379' };

interface Program {
  readonly depends_on?: Readonly<Record<string, unknown>> | undefined;
  readonly volumes: readonly { readonly target: string }[];
}

/** What `docker compose config` says of files and environment alone. @throws Error with what it refused */
async function config(names: readonly string[], variables: Readonly<Record<string, string>>, ...options: string[]) {
  const files = names.flatMap((name) => ['-f', `docker-compose${name && `.${name}`}.yml`]);
  const args = ['compose', '--env-file', '/dev/null', ...files, 'config', ...options];
  const { PATH = '', HOME = '' } = process.env;
  const { stdout, stderr } = await run('docker', args, { cwd: ROOT, env: { PATH, HOME, ...variables } });
  return stdout + stderr;
}

describe.skipIf(!withContainers)('the compose files', () => {
  it.each([
    [[''], TWO],
    [['', 'read-only'], TWO],
    [['', 'secrets'], FILE],
    [['', 'read-only', 'secrets'], FILE],
    [['', 'remote-workers'], { ...TWO, ...REDIS }],
    [['', 'read-only', 'secrets', 'remote-workers'], { ...FILE, ...REDIS }],
    [['embedded'], TWO],
    [['embedded', 'embedded-read-only'], TWO],
    [['embedded', 'secrets'], FILE],
    [['embedded', 'embedded-read-only', 'secrets'], FILE],
    [['worker'], { REDIS_URL: 'redis://:p@192.0.2.1:6379' }],
    [['worker', 'extract'], { REDIS_URL: 'redis://:p@192.0.2.1:6379', VAULT_DIR: '/some/notes' }],
  ])('need what they name, nothing else, and warn of nothing: %j', async (files, variables) => {
    await expect(config(files, variables, '--quiet')).resolves.toBe('');
    await expect(config(files, { ...variables, COMPOSE_PROFILES: 'ollama' }, '--quiet')).resolves.toBe('');
    // The key may stand in two places, so only the api can say that it is in neither.
    for (const name of Object.keys(variables).filter((each) => each !== 'VAULT_MCP_API_KEY')) {
      const without = Object.fromEntries(Object.entries(variables).filter(([other]) => other !== name));
      await expect(config(files, without, '--quiet'), `without ${name}`).rejects.toThrow(
        /Set (it|[A-Z_]+) (to|before)/,
      );
    }
  });

  it.each([[['']], [['embedded']]])('say which folder is missing: %j', async (files) => {
    await expect(config(files, { VAULT_MCP_API_KEY: 'k' })).rejects.toThrow(
      /VAULT_DIR is missing a value: Set VAULT_DIR to the folder that holds your notes/,
    );
  });

  it.each([
    ['', 'read-only', ['api', 'indexer'], ['redis']],
    ['embedded', 'embedded-read-only', ['api'], []],
  ])(
    'take out no more than `.scripts` and who makes it for a vault that nobody can write: "%s", %s',
    async (file, more, programs, left) => {
      const read = async (names: readonly string[]) =>
        (JSON.parse(await config(names, TWO, '--format', 'json')) as Record<'services', Record<string, Program>>)
          .services;
      const [whole, reduced] = [await read([file]), await read([file, more])];
      expect(Object.keys(whole).filter((name) => !(name in reduced))).toEqual(['scripts-folder']);
      const targets = (program: Program | undefined) => program?.volumes.map(({ target }) => target);
      for (const name of programs) {
        const [before, after] = [whole[name], reduced[name]];
        expect(Object.keys(after?.depends_on ?? {})).toEqual(left);
        expect(targets(before)).toEqual(['/vault', '/vault/.scripts', '/data']);
        expect(targets(after)).toEqual(['/vault', '/data']);
        expect(after?.volumes[0]).toMatchObject({ read_only: true });
        expect(after).toEqual({ ...before, depends_on: after?.depends_on, volumes: after?.volumes });
      }
    },
  );

  it('hand the key to the api alone, and once', async () => {
    const { services } = JSON.parse(await config([''], { ...TWO, VAULT_MCP_API_KEY: 'k3y' }, '--format', 'json')) as {
      services: Record<string, object>;
    };
    const holders = Object.entries(services).filter(([, service]) => JSON.stringify(service).includes('k3y'));
    expect(holders.map(([name]) => name)).toEqual(['api']);
  });
});
