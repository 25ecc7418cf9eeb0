import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, statSync, symlinkSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { scriptVault } from '../../../../../test/support/script-vault.ts';
import { readableFolders } from './script-command.ts';
import { standingWall, wantOfWall } from './wall.ts';
import { WHOLE_WALL } from './warden.ts';

const at = scriptVault();
const { python, node } = at;

const wall = (await standingWall()) ?? 0;
/** Whether the kernel has what scripts are held by. */
const walled = wall >= WHOLE_WALL;

describe('the wall around a script', () => {
  const attempts = (...steps: string[]) => [
    'import os, sys, subprocess',
    'def attempt(step):',
    '    try: step(); print("done")',
    '    except OSError as error: print(type(error).__name__)',
    ...steps.map((step) => `attempt(lambda: ${step})`),
  ];

  it.skipIf(!walled)('keeps python from writing anywhere, `.scripts` above all', async () => {
    const { stdout, confined } = await python(
      ...attempts(
        'open("New.md", "w")',
        'open("Home.md", "a")',
        'os.truncate("Home.md", 0)',
        'os.remove("Home.md")',
        'os.rename("Home.md", "Gone.md")',
        'os.mkdir("Folder")',
        'open(".scripts/more.py", "w")',
        'open(sys.argv[0], "a")',
        'open("/tmp/vault-mcp-script", "w")',
        'open("/dev/null", "w")',
      ),
    );
    expect([confined, stdout.trim().split('\n')]).toEqual([true, [...Array(9).fill('PermissionError'), 'done']]);
    expect(readFileSync(join(at.vault, 'Home.md'), 'utf8')).toBe('# Home\n');
    expect(existsSync(join(at.vault, '.scripts/more.py'))).toBe(false);
  });

  it.skipIf(!walled)('keeps python from changing modes, owners, times and attributes, by whatever call', async () => {
    const before = statSync(join(at.vault, 'Home.md'));
    const { stdout, confined } = await python(
      ...attempts(
        'os.chmod("Home.md", 0)',
        'os.chmod(".scripts", 0o777)',
        'os.fchmod(os.open("Home.md", os.O_RDONLY), 0)',
        'os.chown("Home.md", -1, -1)',
        'os.lchown("Home.md", -1, -1)',
        'os.fchown(os.open("Home.md", os.O_RDONLY), -1, -1)',
        'os.utime("Home.md", (1, 1))',
        'os.utime(os.open("Home.md", os.O_RDONLY), (1, 1))',
        'os.setxattr("Home.md", "user.x", b"x")',
        'os.removexattr("Home.md", "user.x")',
        'os.setxattr(os.open("Home.md", os.O_RDONLY), "user.x", b"x")',
        'fcntl.ioctl(os.open("Home.md", os.O_RDONLY), 0x40086602, struct.pack("i", 0))',
        'subprocess.run(["chmod", "0", "Home.md"], check=True, stderr=subprocess.DEVNULL)',
        'open("Home.md").read()',
      ).map((line) =>
        line
          .replace('import os', 'import fcntl, struct, os')
          .replace('except OSError', 'except (OSError, subprocess.SubprocessError)'),
      ),
    );
    expect([confined, stdout.trim().split('\n')]).toEqual([
      true,
      [...Array(12).fill('PermissionError'), 'CalledProcessError', 'done'],
    ]);
    const { mode, mtimeMs, ctimeMs } = statSync(join(at.vault, 'Home.md'));
    expect([mode, mtimeMs, ctimeMs]).toEqual([before.mode, before.mtimeMs, before.ctimeMs]);
  });

  it.skipIf(!walled)(
    'keeps python from reading what is not the vault’s, our environment above all, and so what it starts',
    async () => {
      const secret = join(at.folder, 'secret');
      const { stdout } = await python(
        ...attempts(
          `open(${JSON.stringify(secret)})`,
          `os.listdir(${JSON.stringify(at.folder)})`,
          'open("/proc/%d/environ" % os.getppid())',
          'open("/proc/self/environ")',
          `subprocess.run(["cat", ${JSON.stringify(secret)}], check=True, stderr=subprocess.DEVNULL)`,
        ).map((line) => line.replace('except OSError', 'except (OSError, subprocess.SubprocessError)')),
      );
      expect(stdout.trim().split('\n')).toEqual([...Array(4).fill('PermissionError'), 'CalledProcessError']);
    },
  );

  it.skipIf(!walled)('keeps python from what stands in /etc and /opt, but for what programs start with', async () => {
    // Files that the program may be told to read its key from stand there.
    const { stdout, stderr } = await python(
      'import os, pwd',
      'for path in ["/etc", "/etc/apt", "/opt"]:',
      '    try: print(os.listdir(path) if os.path.exists(path) else "")',
      '    except OSError as error: print(type(error).__name__)',
      'pwd.getpwuid(0)',
    );
    expect([stdout.split(/\n/)[0], stderr]).toEqual(['PermissionError', '']);
    expect(stdout).toMatch(/^(PermissionError\n|\n)+$/);
  });

  it.skipIf(!walled)('keeps node from writing, from reading elsewhere and from starting programs', async () => {
    const { stdout, confined } = await node(
      'import * as fs from "node:fs";',
      `const steps = [() => fs.writeFileSync("New.md", ""), () => fs.appendFileSync(".scripts/a.mjs", "x"),`,
      `  () => fs.readFileSync(${JSON.stringify(join(at.folder, 'secret'))}),`,
      '  () => fs.readFileSync("/proc/" + process.ppid + "/environ"),',
      '  () => process.getBuiltinModule("node:child_process").execFileSync("true")];',
      'for (const step of steps) try { step(); console.log("done"); } catch (error) { console.log(error.code); }',
    );
    expect([confined, stdout.trim().split('\n')]).toEqual([true, Array(5).fill('ERR_ACCESS_DENIED')]);
  });

  it.skipIf(!walled)('keeps node from reading where a link in the vault leads', async () => {
    symlinkSync(join(at.folder, 'secret'), join(at.vault, 'Link.md'));
    const { stdout } = await node(
      'import { readFileSync } from "node:fs";',
      'try { console.log(readFileSync("Link.md", "utf8")); } catch (error) { console.log(error.code); }',
    );
    expect(stdout).toMatch(/^(EACCES|ERR_ACCESS_DENIED)\n$/);
  });

  it.skipIf(wall < 4)('keeps either from TCP, on the same machine too, where Redis would answer', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    try {
      await once(server, 'listening');
      const { port } = server.address() as AddressInfo;
      const connects = `socket.create_connection(("127.0.0.1", ${port}))`;
      const listens = 'socket.create_server(("127.0.0.1", 0))';
      const lines = attempts(connects, listens).map((line) => line.replace('import os', 'import socket, os'));
      expect((await python(...lines)).stdout).toBe('PermissionError\nPermissionError\n');
      const { stdout } = await node(
        'import { connect, createServer } from "node:net";',
        `for (const start of [() => connect(${port}, "127.0.0.1"), () => createServer().listen(0, "127.0.0.1")])`,
        '  await new Promise((resolve) => {',
        '    const started = start();',
        '    for (const name of ["connect", "listening", "error"])',
        '      started.once(name, (error) => resolve(console.log(error?.code ?? name)));',
        '  });',
        'process.exit();',
      );
      expect(stdout).toBe('EACCES\nEACCES\n');
    } finally {
      server.close();
    }
  });

  it('is said not to hold where what is kept from scripts stands in what they read', async () => {
    const exposed = async (...secrets: string[]) => (await readableFolders('/home/me/Notes', secrets)).exposed;
    expect(await exposed('/home/me/data', '/opt/data', '/home/me/Notes.env')).toBe(false);
    expect(await exposed('/home/me/Notes/.data')).toBe(true);
    expect(await exposed('/usr/local/data')).toBe(true);
  });

  it('is said so wherever links lead', async () => {
    const link = join(at.folder, 'link');
    symlinkSync(at.vault, link);
    mkdirSync(join(at.folder, 'elsewhere'));
    symlinkSync(join(at.folder, 'elsewhere'), join(at.vault, 'away'));
    const exposed = async (...secrets: string[]) => (await readableFolders(at.vault, secrets)).exposed;
    expect(await exposed(join(link, '.data'))).toBe(true);
    expect((await readableFolders(link, [join(at.vault, '.data')])).exposed).toBe(true);
    // A wall goes by where things are, so this is none of what scripts read.
    expect(await exposed(join(at.vault, 'away/data'))).toBe(false);
  });
});

it('a script would be held on Linux alone, by a kernel that has all of it and the program that asks for it', () => {
  expect(wantOfWall(WHOLE_WALL, 'linux')).toBeNull();
  expect(wantOfWall(WHOLE_WALL - 1, 'linux')).toMatch(/Linux 6\.2/);
  expect(wantOfWall(null, 'linux')).toMatch(/python3/);
  expect(wantOfWall(WHOLE_WALL, 'darwin')).toMatch(/only Linux/);
});

it('what this system has is asked of the system', async () => {
  // A version where there is Python, nothing where there is none; never an error.
  expect([null, expect.any(Number)]).toContainEqual(await standingWall());
});
