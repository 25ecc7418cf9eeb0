/**
 * Runs one script of the vault to its end, or ends it, with everything it started, when it takes too long or says too
 * much. Danger: what it runs is a stranger's program and what comes back may be anything; so it is given constant
 * arguments, a bare environment, no descriptor of ours and no path to our data, and what it says is counted while it is
 * read. Nothing that a request holds reaches this file.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { constants } from 'node:os';
import { z } from 'zod';
import { gather } from './gathered-output.ts';
import { bareEnvironment, type ScriptCommand, scriptLine, wardenLine } from './script-command.ts';
import { REPORT_FD, type WardenEnd, type WardenStart, WHOLE_WALL } from './warden.ts';

export interface ScriptLimits {
  readonly seconds: number;
  /** What it may print; beyond that it is ended. */
  readonly outputBytes: number;
  /** The same of what it says on standard error. */
  readonly errorBytes: number;
}

/** SPEC §12: two minutes. What a check prints that finds something in each of 10 000 notes has some 2 MB. */
export const DEFAULT_LIMITS: ScriptLimits = { seconds: 120, outputBytes: 8 * 1024 ** 2, errorBytes: 1024 ** 2 };

export interface ScriptOutcome {
  /** Null when it did not come to its own end. */
  readonly exitCode: number | null;
  /** Why it did not: a clause. */
  readonly problem: string | null;
  readonly stdout: string;
  /** The first 16 KB. */
  readonly stderr: string;
  readonly durationMs: number;
  /** Whether it was kept from writing anywhere, and from reading anything but the vault and installed programs. */
  readonly confined: boolean;
}

const KEPT_STDERR = 16_384;
/** How long is waited for the warden to end what it watches, and for a pipe to be closed after that. */
const ENDING_MS = 3_000;

const startSchema = z.object({ script: z.int().positive(), landlock: z.number() }) satisfies z.ZodType<WardenStart>;
const endSchema = z.object({
  exit: z.number().nullable(),
  signal: z.number().nullable(),
}) satisfies z.ZodType<WardenEnd>;

/** Scripts that run, so that none is left behind when this program ends. */
const running = new Set<Run>();
let isWatched = false;

function endWithThisProgram(run: Run): void {
  running.add(run);
  run.onGone(() => running.delete(run));
  if (isWatched) return;
  isWatched = true;
  process.on('exit', () => {
    for (const each of running) each.end();
  });
}

/**
 * Never rejects because of what the script does.
 *
 * @param signal ends it before its time
 */
export async function runScript(
  command: ScriptCommand,
  limits: ScriptLimits = DEFAULT_LIMITS,
  signal?: AbortSignal,
): Promise<ScriptOutcome> {
  if (process.platform === 'win32') return new Run(command, limits, false).outcome(signal);
  const watched = await new Run(command, limits, true).outcome(signal);
  // Without Python a node script runs by itself: behind node's own wall, and watched as a process group alone.
  if (watched.problem !== NO_PYTHON || command.language === 'python') return watched;
  return new Run(command, limits, false).outcome(signal);
}

/** Why one was ended, or not begun, whose answer nobody waits for. */
export const UNWANTED = 'nobody waits for the answer any more';

const NOT_ENDED = 'it, or what it started, did not end when it was told to';
const NO_PYTHON = 'python3 is not installed where this server runs';

class Run {
  readonly #started = performance.now();
  readonly #command: ScriptCommand;
  readonly #limits: ScriptLimits;
  readonly #watched: boolean;
  readonly #child: ChildProcess;
  #problem: string | null = null;
  #ending: NodeJS.Timeout | undefined;
  /** What the warden has reported so far. */
  #report: () => string = () => '';
  /** Called when no more is waited for. */
  #left: () => void = () => {};

  constructor(command: ScriptCommand, limits: ScriptLimits, watched: boolean) {
    this.#command = command;
    this.#limits = limits;
    this.#watched = watched;
    const [program = '', ...args] = watched ? wardenLine(command) : scriptLine(command);
    const env = bareEnvironment(command.timeZone);
    this.#child = spawn(program, args, {
      ...{ cwd: command.vault, env, detached: true, windowsHide: true },
      stdio: ['ignore', 'pipe', 'pipe', watched ? 'pipe' : 'ignore'],
    });
  }

  async outcome(signal: AbortSignal | undefined): Promise<ScriptOutcome> {
    const { outputBytes, errorBytes, seconds } = this.#limits;
    endWithThisProgram(this);
    const timer = setTimeout(() => this.#end(`it took longer than ${seconds} seconds`), seconds * 1_000);
    const { stdio } = this.#child;
    const stdout = gather(stdio[1], outputBytes, () => this.#end(`it printed more than ${outputBytes} bytes`));
    const stderr = gather(stdio[2], errorBytes, () =>
      this.#end(`it wrote more than ${errorBytes} bytes to standard error`),
    );
    this.#report = gather(stdio[REPORT_FD], 1024, () => {});
    const onAbort = () => this.#end(UNWANTED);
    if (signal?.aborted) onAbort();
    signal?.addEventListener('abort', onAbort, { once: true });
    try {
      const end = await this.#ended();
      const known = this.#watched ? endReported(this.#report()) : endOf(end.code, end.signal);
      const problem = this.#problem ?? end.problem ?? known.problem;
      return {
        exitCode: problem === null ? known.exitCode : null,
        problem,
        stdout: stdout(),
        stderr: stderr().slice(0, KEPT_STDERR),
        durationMs: Math.round(performance.now() - this.#started),
        confined: this.#isConfined(),
      };
    } finally {
      signal?.removeEventListener('abort', onAbort);
      clearTimeout(timer);
      clearTimeout(this.#ending);
    }
  }

  /** Calls back when the program has ended, or could not be started. */
  onGone(callback: () => void): void {
    this.#child.once('exit', callback);
    this.#child.once('error', callback);
  }

  /** Ends the script and whatever it started; without the warden, what left its group is out of reach. */
  end(): void {
    this.#kill(this.#watched ? 'SIGTERM' : 'SIGKILL');
  }

  /** The warden is asked, since it alone finds everything; SIGKILL goes to the whole group. */
  #kill(signal: 'SIGTERM' | 'SIGKILL'): void {
    const { pid } = this.#child;
    if (pid === undefined) return;
    try {
      if (signal === 'SIGTERM' || process.platform === 'win32') this.#child.kill(signal);
      else process.kill(-pid, signal);
    } catch {
      // It has ended by itself.
    }
  }

  /**
   * The script's own group, without the warden, which may have been stopped or ended by the script where no wall keeps it
   * from that, and then is to go on.
   */
  #killScript(): void {
    // Its own end says that there is nobody left, and the number may be somebody else's by now.
    if (this.#child.exitCode === 0) return;
    const script = startReported(this.#report())?.script;
    try {
      this.#child.kill('SIGCONT');
      if (script !== undefined) process.kill(-script, 'SIGKILL');
    } catch {
      // It has ended by itself.
    }
  }

  #isConfined(): boolean {
    const landlock = startReported(this.#report())?.landlock ?? 0;
    // Node's own wall alone is none: it follows a link out of the vault, and lets a script signal this server.
    return !this.#command.exposed && landlock >= WHOLE_WALL;
  }

  #end(problem: string): void {
    if (this.#problem !== null) return;
    this.#problem = problem;
    this.end();
    this.#letGo();
  }

  /**
   * What keeps a pipe open, or the warden busy, must not hold us for ever. The warden itself goes on: nobody else finds
   * what has left the script's group.
   */
  #letGo(): void {
    this.#ending ??= setTimeout(() => {
      if (this.#watched) this.#killScript();
      else this.#kill('SIGKILL');
      for (const stream of this.#child.stdio) stream?.destroy();
      // One that has ended is closed by that.
      if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
      this.#child.unref();
      this.#left();
    }, ENDING_MS);
  }

  #ended(): Promise<{ code: number | null; signal: NodeJS.Signals | null; problem: string | null }> {
    return new Promise((resolve) => {
      this.#left = () => resolve({ code: null, signal: null, problem: NOT_ENDED });
      this.#child.once('error', (error: NodeJS.ErrnoException) => {
        const missing = error.code === 'ENOENT' && (this.#watched || this.#command.language === 'python');
        resolve({ code: null, signal: null, problem: missing ? NO_PYTHON : `it could not be started (${error.code})` });
      });
      this.#child.once('exit', (_code, signal) => {
        if (signal !== null && this.#watched) this.#killScript();
        this.#kill('SIGKILL');
        this.#letGo();
      });
      this.#child.once('close', (code, signal) => resolve({ code, signal, problem: null }));
    });
  }
}

interface End {
  readonly exitCode: number | null;
  readonly problem: string | null;
}

function endOf(code: number | null, signal: string | null): End {
  return { exitCode: code, problem: code === null ? `it was ended by ${signal ?? 'the system'}` : null };
}

/** What the warden saw of the start; undefined until it has told. */
function startReported(report: string): WardenStart | undefined {
  return startSchema.safeParse(parseLine(report.split('\n', 1)[0] ?? '')).data;
}

/** What the warden saw of the end. */
function endReported(report: string): End {
  const { data } = endSchema.safeParse(parseLine(report.split('\n')[1] ?? ''));
  if (data === undefined) return { exitCode: null, problem: 'the program that watches over it ended early' };
  const name = Object.entries(constants.signals).find(([, number]) => number === data.signal)?.[0];
  return endOf(data.exit, name ?? (data.signal === null ? null : `signal ${data.signal}`));
}

function parseLine(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}
