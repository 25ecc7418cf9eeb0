/**
 * Whether tesseract is there and has the languages wanted, found out by asking it. Danger: what is in PATH under that name
 * may be anything, so it gets little time and little room to answer, and everything it started ends with it.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { OCR_LANGUAGE } from '@vault-mcp/shared/config/sections/vault';
import { withoutPaths } from './fault.ts';

export interface OcrCheckOptions {
  /** Where tesseract is looked for and how it is set up (PATH, TESSDATA_PREFIX); default: as this process has it. */
  readonly environment?: Readonly<Record<string, string>>;
  /** In a process group of its own, which is ended as a whole. Not in a process whose parent does that. Default false. */
  readonly ownGroup?: boolean;
  /** Default 10 seconds; a healthy one takes some hundredths. Milliseconds. */
  readonly timeoutMs?: number;
}

const TIMEOUT_MS = 10_000;
/** The names of all languages there are take some 2 KiB. */
const KEPT_BYTES = 64 * 1024;
const CHECK = 'Check it with: tesseract --list-langs';

/**
 * @param languages joined with `+`
 * @returns null when they can be recognised, else one or two sentences, the first beginning with the program's name, on
 *   what is missing and how to get it
 */
export async function missingForOcr(languages: string, options: OcrCheckOptions = {}): Promise<string | null> {
  const answer = await ask(options);
  if ('problem' in answer) return answer.problem;
  // Some versions list them on standard error, and all say first where they are.
  const installed = new Set(answer.text.split('\n').map((line) => line.trim()));
  if (![...installed].some((line) => OCR_LANGUAGE.test(line)) && !/\blanguages\b/i.test(answer.text)) {
    return `tesseract answers something else than its languages here. ${CHECK}`;
  }
  const missing = languages.split('+').filter((language) => !installed.has(language));
  if (missing.length === 0) return null;
  const packages = missing.map((language) => `tesseract-ocr-${language.replaceAll('_', '-')}`).join(' ');
  return `tesseract lacks the language data for ${missing.join(', ')}. Install it (Debian: ${packages}) or change vault.doc_ocr_languages.`;
}

type Answer = { readonly text: string } | { readonly problem: string };

async function ask(options: OcrCheckOptions): Promise<Answer> {
  const child = start(options);
  return child instanceof Error ? { problem: startProblem(child) } : await answerOf(child, options);
}

/** Most of what keeps a program from being started is an event of the child, and the rest (it is being replaced) is thrown. */
function start({ environment, ownGroup = false }: OcrCheckOptions): ChildProcess | Error {
  try {
    return spawn('tesseract', ['--list-langs'], {
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: ownGroup,
      ...(environment && { env: { ...environment } }),
    });
  } catch (error) {
    return error as Error;
  }
}

function answerOf(child: ChildProcess, { ownGroup = false, timeoutMs = TIMEOUT_MS }: OcrCheckOptions): Promise<Answer> {
  return new Promise((resolve) => {
    const said = { stdout: '', stderr: '' };
    const settle = (answer: Answer): void => {
      clearTimeout(timer);
      endAll(child, ownGroup);
      resolve(answer);
    };
    // A helper that outlives it may keep its pipes open: only time tells that nothing comes any more.
    const timer = setTimeout(
      () => settle({ problem: `tesseract does not answer here within ${timeoutMs / 1000} seconds. ${CHECK}` }),
      timeoutMs,
    );
    child.once('error', (error) => settle({ problem: startProblem(error) }));
    for (const name of ['stdout', 'stderr'] as const) {
      // One that could not be started for want of descriptors has none.
      child[name]?.setEncoding('utf8').on('data', (text: string) => {
        said[name] = (said[name] + text).slice(0, KEPT_BYTES);
      });
    }
    child.once('close', (code, signal) =>
      settle(
        code === 0
          ? { text: `${said.stdout}\n${said.stderr}` }
          : { problem: `tesseract does not work here: ${howItEnded(code, signal, said.stderr)}. ${CHECK}` },
      ),
    );
  });
}

function startProblem(error: NodeJS.ErrnoException): string {
  return error.code === 'ENOENT'
    ? 'tesseract is not installed here, or not in PATH. Install it (Debian: tesseract-ocr).'
    : `tesseract cannot be started here (${error.code ?? error.message}). Check that this user may run it.`;
}

function howItEnded(code: number | null, signal: string | null, stderr: string): string {
  if (signal !== null) return `it was killed (${signal})`;
  const line = stderr.split('\n').find((each) => each.trim() !== '');
  return `it ended with exit code ${code}${line === undefined ? '' : ` (${withoutPaths(line.trim())})`}`;
}

/** Idempotent: whatever has ended is left alone. */
function endAll(child: ChildProcess, ownGroup: boolean): void {
  child.stdout?.destroy();
  child.stderr?.destroy();
  if (child.pid === undefined) return;
  try {
    if (ownGroup) process.kill(-child.pid, 'SIGKILL');
    else child.kill('SIGKILL');
  } catch {
    // ESRCH: all of it has ended by itself.
  }
}
