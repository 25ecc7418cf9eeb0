/**
 * Parses notes for reading without holding anybody else up: short ones at once, long ones on a thread that ends
 * afterwards, one at a time; what was answered of the last ones is remembered, since a long note is read page by page.
 * Danger: parsing takes up to half a second per megabyte, and all requests share one thread.
 */
import { serialize } from 'node:v8';
import { Worker } from 'node:worker_threads';
import { AppError, type ErrorCode } from '@vault-mcp/shared/errors';
import { askNote, type NoteAnswer, type NoteOutline, type NoteParts, type NoteQuestion } from './note-parts.ts';

/** UTF-16 units parsed at once: some 15 to 50 ms; a thread takes longer than that to start. */
const AT_ONCE = 100_000;
/** Bytes of answers remembered, each measured as it would be sent to another thread. */
const REMEMBERED_BYTES = 8 * 1024 * 1024;
/** Ten times what 5 MB of the worst text took. */
const TIMEOUT_MS = 30_000;

/** A note's text with the hash of its bytes. */
export interface NoteSource {
  readonly text: string;
  readonly sha256: string;
}

export interface NoteParser {
  /** @throws AppError what `askNote` throws; note_too_large when it takes too long */
  ask<Q extends NoteQuestion>(note: NoteSource, question: Q): Promise<NoteAnswer<Q>>;
}

/** What the thread is given. */
export interface ParsingTask {
  readonly text: string;
  readonly question: NoteQuestion;
}

interface WeighedAnswer {
  readonly answer: NoteParts | NoteOutline;
  readonly bytes: number;
}

/** An answer, or the refusal that `askNote` threw. */
export type ThreadReply = WeighedAnswer | { readonly code: ErrorCode; readonly message: string };

export interface NoteParserOptions {
  readonly atOnce?: number;
  readonly rememberedBytes?: number;
  readonly timeoutMs?: number;
  /** The thread's compiled entry; tests name their own. */
  readonly entry?: URL;
}

export function answerOf(text: string, question: NoteQuestion): WeighedAnswer {
  const answer = askNote(text, question);
  return { answer, bytes: serialize(answer).byteLength };
}

export function createNoteParser(options: NoteParserOptions = {}): NoteParser {
  const { atOnce = AT_ONCE, rememberedBytes = REMEMBERED_BYTES, timeoutMs = TIMEOUT_MS } = options;
  const { entry = threadEntry(import.meta.url) } = options;
  /** The last asked for last. */
  const remembered = new Map<string, WeighedAnswer>();
  const running = new Map<string, Promise<WeighedAnswer>>();
  let bytes = 0;
  let lastThread: Promise<unknown> = Promise.resolve();

  function parse(text: string, question: NoteQuestion): Promise<WeighedAnswer> {
    if (text.length <= atOnce) return Promise.resolve(answerOf(text, question));
    const task = { text, question };
    const parsed = lastThread.then(() => parseOnThread(entry, task, timeoutMs));
    lastThread = parsed.catch(() => undefined);
    return parsed;
  }

  function remember(key: string, answer: WeighedAnswer): void {
    if (answer.bytes > rememberedBytes) return;
    bytes += answer.bytes - (remembered.get(key)?.bytes ?? 0);
    remembered.delete(key);
    remembered.set(key, answer);
    for (const [oldest, { bytes: freed }] of remembered) {
      if (bytes <= rememberedBytes) return;
      remembered.delete(oldest);
      bytes -= freed;
    }
  }

  return {
    async ask<Q extends NoteQuestion>(note: NoteSource, question: Q) {
      const key = `${note.sha256} ${JSON.stringify(question)}`;
      let found = remembered.get(key);
      if (!found) {
        const parsing = running.get(key) ?? parse(note.text, question);
        running.set(key, parsing);
        found = await parsing.finally(() => running.delete(key));
      }
      remember(key, found);
      return found.answer as NoteAnswer<Q>;
    },
  };
}

/** The one of this process: what it remembers belongs to the bytes alone, whatever vault they are from. */
export const noteParser: NoteParser = createNoteParser();

function parseOnThread(entry: URL, task: ParsingTask, timeoutMs: number): Promise<WeighedAnswer> {
  return new Promise((resolve, reject) => {
    // Nothing of the process: no environment (keys), no flags; and standard output may be speaking MCP.
    const worker = new Worker(entry, { workerData: task, env: {}, execArgv: [], stdout: true, stderr: true });
    const timer = setTimeout(() => {
      reject(new AppError('note_too_large', 'This note takes too long to parse: split it, or read it as raw bytes.'));
      void worker.terminate();
    }, timeoutMs);
    worker.once('message', (reply: ThreadReply) => {
      if ('code' in reply) reject(new AppError(reply.code, reply.message));
      else resolve(reply);
    });
    worker.once('error', reject);
    worker.once('exit', (code) => {
      clearTimeout(timer);
      reject(new Error(`The thread that parses a note ended without an answer (${code}).`));
    });
  });
}

/** Node 20 runs no TypeScript: from a source file (tests), the entry is the one `tsc -b` left in dist. */
function threadEntry(here: string): URL {
  const source = here.endsWith('.ts');
  return new URL(source ? '../../dist/operations/note-parser-thread.js' : './note-parser-thread.js', here);
}
