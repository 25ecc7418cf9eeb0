/**
 * What extraction is asked and what it answers: the shapes that cross the process boundary, parsed on both sides.
 * Danger: the answer was made by a process that handles hostile bytes, so nothing of it is used before it was parsed.
 */
import { z } from 'zod';

/** Text is cut here: far above any book, far below what the index or a message can bear. Characters. */
export const MAX_TEXT_CHARACTERS = 10_000_000;

/** Pages read for their text layer. */
export const MAX_TEXT_PAGES = 5_000;

/** Pages recognised by OCR: at some 3 seconds a page this is the better part of half an hour. */
export const MAX_OCR_PAGES = 500;

/**
 * `extracted`: from the text layer · `ocr`: (partly) recognised · `needs_ocr`: a scan that could not be recognised here,
 * `detail` says what is missing · `no_text`: nothing to read in it · `failed`: `detail` says why.
 */
export const extractionSchema = z.object({
  status: z.enum(['extracted', 'ocr', 'needs_ocr', 'no_text', 'failed']),
  /** Markdown, one `## Page N` unit per page that has text; empty when there is none. */
  text: z.string(),
  /** Pages of the document; 0 when it could not be opened. */
  pages: z.number().int().nonnegative(),
  has_text_layer: z.boolean(),
  /** UTF-16 length of `text`. */
  extracted_chars: z.number().int().nonnegative(),
  /** A sentence or two for a person: the reason, or what was left out. Empty when all went well. */
  detail: z.string(),
  /** Hex SHA-256 of the bytes that were read: not the job's when the file changed meanwhile. Empty when none were. */
  sha256: z.string(),
});

export type Extraction = z.infer<typeof extractionSchema>;

/** What one extractor knows; hash and length are added around it. */
export type ExtractorResult = Omit<Extraction, 'sha256' | 'extracted_chars'>;

export interface ExtractorSettings {
  readonly ocr: boolean;
  /** Joined with `+`, as OCR_LANGUAGES_PATTERN allows. */
  readonly languages: string;
  /** Time (ms since epoch) after which no further page is begun. */
  readonly deadlineMs: number;
  /** Called before each page: proof of life for the parent, progress for people. */
  readonly onPage: (page: number, pages: number) => void;
}

/** Reads one document. Never throws for the document's own faults: those are `failed` with the reason. */
export type Extractor = (bytes: Uint8Array, settings: ExtractorSettings) => Promise<ExtractorResult>;

/** tesseract's own names joined with `+`, so that none can carry anything a shell would act on. */
export const OCR_LANGUAGES_PATTERN = /^[a-z_]{3,12}(\+[a-z_]{3,12})*$/;

export const requestSchema = z.object({
  suffix: z.string(),
  /** Absolute path to read, or null: `byteLength` bytes follow the request on the same stream. */
  path: z.string().nullable(),
  byteLength: z.number().int().nonnegative(),
  /** 0 = no limit. */
  maxBytes: z.number().int().nonnegative(),
  ocr: z.boolean(),
  languages: z.string().regex(OCR_LANGUAGES_PATTERN),
  /** OCR stops here and answers with the pages it has, so that a long scan is not lost to the hard limit. Seconds. */
  softSeconds: z.number().positive(),
});

export type ExtractRequest = z.infer<typeof requestSchema>;

/** A result without text. */
export function withoutText(status: 'needs_ocr' | 'no_text' | 'failed', detail: string, pages = 0): ExtractorResult {
  return { status, text: '', pages, has_text_layer: false, detail };
}
