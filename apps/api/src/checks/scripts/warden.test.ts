// What a script does to get away from the program that watches over it, each by the real one.
import { type StdioOptions, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { processesNaming } from '../../../../../test/support/process-family.ts';
import { createTempFolder, type TempFolder } from '../../../../../test/support/temp-folder.ts';
import { fillVault, type PutFile } from '../../../../../test/support/vault-files.ts';
import { gather } from './gathered-output.ts';
import { DEFAULT_LIMITS, runScript, type ScriptLimits } from './run-script.ts';
import { bareEnvironment, readableFolders, type ScriptCommand, wardenLine } from './script-command.ts';
import { standingWall } from './wall.ts';
import { KNOWN_WALL, WHOLE_WALL } from './warden.ts';

let folder: TempFolder;
let put: PutFile;
let tag: string;
beforeEach(async () => {
  folder = await createTempFolder('warden');
  put = fillVault(folder.path, { 'Home.md': '# Home\n' });
  tag = `tag-${Math.random().toString(36).slice(2)}`;
});
afterEach(() => folder.remove());

const LIMITS: ScriptLimits = { ...DEFAULT_LIMITS, seconds: 20 };
const wall = (await standingWall()) ?? -1;

async function command(lines: readonly string[], over: Partial<ScriptCommand>): Promise<ScriptCommand> {
  put('.scripts/a.py', lines.join('\n'));
  const place = { vault: folder.path, timeZone: 'UTC', ...(await readableFolders(folder.path, [])) };
  return { language: 'python', file: join(folder.path, '.scripts/a.py'), args: [tag], ...place, ...over };
}

async function run(lines: readonly string[], over: Partial<ScriptCommand> = {}, seconds = LIMITS.seconds) {
  return runScript(await command(lines, over), { ...LIMITS, seconds });
}

/** The kernel counts no processes of root's: there a user who has none. */
const asUser = process.getuid?.() === 0 ? { uid: 64_999, gid: 64_999 } : {};
const canBeCounted =
  wall >= 0 && process.platform === 'linux' && spawnSync('ls', [tmpdir()], { ...asUser, cwd: '/' }).status === 0;

/**
 * The warden alone, as a user whose processes are counted.
 * @param seconds after which it is told to end
 * @returns what the script printed
 */
async function runCounted(lines: readonly string[], over: Partial<ScriptCommand>, seconds: number): Promise<string> {
  const [program = '', ...args] = wardenLine(await command(lines, over));
  chmodSync(folder.path, 0o755);
  const stdio: StdioOptions = ['ignore', 'pipe', 'inherit', 'pipe'];
  const child = spawn(program, args, { ...asUser, cwd: folder.path, env: bareEnvironment('UTC'), stdio });
  const stdout = gather(child.stdout, 1_000, () => {});
  const timer = setTimeout(() => child.kill('SIGTERM'), seconds * 1_000);
  await once(child, 'close');
  clearTimeout(timer);
  return stdout();
}

/** Lives in one process after another, each in a session of its own, none for longer than it takes to start the next. */
const FLEEING = [
  'import os, time',
  'if os.fork() == 0:',
  '    while True:',
  '        if os.fork(): os._exit(0)',
  '        os.setsid()',
  'time.sleep(0.3)',
];

/** Each of them starts others, in sessions of their own, for as long as there is room for one more. */
const MULTIPLYING = [
  'import os, time',
  'print("started", flush=True)',
  'while True:',
  '    try:',
  '        if os.fork() == 0: os.setsid()',
  '    except OSError: time.sleep(0.001)',
];

/** Waits for ever in a process of its own session, and in itself. */
const TWO = ['import os, time', 'if os.fork() == 0: os.setsid()', 'time.sleep(300)'];

describe('a script that multiplies', () => {
  it.skipIf(wall < KNOWN_WALL)('and flees from process to process is ended, whoever it runs as', async () => {
    expect((await run(FLEEING)).problem).toBeNull();
    expect(processesNaming(tag)).toEqual([]);
  });

  it.skipIf(!canBeCounted).each([KNOWN_WALL - 1, KNOWN_WALL])(
    'without end is ended where processes are counted, by the means of a kernel with version %d of the wall',
    async (version) => {
      expect(await runCounted(MULTIPLYING, { wall: version }, 1)).toBe('started\n');
      expect(processesNaming(tag)).toEqual([]);
    },
  );

  it.skipIf(!canBeCounted)('gets no further than some dozens', async () => {
    const started = [
      'import os, time',
      'started = 0',
      'try:',
      '    while started < 1000:',
      '        if os.fork() == 0: time.sleep(300)',
      '        started += 1',
      'except OSError: pass',
      'print(started)',
    ];
    const stdout = await runCounted(started, {}, LIMITS.seconds);
    expect(Number(stdout)).toBeGreaterThanOrEqual(32);
    expect(Number(stdout)).toBeLessThanOrEqual(128);
    expect(processesNaming(tag)).toEqual([]);
  });
});

describe.skipIf(wall < 0)('the program that watches over a script', () => {
  const isWarden = (pid: string) => readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('waitpid');

  it('is not ended itself while it has to end others, though nobody waits for it any more', async () => {
    const outcome = run(TWO, {}, 2);
    await vi.waitFor(() => expect(processesNaming(tag)).toHaveLength(3), { timeout: 10_000, interval: 20 });
    const warden = Number(processesNaming(tag).find(isWarden));
    process.kill(warden, 'SIGSTOP');
    expect((await outcome).problem).toBe('it took longer than 2 seconds');
    process.kill(warden, 'SIGCONT');
    await vi.waitFor(() => expect(processesNaming(tag)).toEqual([]), { timeout: 10_000 });
  });

  it.each([
    ['ends', 'SIGKILL'],
    ['stops', 'SIGSTOP'],
  ])(
    'takes with it whatever is in the group of a script that %s it, as an older wall allows',
    async (_what, signal) => {
      const child = 'child = os.fork()';
      const strike = `if child: os.kill(os.getppid(), signal.${signal})`;
      const { problem } = await run(['import os, signal, time', child, strike, 'time.sleep(300)'], { wall: 5 }, 1);
      expect(problem).toMatch(signal === 'SIGKILL' ? /watches over it ended early/ : /longer than 1 seconds/);
      await vi.waitFor(() => expect(processesNaming(tag)).toEqual([]), { timeout: 10_000 });
    },
  );

  it.skipIf(wall < KNOWN_WALL)('is out of a script’s reach from Linux 6.12 on, and so is the server', async () => {
    const { stdout, exitCode } = await run([
      'import os, signal',
      'def attempt(target):',
      '    try: os.kill(target, 0); print("done")',
      '    except OSError as error: print(type(error).__name__)',
      `for target in [os.getppid(), ${process.pid}]: attempt(target)`,
    ]);
    expect([exitCode, stdout]).toEqual([0, 'PermissionError\nPermissionError\n']);
  });

  it('has said how a script was held that it had to end', async () => {
    const { problem, confined } = await run(TWO, {}, 1);
    expect([problem, confined]).toEqual(['it took longer than 1 seconds', wall >= WHOLE_WALL]);
  });
});
