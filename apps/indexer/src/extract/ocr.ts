/**
 * Recognises the text of one page image with tesseract. Danger: the library underneath builds a shell command, follows
 * "images" that are lists of file names, and has no time limit. So only bytes that begin like an image go in, option
 * names are constants, languages match a pattern, and limits stand before the program. It may raise EPIPE outside
 * any promise when tesseract ends early: only call it in the extraction process, which expects that.
 */
import { constants } from 'node:os';
import { recognize } from 'node-tesseract-ocr';
import { areOcrLanguages } from './extraction.ts';
import { RECOGNITION_CLOCK_SECONDS } from './sandbox-limits.ts';

/** What tesseract may work at one page: processor seconds, since it gives way and a busy machine is no fault of the page. */
const PAGE_SECONDS = 60;
/** What `timeout` exits with when it had to end the program. */
const TIMED_OUT = 124;
/** Address space of one tesseract in KiB: a 300 dpi A3 page with four languages stays under half of it. */
const ADDRESS_SPACE_KIB = 3 * 1024 * 1024;

/**
 * `--foreground` keeps tesseract in our process group, which the parent ends as a whole. Only the soft limit on processor
 * time is set, whose signal tells what happened; it would dump its memory into a file. None of it can be relied on outside
 * Linux; there the parent's own limits are what ends it.
 */
function binary(clockSeconds: number): string {
  if (process.platform !== 'linux') return 'OMP_THREAD_LIMIT=1 tesseract';
  const limits = `ulimit -v ${ADDRESS_SPACE_KIB} && ulimit -c 0 && ulimit -S -t ${PAGE_SECONDS}`;
  return `${limits} && OMP_THREAD_LIMIT=1 timeout --foreground -k 5 ${clockSeconds} tesseract`;
}

/**
 * Fully automatic page segmentation, with the page's orientation found out first: a sheet may lie in the scanner any way
 * round. Costs some 40 % more time a page; where the data for it (osd) is missing tesseract goes on without.
 */
const PAGE_SEGMENTATION = 1;

const IMAGE_MAGIC = [
  Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]), // PNG
  Buffer.from([0xff, 0xd8, 0xff]), // JPEG
  Buffer.from([0x49, 0x49, 0x2a, 0x00]), // TIFF, little-endian
  Buffer.from([0x4d, 0x4d, 0x00, 0x2a]), // TIFF, big-endian
];

/**
 * `time`: no more of it was allowed · `ended`: killed, or it took longer than any page by the clock: a busy or full machine ·
 * `failed`: as it would again.
 */
export type OcrFailure = 'time' | 'ended' | 'failed';

/** Why a page could not be recognised; the message is for people. */
export class OcrError extends Error {
  readonly failure: OcrFailure;
  constructor(message: string, failure: OcrFailure = 'failed', options?: { cause?: unknown }) {
    super(message, options);
    this.name = 'OcrError';
    this.failure = failure;
  }
}

/**
 * @param image a PNG, JPEG or TIFF
 * @param languages joined with `+`
 * @param secondsLeft until it is given up, by the clock; at most RECOGNITION_CLOCK_SECONDS are used
 * @returns the text as tesseract gives it, possibly empty
 * @throws OcrError when it is no image, a language is not a name, or tesseract fails, answers too much or takes too long
 */
export async function recognizeImage(
  image: Uint8Array,
  languages: string,
  secondsLeft: number = RECOGNITION_CLOCK_SECONDS,
): Promise<string> {
  const bytes = Buffer.from(image.buffer, image.byteOffset, image.byteLength);
  if (!IMAGE_MAGIC.some((magic) => bytes.subarray(0, magic.length).equals(magic))) {
    throw new OcrError('The page did not render to an image.');
  }
  if (!areOcrLanguages(languages)) {
    throw new OcrError('The OCR languages are not tesseract language names; see vault.doc_ocr_languages.');
  }
  const clockSeconds = Math.min(RECOGNITION_CLOCK_SECONDS, Math.floor(secondsLeft));
  // 0 would be no limit.
  if (!(clockSeconds >= 1)) throw outOfTime();
  try {
    return readable(await recognize(bytes, { lang: languages, psm: PAGE_SEGMENTATION, binary: binary(clockSeconds) }));
  } catch (error) {
    throw error instanceof OcrError ? error : asOcrError(error, clockSeconds);
  }
}

function outOfTime(cause?: unknown): OcrError {
  return new OcrError('limit of time reached', 'time', { cause });
}

/** What no text has: bytes that are no UTF-8, and control characters but those that lay out lines and pages. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
const UNREADABLE = /[\ufffd\u0000-\u0008\u000e-\u001f]/g;
/** tesseract itself answers none at all: more than a few mean that something else answered. */
const UNREADABLE_SHARE = 0.05;

function readable(text: string): string {
  const unreadable = text.match(UNREADABLE)?.length ?? 0;
  if (unreadable > text.length * UNREADABLE_SHARE) throw new OcrError('tesseract answered something that is no text');
  return text;
}

/** The library's own message is the whole command line: not for people. */
function asOcrError(cause: unknown, clockSeconds: number): OcrError {
  const { code, signal } = cause as { code?: number | string; signal?: string | null };
  if (code === TIMED_OUT && clockSeconds < RECOGNITION_CLOCK_SECONDS) return outOfTime(cause);
  if (code === TIMED_OUT) return new OcrError(`tesseract took longer than ${clockSeconds} seconds`, 'ended', { cause });
  if (code === 'ERR_CHILD_PROCESS_STDIO_MAXBUFFER') {
    return new OcrError('tesseract answered more text than a page can hold', 'failed', { cause });
  }
  const killedBy = signal ?? (typeof code === 'number' ? signalOf(code) : undefined);
  if (killedBy === 'SIGXCPU') {
    return new OcrError(`tesseract needed more than ${PAGE_SECONDS} seconds of work`, 'failed', { cause });
  }
  if (killedBy !== undefined) {
    // Others end it by these, above all for want of memory; by the rest it ends itself, over such a picture always.
    const failure = killedBy === 'SIGKILL' || killedBy === 'SIGTERM' ? 'ended' : 'failed';
    return new OcrError(`tesseract was killed (${killedBy})`, failure, { cause });
  }
  return new OcrError(`tesseract failed (exit code ${code ?? 'unknown'})`, 'failed', { cause });
}

/** A shell tells of a program that was killed by 128 and the signal's number. */
function signalOf(code: number): string | undefined {
  return Object.entries(constants.signals).find(([, number]) => number === code - 128)?.[0];
}
