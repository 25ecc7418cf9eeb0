/**
 * Runs one extraction in a process of its own and ends it, with everything it started, when it takes too long, grows
 * too large or answers too much. Danger: what comes back was made from hostile bytes, so it is counted while it is read
 * and parsed before it is believed; and the child gets no environment but what is listed here, hence no key.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import type { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { searchPath } from '@vault-mcp/shared/config/program-places';
import type { PageStep } from '@vault-mcp/shared/vault/document-pages';
import { type Extraction, type ExtractRequest, OCR_ENDED } from './extraction.ts';
import { withoutPaths } from './fault.ts';
import { type ProcessUsage, processUsage } from './process-usage.ts';
import { MEBIBYTE, type SandboxLimits } from './sandbox-limits.ts';
import { type FinalMessage, type Message, messageReader } from './sandbox-messages.ts';

export interface SandboxOptions {
  readonly limits: SandboxLimits;
  /** Where tesseract is looked for and how it is set up; default: the usual places. Never put a key here. */
  readonly environment?: Readonly<Record<string, string>>;
  /** Script to run in place of the extraction program: for tests of the limits. */
  readonly entry?: string;
  readonly onProgress?: (page: number, pages: number, step: PageStep) => void;
  /** Ends the process; the promise then rejects with the signal's reason. */
  readonly signal?: AbortSignal;
}

/** What to read: bytes, sent along with the request, or an open file, which the process inherits. */
export type SandboxInput = { readonly bytes: Uint8Array } | { readonly descriptor: number };

/**
 * `result`: as the program answered · `ended`: it was ended or died, `reason` is a sentence for people ·
 * `unreadable`: the open file could not be read; `code` is the system's (`EIO` …).
 */
export type SandboxOutcome =
  | { readonly kind: 'result'; readonly extraction: Extraction }
  | { readonly kind: 'ended'; readonly reason: string }
  | { readonly kind: 'unreadable'; readonly code: string; readonly message: string };

const BARE_ENVIRONMENT = {
  PATH: searchPath(),
  LANG: 'C.UTF-8',
  HOME: '/nonexistent',
};

const POLL_MS = 100;
const KEPT_STDERR_BYTES = 4_096;

/** What to do about a document whose reading did not come to its end. */
const SIMPLER = 'Print it to a new PDF, or split it, and file that';
const ADVICE = {
  time: `${SIMPLER}; or raise vault.doc_max_seconds and restart the indexer.`,
  memory: `${SIMPLER}; or raise vault.doc_max_memory_mib and restart the indexer.`,
  none: `${SIMPLER}.`,
} as const;

/** The compiled program: Node 20 runs no TypeScript, so sources under test use the built one as well. */
export function sandboxEntry(): string {
  const here = fileURLToPath(new URL('./sandbox-process.js', import.meta.url));
  const entry = here.replace(/([\\/])src([\\/]extract[\\/]sandbox-process\.js)$/, '$1dist$2');
  if (!existsSync(entry)) throw new Error(`${entry} is missing. Run "npm run build" first.`);
  return entry;
}

/**
 * @param input must fit `request.byteLength`
 * @throws when the process cannot be started at all, or with the signal's reason
 */
export async function runSandbox(
  request: ExtractRequest,
  input: SandboxInput,
  options: SandboxOptions,
): Promise<SandboxOutcome> {
  options.signal?.throwIfAborted();
  return await new SandboxRun(input, options).run(request);
}

class SandboxRun {
  readonly #input: SandboxInput;
  readonly #options: SandboxOptions;
  readonly #child: ChildProcess;
  readonly #timers: NodeJS.Timeout[] = [];
  #usage: ProcessUsage | null = null;
  /** `from`: the processor seconds it begins at; null until it has been looked at. */
  #step: { name: PageStep; since: number; from: number | null } = { name: 'text', since: performance.now(), from: 0 };
  #provisional: Extraction | null = null;
  #endedBecause: string | null = null;
  #last: FinalMessage | null = null;
  #stderr = '';

  constructor(input: SandboxInput, options: SandboxOptions) {
    this.#input = input;
    this.#options = options;
    this.#child = spawn(
      process.execPath,
      [`--max-old-space-size=${options.limits.heapMebibytes}`, options.entry ?? sandboxEntry()],
      {
        // A process group of its own, so that tesseract ends with it.
        detached: true,
        env: { ...BARE_ENVIRONMENT, ...options.environment },
        // The fifth is DOCUMENT_FD.
        stdio: ['pipe', 'ignore', 'pipe', 'pipe', 'descriptor' in input ? input.descriptor : 'ignore'],
      },
    );
  }

  async run(request: ExtractRequest): Promise<SandboxOutcome> {
    const closed = this.#whenClosed();
    // Could not be started: there are no pipes to speak of, and `closed` rejects with the reason.
    if (this.#child.pid === undefined) await closed;
    const abort = (): void => this.#end('aborted');
    this.#options.signal?.addEventListener('abort', abort, { once: true });
    try {
      this.#watchLimits();
      this.#readStderr();
      this.#readMessages();
      this.#write(request);
      const exit = await closed;
      this.#options.signal?.throwIfAborted();
      return this.#outcome(exit);
    } finally {
      this.#options.signal?.removeEventListener('abort', abort);
      for (const timer of this.#timers) clearInterval(timer);
    }
  }

  #whenClosed(): Promise<{ code: number | null; signal: string | null }> {
    return new Promise((resolve, reject) => {
      this.#child.once('error', reject);
      this.#child.once('close', (code, signal) => resolve({ code, signal }));
      // Helpers that outlive the program would otherwise hold its pipes open, and us with them.
      this.#child.once('exit', () => this.#killGroup());
    });
  }

  #write(request: ExtractRequest): void {
    const stdin = this.#child.stdin as Writable;
    // A program that died before it read everything shows by its exit.
    stdin.on('error', () => {});
    stdin.write(`${JSON.stringify(request)}\n`);
    if ('bytes' in this.#input) stdin.write(this.#input.bytes);
    // Stays open: its end tells the program that we are gone.
  }

  #watchLimits(): void {
    const { totalSeconds } = this.#options.limits;
    this.#timers.push(
      setTimeout(() => this.#end(`took longer than ${totalSeconds} seconds in all`, 'time'), totalSeconds * 1_000),
      setInterval(() => void this.#checkUsage(), POLL_MS),
    );
  }

  async #checkUsage(): Promise<void> {
    const { residentBytes: allowed } = this.#options.limits;
    const { pid } = this.#child;
    if (pid === undefined) return;
    this.#usage = await processUsage(pid);
    // Once it has ended there is nothing to see.
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    if (this.#usage !== null && this.#usage.residentBytes > allowed) {
      this.#end(`needed more than ${Math.round(allowed / MEBIBYTE)} MiB of memory`, 'memory');
    }
    this.#checkStep();
  }

  #checkStep(): void {
    const { stepSeconds, textClockSeconds, ocrClockSeconds } = this.#options.limits;
    const elapsed = (performance.now() - this.#step.since) / 1_000;
    if (this.#usage !== null) this.#step.from ??= this.#usage.processorSeconds;
    const worked = this.#usage === null ? elapsed : this.#usage.processorSeconds - (this.#step.from ?? 0);
    const clockSeconds = this.#step.name === 'ocr' ? ocrClockSeconds : textClockSeconds;
    if (worked > stepSeconds) this.#end(`took longer than ${stepSeconds} seconds over one page`);
    else if (elapsed > clockSeconds) this.#end(`took longer than ${clockSeconds} seconds over one page`);
  }

  #readStderr(): void {
    (this.#child.stderr as Readable).setEncoding('utf8').on('data', (text: string) => {
      this.#stderr = (this.#stderr + text).slice(-KEPT_STDERR_BYTES);
    });
  }

  #readMessages(): void {
    const read = messageReader({
      maxBytes: this.#options.limits.outputBytes,
      onMessage: (message) => this.#take(message),
      onProblem: (problem) => this.#end(problem),
    });
    (this.#child.stdio[3] as Readable).on('data', read);
  }

  #take(message: Message): void {
    if ('progress' in message) {
      const { page, pages, step } = message.progress;
      this.#step = { name: step, since: performance.now(), from: null };
      this.#options.onProgress?.(page, pages, step);
    } else if ('provisional' in message) {
      this.#provisional = message.provisional;
    } else {
      this.#last = message;
    }
  }

  #end(reason: string, advice: keyof typeof ADVICE = 'none'): void {
    this.#endedBecause ??= stopped(reason, advice);
    this.#killGroup();
    // Past this point nothing it still says counts, and a pipe that somebody keeps open must not hold us.
    this.#child.stdio[3]?.destroy();
    this.#child.stderr?.destroy();
  }

  #killGroup(): void {
    const { pid } = this.#child;
    if (pid === undefined) return;
    try {
      process.kill(-pid, 'SIGKILL');
    } catch (error) {
      // ESRCH: all gone. Where there are no process groups the program itself is all that can be ended.
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') this.#child.kill('SIGKILL');
    }
  }

  #outcome(exit: { code: number | null; signal: string | null }): SandboxOutcome {
    if (this.#endedBecause !== null) return this.#endedBy(this.#endedBecause);
    if (this.#last !== null && 'result' in this.#last) return { kind: 'result', extraction: this.#last.result };
    if (this.#last?.error.code)
      return { kind: 'unreadable', code: this.#last.error.code, message: this.#last.error.message };
    // It ends itself when its heap is full, which is a limit met like any other.
    if (HEAP_FULL.test(this.#stderr)) {
      const mebibytes = Math.round(this.#options.limits.residentBytes / MEBIBYTE);
      return this.#endedBy(stopped(`needed more of ${mebibytes} MiB of memory than there is for parsing it`, 'memory'));
    }
    const how = exit.signal ?? `exit code ${exit.code}`;
    const why = withoutPaths(this.#last?.error.message ?? crashReason(this.#stderr));
    const ended = `The program that reads it ended unexpectedly (${why ? `${how}: ${why}` : how}).`;
    return this.#endedBy(`${ended} ${ADVICE.none}`);
  }

  /** What was read before it was ended is not lost with it. */
  #endedBy(reason: string): SandboxOutcome {
    if (this.#provisional === null) return { kind: 'ended', reason };
    const detail = `${OCR_ENDED}${reason}`;
    return { kind: 'result', extraction: { ...this.#provisional, unfinished: 'ended', detail } };
  }
}

const HEAP_FULL = /^FATAL ERROR: .*heap/m;

function stopped(reason: string, advice: keyof typeof ADVICE): string {
  return `Reading it was stopped: it ${reason}. ${ADVICE[advice]}`;
}

/** The one line of a crash that tells people something. */
function crashReason(stderr: string): string {
  const lines = stderr.split('\n').map((line) => line.trim());
  return lines.find((line) => /^FATAL ERROR|^\w*Error\b/.test(line)) ?? '';
}
