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
import type { Extraction, ExtractRequest } from './extraction.ts';
import { withoutPaths } from './fault.ts';
import { residentBytes } from './resident-size.ts';
import { type FinalMessage, type Message, messageReader } from './sandbox-messages.ts';

export interface SandboxLimits {
  /** Longest silence: opening the document, or one page of it. Seconds. */
  readonly stepSeconds: number;
  /** The whole extraction. Seconds. */
  readonly totalSeconds: number;
  /** Resident size of the process, polled where /proc exists. */
  readonly residentBytes: number;
  /** JavaScript heap, enforced by the process itself everywhere. MiB. */
  readonly heapMebibytes: number;
  /** All that the process may answer. Bytes. */
  readonly outputBytes: number;
}

/** A page of OCR may take 65 seconds (see ocr.ts) after it was rendered; an A3 colour scan at 600 dpi needs some 700 MB. */
export const DEFAULT_LIMITS: SandboxLimits = {
  stepSeconds: 90,
  totalSeconds: 3_600,
  residentBytes: 1024 ** 3,
  heapMebibytes: 640,
  outputBytes: 64 * 1024 ** 2,
};

/** Of a process's memory, how much may be JavaScript's: the rest is for pictures and what decodes them. */
const HEAP_SHARE = 5 / 8;
const MEBIBYTE = 1024 ** 2;

/** @param seconds `vault.doc_max_seconds` @param mebibytes `vault.doc_max_memory_mib` */
export function sandboxLimits(seconds: number, mebibytes: number): SandboxLimits {
  return {
    ...DEFAULT_LIMITS,
    totalSeconds: seconds,
    residentBytes: mebibytes * MEBIBYTE,
    heapMebibytes: Math.floor(mebibytes * HEAP_SHARE),
  };
}

/** What is kept for the page in hand and for handing over what there is: a page of OCR takes seconds on a slow machine. */
const CLOSING_SHARE = 0.1;
const CLOSING_SECONDS = 15;

/** @returns seconds after which no further page is begun */
export function softSeconds(totalSeconds: number): number {
  return totalSeconds - Math.min(totalSeconds / 2, Math.max(totalSeconds * CLOSING_SHARE, CLOSING_SECONDS));
}

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
  #stepTimer: NodeJS.Timeout | undefined;
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
      clearTimeout(this.#stepTimer);
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
    const { limits } = this.#options;
    this.#restartStep();
    this.#timers.push(
      setTimeout(
        () => this.#end(`took longer than ${limits.totalSeconds} seconds in all`, 'time'),
        limits.totalSeconds * 1_000,
      ),
      setInterval(() => void this.#checkSize(), POLL_MS),
    );
  }

  async #checkSize(): Promise<void> {
    const { residentBytes: allowed } = this.#options.limits;
    const { pid } = this.#child;
    const resident = pid === undefined ? null : await residentBytes(pid);
    if (resident !== null && resident > allowed) {
      this.#end(`needed more than ${Math.round(allowed / MEBIBYTE)} MiB of memory`, 'memory');
    }
  }

  #restartStep(): void {
    const { stepSeconds } = this.#options.limits;
    clearTimeout(this.#stepTimer);
    this.#stepTimer = setTimeout(
      () => this.#end(`took longer than ${stepSeconds} seconds over one page`),
      stepSeconds * 1_000,
    );
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
      this.#restartStep();
      this.#options.onProgress?.(message.progress.page, message.progress.pages, message.progress.step);
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
    if (this.#endedBecause !== null) return { kind: 'ended', reason: this.#endedBecause };
    if (this.#last !== null && 'result' in this.#last) return { kind: 'result', extraction: this.#last.result };
    if (this.#last?.error.code)
      return { kind: 'unreadable', code: this.#last.error.code, message: this.#last.error.message };
    // It ends itself when its heap is full, which is a limit met like any other.
    if (HEAP_FULL.test(this.#stderr)) {
      const { heapMebibytes } = this.#options.limits;
      return {
        kind: 'ended',
        reason: stopped(`needed more than ${heapMebibytes} MiB of memory to parse it`, 'memory'),
      };
    }
    const how = exit.signal ?? `exit code ${exit.code}`;
    const why = withoutPaths(this.#last?.error.message ?? crashReason(this.#stderr));
    const ended = `The program that reads it ended unexpectedly (${why ? `${how}: ${why}` : how}).`;
    return { kind: 'ended', reason: `${ended} ${ADVICE.none}` };
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
