// Real scripts by the real interpreters: what they may do, and how they are ended.
import { type ChildProcess, spawn } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { processesNaming } from '../../../../../test/support/process-family.ts';
import { scriptVault } from '../../../../../test/support/script-vault.ts';
import { readableFolders } from './script-command.ts';

const at = scriptVault();
const { run, python, node } = at;

describe('a script', () => {
  it.each([
    ['python', () => python('import os, sys', 'print(sys.argv[1:], os.getcwd(), file=sys.stdout)', 'sys.exit(1)')],
    ['node', () => node('console.log(process.argv.slice(2), process.cwd()); process.exitCode = 1;')],
  ])('of %s runs in the vault, with constant arguments', async (_name, start) => {
    const { exitCode, problem, stdout, stderr } = await start();
    expect({ exitCode, problem, stderr }).toEqual({ exitCode: 1, problem: null, stderr: '' });
    expect(stdout.replace(/\s+/g, ' ')).toMatch(/\[ ?'--json', '--vault-path', '.*my vault' ?\] .*\/my vault /);
  });

  it.each([
    ['python', () => python('import json, os', 'print(json.dumps(sorted(os.environ)))')],
    ['node', () => node('console.log(JSON.stringify(Object.keys(process.env).sort()))')],
  ])('of %s has a bare environment, whatever ours holds', async (_name, start) => {
    vi.stubEnv('VAULT_MCP_API_KEY', 'the key');
    vi.stubEnv('NODE_OPTIONS', '--title=ours');
    vi.stubEnv('PYTHONPATH', '/tmp');
    try {
      const names = JSON.parse((await start()).stdout) as string[];
      expect(names).toEqual(['HOME', 'LANG', 'PATH', 'PYTHONDONTWRITEBYTECODE', 'TZ']);
    } finally {
      vi.unstubAllEnvs();
    }
  });

  it('knows what day it is in the configured zone', async () => {
    expect((await python('import time', 'print(time.tzname[0])')).stdout).toBe('CET\n');
  });

  it('has no descriptor but its own three', async () => {
    const { stdout } = await python(
      'import os',
      'for fd in range(256):',
      '    try: os.fstat(fd); print(fd)',
      '    except OSError: pass',
    );
    expect(stdout).toBe('0\n1\n2\n');
  });

  it('may use what stands beside it, and leaves nothing there', async () => {
    at.put('.scripts/lib/words.py', 'GREETING = "hello"\n');
    expect((await python('from lib.words import GREETING', 'print(GREETING)')).stdout).toBe('hello\n');
    expect(readdirSync(join(at.vault, '.scripts/lib'))).toEqual(['words.py']);
    at.put('.scripts/lib/words.mjs', 'export const GREETING = "hello";\n');
    expect((await node('import { GREETING } from "./lib/words.mjs"; console.log(GREETING);')).stdout).toBe('hello\n');
  });

  it('reads the vault', async () => {
    expect((await python('print(open("Home.md").read())')).stdout).toBe('# Home\n\n');
    const read = 'import { readFileSync } from "node:fs"; console.log(readFileSync("Home.md", "utf8"))';
    expect((await node(read)).stdout).toBe('# Home\n\n');
  });

  it('that is not there, or cannot be parsed, ends as its interpreter ends', async () => {
    expect(await python('def (')).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('SyntaxError') });
    expect(await node('const =')).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('SyntaxError') });
  });

  it('that dies of a signal did not come to its end', async () => {
    const { exitCode, problem } = await python('import os, signal', 'os.kill(os.getpid(), signal.SIGSEGV)');
    expect([exitCode, problem]).toEqual([null, 'it was ended by SIGSEGV']);
  });

  it('that prints what is no UTF-8 is read all the same', async () => {
    const { stdout } = await python('import sys', 'sys.stdout.buffer.write(b"caf\\xe9\\n")');
    expect(stdout).toBe('caf\ufffd\n');
  });
});

describe('a script that goes on', () => {
  const tagged = () => `tag-${Math.random().toString(36).slice(2)}`;
  /** Starts one more process that sleeps under this name, in a session of its own if it says so. */
  const forks = (tag: string, session: boolean) => [
    'import os, subprocess, sys, time',
    `subprocess.Popen([sys.executable, "-c", "import time; time.sleep(300)", "${tag}"], start_new_session=${session ? 'True' : 'False'})`,
  ];

  it('is ended when its time is up, and so is what it started, in whatever session', async () => {
    const tag = tagged();
    const { exitCode, problem } = await run('a.py', [...forks(tag, true), ...forks(tag, false), 'time.sleep(300)'], {
      seconds: 1,
    });
    expect([exitCode, problem]).toEqual([null, 'it took longer than 1 seconds']);
    expect(processesNaming(tag)).toEqual([]);
  });

  it('is ended when it prints too much, and what came before is kept no further than that', async () => {
    const flood = ['import sys', 'while True: sys.stdout.write("x" * 65536)'];
    const { problem, stdout } = await run('a.py', flood, { outputBytes: 100_000 });
    expect(problem).toBe('it printed more than 100000 bytes');
    expect(stdout).toHaveLength(100_000);
    const errors = await run('a.mjs', ['for (;;) process.stderr.write("x".repeat(65536));'], { errorBytes: 100_000 });
    expect(errors.problem).toBe('it wrote more than 100000 bytes to standard error');
    expect(errors.stderr).toHaveLength(16_384);
  });

  it('in the background is ended with the script that started it, and holds nobody up', async () => {
    const tag = tagged();
    const { exitCode, stdout } = await python(...forks(tag, true), ...forks(tag, false), 'print("done")');
    expect([exitCode, stdout]).toEqual([0, 'done\n']);
    expect(processesNaming(tag)).toEqual([]);
  });

  it('as a daemon whose parents are all gone is ended too', async () => {
    const tag = tagged();
    const daemon = ['import os, sys, time', 'if os.fork() == 0:', '    os.setsid()', '    if os.fork() == 0:'];
    const sleeps = `        os.execv(sys.executable, [sys.executable, "-c", "import time; time.sleep(300)", "${tag}"])`;
    await python(...daemon, sleeps, '    os._exit(0)', 'os.wait()', 'time.sleep(0.3)');
    expect(processesNaming(tag)).toEqual([]);
  });

  it('and takes no notice of being asked to end is ended', async () => {
    const stubborn = [
      'import signal, time',
      'for each in range(1, 32):',
      '    try: signal.signal(each, signal.SIG_IGN)',
    ];
    const { problem } = await run('a.py', [...stubborn, '    except OSError: pass', 'time.sleep(300)'], { seconds: 1 });
    expect(problem).toBe('it took longer than 1 seconds');
  });

  it.each([
    ['ends', (server: ChildProcess) => server.stdin?.write('end\n')],
    ['is killed', (server: ChildProcess) => server.kill('SIGKILL')],
  ])('while the server %s goes with it', async (_how, end) => {
    const tag = tagged();
    at.put('.scripts/a.py', 'import time\ntime.sleep(300)\n');
    const module = new URL('../../../dist/checks/scripts/run-script.js', import.meta.url);
    const place = { vault: at.vault, timeZone: 'UTC', ...(await readableFolders(at.vault, [])) };
    const command = { language: 'python', file: join(at.vault, '.scripts/a.py'), args: [tag], ...place };
    const program = `
      const { runScript } = await import(${JSON.stringify(module.href)});
      runScript(${JSON.stringify(command)});
      process.stdin.once('data', () => process.exit(0));
    `;
    const args = ['--input-type=module', '-e', program];
    const server = spawn(process.execPath, args, { stdio: ['pipe', 'ignore', 'inherit'] });
    // The server itself, the warden and the script.
    await vi.waitFor(() => expect(processesNaming(tag)).toHaveLength(3), { timeout: 10_000 });
    end(server);
    await vi.waitFor(() => expect(processesNaming(tag)).toEqual([]), { timeout: 10_000 });
  });
});
