/**
 * Recognises the text of one page image with tesseract. Danger: the library underneath builds a shell command, follows
 * "images" that are lists of file names, and has no time limit. So only bytes that begin like an image go in, option
 * names are constants, languages match a pattern, and `timeout` stands before the program. It may raise EPIPE outside
 * any promise when tesseract ends early: only call it in the extraction process, which expects that.
 */
import { constants } from 'node:os';
import { recognize } from 'node-tesseract-ocr';
import { areOcrLanguages } from './extraction.ts';

const PAGE_SECONDS = 60;
/** What `timeout` exits with when it had to end the program. */
const TIMED_OUT = 124;
/** Address space of one tesseract in KiB: a 300 dpi A3 page with four languages stays under half of it. */
const ADDRESS_SPACE_KIB = 3 * 1024 * 1024;

// `--foreground` keeps tesseract in our process group, which the parent ends as a whole. Neither `timeout` nor a limit
// on address space can be relied on outside Linux; there the parent's own limits are what ends it.
const BINARY =
  process.platform === 'linux'
    ? `ulimit -v ${ADDRESS_SPACE_KIB} && OMP_THREAD_LIMIT=1 timeout --foreground -k 5 ${PAGE_SECONDS} tesseract`
    : 'OMP_THREAD_LIMIT=1 tesseract';

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

/** Why a page could not be recognised; the message is for people. */
export class OcrError extends Error {
  constructor(message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.name = 'OcrError';
  }
}

/**
 * @param image a PNG, JPEG or TIFF
 * @param languages joined with `+`
 * @returns the text as tesseract gives it, possibly empty
 * @throws OcrError when it is no image, a language is not a name, or tesseract fails, answers too much or takes too long
 */
export async function recognizeImage(image: Uint8Array, languages: string): Promise<string> {
  const bytes = Buffer.from(image.buffer, image.byteOffset, image.byteLength);
  if (!IMAGE_MAGIC.some((magic) => bytes.subarray(0, magic.length).equals(magic))) {
    throw new OcrError('The page did not render to an image.');
  }
  if (!areOcrLanguages(languages)) {
    throw new OcrError('The OCR languages are not tesseract language names; see vault.doc_ocr_languages.');
  }
  try {
    return readable(await recognize(bytes, { lang: languages, psm: PAGE_SEGMENTATION, binary: BINARY }));
  } catch (error) {
    if (error instanceof OcrError) throw error;
    throw new OcrError(failureReason(error), { cause: error });
  }
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
function failureReason(error: unknown): string {
  const { code, signal } = error as { code?: number | string; signal?: string | null };
  if (code === TIMED_OUT) return `tesseract took longer than ${PAGE_SECONDS} seconds`;
  if (code === 'ERR_CHILD_PROCESS_STDIO_MAXBUFFER') return 'tesseract answered more text than a page can hold';
  const killedBy = signal ?? (typeof code === 'number' ? signalOf(code) : undefined);
  if (killedBy !== undefined) return `tesseract was killed (${killedBy})`;
  return `tesseract failed (exit code ${code ?? 'unknown'})`;
}

/** A shell tells of a program that was killed by 128 and the signal's number. */
function signalOf(code: number): string | undefined {
  return Object.entries(constants.signals).find(([, number]) => number === code - 128)?.[0];
}
