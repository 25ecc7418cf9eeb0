/**
 * `.scripts` in a vault: made where it is missing, as the owner of the notes, and closed to who serves agents. Danger: what
 * looks for the folder too early finds none, and what makes it too late is root.
 */
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { WHOLE_WALL } from '@vault-mcp/api/checks/scripts/warden';
import { ERROR_STATUS } from '@vault-mcp/shared/errors';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { withContainers } from '../support/containers/images.ts';
import { type Project, type ProjectOptions, startProject } from '../support/containers/project.ts';
import { canMount, mount, mountAgainReadOnly, unmount } from '../support/small-disk.ts';
import { createTempFolder } from '../support/temp-folder.ts';

/** Mounting needs root. */
const mounts = withContainers && (await canMount());
const FILES = ['docker-compose.yml', 'docker-compose.embedded.yml'];
interface Run {
  readonly scripts: { readonly run: boolean; readonly reason: string | null; readonly confined: boolean | null };
  readonly checks: readonly {
    readonly name: string;
    readonly status: string;
    readonly reason: string | null;
    readonly findings: readonly { readonly message: string }[];
  }[];
}

const VAULT = { 'Home.md': '# Home\n\nThe chimney was swept.\n' };

describe.skipIf(!withContainers)('the folder of a vault’s scripts', () => {
  let project: Project | undefined;
  afterEach(async () => {
    await project?.down();
    project = undefined;
  });
  const start = async (options: ProjectOptions): Promise<Project> => {
    project = await startProject({ vault: VAULT, ...options });
    return project;
  };

  it.each(FILES)('is made, empty, as the owner of the notes, and so is the index page: %s', async (file) => {
    const on = await start({ files: [file], owner: [1026, 100] });
    await on.untilReady();
    expect((await readdir(on.vaultPath)).toSorted()).toEqual(['.scripts', 'Home.md', 'index.md']);
    expect(await readdir(join(on.vaultPath, '.scripts'))).toEqual([]);
    for (const [name, mode] of [
      ['.scripts', 0o755],
      ['index.md', 0o644],
    ] as const) {
      const made = await stat(join(on.vaultPath, name));
      expect([made.uid, made.gid, made.mode & 0o777]).toEqual([1026, 100, mode]);
    }
  });

  it.each(FILES)('shows the scripts, which cannot be changed, moved or replaced from the api: %s', async (file) => {
    const scripts = { '.scripts/check.py': 'print("checked")\n' };
    const on = await start({ files: [file], vault: { ...VAULT, ...scripts }, services: ['api'] });
    const sh = async (command: string) => (await on.exec('api', 'sh', '-c', command)).output;
    expect(await sh('cat /vault/.scripts/check.py')).toBe('print("checked")\n');
    expect(await sh('echo >> /vault/.scripts/check.py')).toMatch(/Read-only/);
    expect(await sh('touch /vault/.scripts/more.py')).toMatch(/Read-only/);
    expect(await sh('mv /vault/.scripts /vault/moved')).toMatch(/busy|Read-only/);
    expect(await sh('echo >/vault/other && mv -T /vault/other /vault/.scripts')).toMatch(/busy|Read-only|cannot/);
    expect(await sh('rm -r /vault/.scripts')).toMatch(/busy|Read-only/);
    expect(await readdir(join(on.vaultPath, '.scripts'))).toEqual(['check.py']);
    expect(await readFile(join(on.vaultPath, '.scripts/check.py'), 'utf8')).toBe('print("checked")\n');
    // What its owner changes outside is seen inside.
    await on.put('.scripts/more.py', 'print("more")\n');
    expect(await sh('cat /vault/.scripts/more.py')).toBe('print("more")\n');
  });

  it.each(FILES)('has its checks run, which can change nothing and see nothing of the data: %s', async (file) => {
    const attempt = (step: string) =>
      `try:\n    ${step}\n    found("done")\nexcept OSError as error:\n    found(type(error).__name__)`;
    const lines = [
      'open("New.md", "w")',
      'open(".scripts/more.py", "w")',
      'os.listdir("/data")',
      'open("/proc/1/environ").read(1)',
    ];
    const check = [
      'import json, os, sys',
      'self = {"schema": 2, "check": "walls", "title": "Walls", "description": "", "order": 1}',
      'if "--describe" in sys.argv: print(json.dumps(self)); sys.exit(0)',
      'findings = []',
      'def found(what): findings.append({"id": str(len(findings)), "code": "tried", "severity": "info", "message": what})',
      ...lines.map(attempt),
      'print(json.dumps({**self, "findings": findings}))',
    ].join('\n');
    const on = await start({ files: [file], vault: { ...VAULT, '.scripts/walls.py': check }, services: ['api'] });
    const run = async () => (await on.get('/maintenance')).body as unknown as Run;
    await vi.waitFor(async () => expect((await run()).scripts).toBeDefined(), { timeout: 60_000, interval: 500 });
    const { scripts, checks } = await run();
    const own = checks.find(({ name }) => name === 'walls');
    // What the kernel says to a program that asks for its wall, whatever the product makes of it: an engine may forbid it.
    const asked = 'import ctypes; print(ctypes.CDLL(None).syscall(444, None, ctypes.c_size_t(0), 1))';
    const wall = Number.parseInt((await on.exec('api', 'python3', '-c', asked)).output, 10);
    expect(wall).not.toBeNaN();
    if (wall >= WHOLE_WALL) {
      // The folder is mounted read-only before any wall is asked.
      const closed = ['PermissionError', 'OSError', 'PermissionError', 'PermissionError'];
      expect(scripts).toEqual({ run: true, reason: null, confined: true });
      expect([own?.status, own?.reason]).toEqual(['findings', null]);
      expect(own?.findings.map(({ message }) => message)).toEqual(closed);
    } else {
      expect(scripts).toEqual({ run: false, reason: expect.stringMatching(/Linux 6\.2/), confined: null });
      expect(own).toBeUndefined();
    }
    expect(await readdir(join(on.vaultPath, '.scripts'))).toEqual(['walls.py']);
  });

  it('is waited for each time that everything is started, and the api goes on meanwhile', async () => {
    const on = await start({});
    await on.untilReady();
    const { Id } = await on.inspect('api');
    for (const options of [['-d'], ['-d', '--wait'], ['-d', '--wait', 'api']]) {
      await on.compose('up', '--no-build', ...options);
      expect((await on.inspect('api')).Id).toBe(Id);
      expect((await on.inspect('scripts-folder')).State).toMatchObject({ Status: 'exited', ExitCode: 0 });
    }
    // Deleted while nothing runs: made again, and not by the engine.
    await on.compose('stop');
    await rm(join(on.vaultPath, '.scripts'), { recursive: true });
    await on.compose('start');
    await on.untilReady();
    expect((await stat(join(on.vaultPath, '.scripts'))).uid).toBe(1000);
  });

  it.each(FILES)('says why where it cannot be made or is a link, and is not made as root then: %s', async (file) => {
    const on = await start({
      ...{ files: [file], vault: { ...VAULT, '.scripts/check.py': '' }, services: ['scripts-folder'] },
      ...{ owner: [0, 0], environment: { PUID: '1000', PGID: '1000' } },
    });
    await rm(join(on.vaultPath, '.scripts'), { recursive: true });
    await expect(on.compose('up', '-d', '--no-build')).rejects.toThrow(/scripts-folder.*exit 1/);
    const said = await on.logs('scripts-folder');
    expect(said).toContain('The vault belongs to uid 0, gid 0, mode 755, and this is uid 1000, gid 1000.');
    expect(said).toMatch(/PUID and PGID[\s\S]*docker-compose\.read-only\.yml/);
    expect(await readdir(on.vaultPath)).toEqual(['Home.md']);
    for (const [at, target] of ['Tools', '/nowhere/tools'].entries()) {
      await mkdir(join(on.vaultPath, 'Tools'), { recursive: true });
      await symlink(target, join(on.vaultPath, '.scripts'));
      await expect(on.compose('up', '-d', '--no-build')).rejects.toThrow(/scripts-folder.*exit 1/);
      const refusals = (await on.logs('scripts-folder')).match(/must be a folder, neither a file nor a link/g);
      expect(refusals).toHaveLength(at + 1);
      expect((await on.inspect('api')).State.Status).toBe('created');
      await rm(join(on.vaultPath, '.scripts'));
    }
  });

  it.skipIf(!mounts).each([
    ['docker-compose.yml', 'docker-compose.read-only.yml'],
    ['docker-compose.embedded.yml', 'docker-compose.embedded-read-only.yml'],
  ])('is left out where nobody can write, with one file more: %s, %s', async (...files) => {
    const disk = await createTempFolder('snapshot');
    mount(disk.path);
    try {
      await writeFile(join(disk.path, 'Home.md'), VAULT['Home.md']);
      mountAgainReadOnly(disk.path);
      await expect(mkdir(join(disk.path, '.scripts'))).rejects.toThrow(/EROFS/);
      const environment = { VAULT_DIR: disk.path };
      const on = await start({ files, environment });
      await on.untilReady();
      expect((await on.get('/readyz')).body.index_doc).toMatchObject({
        ok: true,
        state: 'disabled',
        detail: expect.stringContaining('read-only'),
      });
      await on.untilFound('chimney', 'Home.md');
      expect((await on.get('/vault/Home.md')).body).toMatchObject({ path: 'Home.md' });
      const { status, body } = await on.call('PUT', '/vault/New.md', 'x');
      expect([status, body.error]).toEqual([
        ERROR_STATUS.out_of_scope,
        expect.stringContaining('The vault is mounted read-only'),
      ]);
      await on.down();
      project = undefined;
    } finally {
      unmount(disk.path);
      await disk.remove();
    }
  });

  it.skipIf(!mounts)('is mounted where nobody can write but it is there, without a file more', async () => {
    const disk = await createTempFolder('snapshot');
    mount(disk.path);
    try {
      await mkdir(join(disk.path, '.scripts'));
      mountAgainReadOnly(disk.path);
      const on = await start({ environment: { VAULT_DIR: disk.path } });
      await on.untilReady();
      await on.down();
      project = undefined;
    } finally {
      unmount(disk.path);
      await disk.remove();
    }
  });

  it.each(FILES)('is no reason to make a vault that is not there: %s', async (file) => {
    await expect(start({ files: [file], environment: { VAULT_DIR: '/nowhere/Notes' } })).rejects.toThrow(
      /bind source path does not exist: \/nowhere\/Notes$/m,
    );
    expect(existsSync('/nowhere')).toBe(false);
  });
});
