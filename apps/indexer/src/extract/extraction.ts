/**
 * What extraction is asked and what it answers: the shapes that cross the process boundary, parsed on both sides.
 * Danger: the answer was made by a process that handles hostile bytes, so nothing of it is used before it was parsed.
 */
import { OCR_LANGUAGE } from '@vault-mcp/shared/config/sections/vault';
import type { PageStep } from '@vault-mcp/shared/vault/document-pages';
import { UNFINISHED } from '@vault-mcp/shared/vault/document-pages';
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
  /** Pages that OCR was asked for; those without an answer stand in `detail`. */
  ocr_pages: z.number().int().nonnegative(),
  unfinished: z.enum(UNFINISHED).nullable(),
  /** Hex SHA-256 of the bytes that were read: not the job's when the file changed meanwhile. Empty when none were. */
  sha256: z.string(),
});

export type Extraction = z.infer<typeof extractionSchema>;

/** Begins what is said of a scan where OCR is off, or tesseract or a language is missing. */
export const SCAN_WITHOUT_OCR = 'This is a scan, and ';
/** The same of a document that has text besides. */
export const PAGES_WITHOUT_OCR = 'Some of its pages are scans, and ';
/** Begins what is said where tesseract was ended over a page, which says more of this machine than of the page. */
export const OCR_ENDED = 'Not all of it could be recognised this time: ';

/** What one extractor knows; hash and length are added around it. */
export type ExtractorResult = Omit<Extraction, 'sha256' | 'extracted_chars'>;

export interface ExtractorSettings {
  readonly ocr: boolean;
  /** Joined with `+`; see areOcrLanguages. */
  readonly languages: string;
  /** Time (ms since epoch) after which no further page is begun. */
  readonly deadlineMs: number;
  /** Time (ms since epoch) at which the page in hand is given up as well. */
  readonly pageDeadlineMs: number;
  /** Told what there is already, before pictures are looked at, which may cost more than the process is allowed. */
  readonly onTextLayer?: (found: ExtractorResult) => void;
  /** Called before each page: proof of life for the parent, progress for people. */
  readonly onPage: (page: number, pages: number, step: PageStep) => void;
}

/** Reads one document. Never throws for the document's own faults: those are `failed` with the reason. */
export type Extractor = (bytes: Uint8Array, settings: ExtractorSettings) => Promise<ExtractorResult>;

/** Whether these are tesseract's own names joined with `+`: then none carries anything a shell would act on. */
export function areOcrLanguages(languages: string): boolean {
  return languages.split('+').every((language) => OCR_LANGUAGE.test(language));
}

/** Where the extraction process finds the document when it was handed an open file. */
export const DOCUMENT_FD = 4;

export const requestSchema = z.object({
  suffix: z.string(),
  /** How many bytes follow the request on the same stream; null: the document is open on DOCUMENT_FD. */
  byteLength: z.number().int().nonnegative().nullable(),
  /** 0 = no limit. */
  maxBytes: z.number().int().nonnegative(),
  ocr: z.boolean(),
  languages: z.string().refine(areOcrLanguages),
  /** OCR stops here and answers with the pages it has, so that a long scan is not lost to the hard limit. Seconds. */
  softSeconds: z.number().positive(),
  /** The page in hand is given up here, not to lose those before it. Seconds. */
  pageSeconds: z.number().positive(),
});

export type ExtractRequest = z.infer<typeof requestSchema>;

/** A result without text; unless its caller says otherwise the same would come of it again. */
export function withoutText(status: 'no_text' | 'failed', detail: string, pages = 0): ExtractorResult {
  return { status, text: '', pages, has_text_layer: false, detail, ocr_pages: 0, unfinished: null };
}
