/**
 * Recognises the text of one page image with tesseract. Danger: the library underneath builds a shell command, follows
 * "images" that are lists of file names, and has no time limit. So only bytes that begin like an image go in, option
 * names are constants, languages match a pattern, and `timeout` stands before the program. It may raise EPIPE outside
 * any promise when tesseract ends early: only call it in the extraction process, which expects that.
 */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
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
 * Whether OCR in these languages can be done on this machine.
 * @param languages joined with `+`
 * @returns null when it can, else a sentence on what is missing and how to get it
 */
export async function missingForOcr(languages: string): Promise<string | null> {
  let installed: Set<string>;
  try {
    const { stdout, stderr } = await promisify(execFile)('tesseract', ['--list-langs'], { timeout: 10_000 });
    // Some versions list them on standard error.
    installed = new Set(`${stdout}\n${stderr}`.split('\n').map((line) => line.trim()));
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT'
      ? 'This is a scan, and tesseract is not installed here. Install it (Debian: tesseract-ocr) and index the document again.'
      : `This is a scan, and tesseract does not start here: ${(error as Error).message.split('\n')[0]}`;
  }
  const missing = languages.split('+').filter((language) => !installed.has(language));
  if (missing.length === 0) return null;
  const packages = missing.map((language) => `tesseract-ocr-${language.replaceAll('_', '-')}`).join(' ');
  return `This is a scan, and tesseract lacks the language data for ${missing.join(', ')}. Install it (Debian: ${packages}) or change vault.doc_ocr_languages.`;
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
    return await recognize(bytes, { lang: languages, psm: PAGE_SEGMENTATION, binary: BINARY });
  } catch (error) {
    throw new OcrError(failureReason(error), { cause: error });
  }
}

/** The library's own message is the whole command line: not for people. */
function failureReason(error: unknown): string {
  const { code, signal } = error as { code?: number | string; signal?: string | null };
  if (code === TIMED_OUT) return `tesseract took longer than ${PAGE_SECONDS} seconds`;
  if (code === 'ERR_CHILD_PROCESS_STDIO_MAXBUFFER') return 'tesseract answered more text than a page can hold';
  return `tesseract failed (${signal ?? `exit code ${code ?? 'unknown'}`})`;
}
