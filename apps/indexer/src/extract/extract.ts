/**
 * The text of a document, whatever the document does: the extraction runs in its own process under limits, and every
 * fault of the bytes is a result with its reason. Danger: a file that is gone or unreadable is news about the disk, not
 * about the document; that is thrown, so that nobody caches it under the document's hash.
 */
import { extname } from 'node:path';
import { AppError } from '@vault-mcp/shared/errors';
import { type Extraction, type ExtractRequest, OCR_LANGUAGES_PATTERN, withoutText } from './extraction.ts';
import { extractorFor } from './registry.ts';
import { DEFAULT_LIMITS, runSandbox, type SandboxLimits } from './sandbox.ts';

/** Part of every cache key: raise it when other text comes out of the same bytes, or the old text stays in use. */
export const EXTRACTOR_VERSION = 1;

export type DocumentSource =
  /** Absolute path, already resolved inside the vault; a symlink in its last place is refused. */
  { readonly path: string } | { readonly bytes: Uint8Array; readonly suffix: string };

export interface ExtractOptions {
  /** `vault.doc_ocr` */
  readonly ocr: boolean;
  /** `vault.doc_ocr_languages`; at least one when `ocr` is on. */
  readonly languages: readonly string[];
  /** `vault.doc_max_bytes`; 0 = no limit */
  readonly maxBytes: number;
  readonly limits?: Partial<SandboxLimits>;
  /** Added to the bare environment of the process, e.g. PATH or TESSDATA_PREFIX. */
  readonly environment?: Readonly<Record<string, string>>;
  readonly onProgress?: (page: number, pages: number) => void;
  readonly signal?: AbortSignal;
}

/** Share of the whole time after which no further page is begun: the rest is for handing over what there is. */
const SOFT_SHARE = 0.9;

/**
 * @returns status, text and facts; `failed` and `needs_ocr` with the reason in `detail`
 * @throws AppError unsupported_suffix (no extractor), invalid_value (no language names), not_found (the file is gone), unreadable (no permission, a symlink,
 * a device error); the signal's reason when aborted; the system's error when no process can be started
 */
export async function extractDocument(source: DocumentSource, options: ExtractOptions): Promise<Extraction> {
  const limits = { ...DEFAULT_LIMITS, ...options.limits };
  const bytes = 'bytes' in source ? source.bytes : null;
  const suffix = 'bytes' in source ? source.suffix : extname(source.path);
  const languages = options.languages.join('+') || 'eng';
  // Before a process is started for it.
  extractorFor(suffix);
  if (!OCR_LANGUAGES_PATTERN.test(languages)) {
    throw new AppError(
      'invalid_value',
      'vault.doc_ocr_languages must hold tesseract language names such as eng or chi_sim.',
    );
  }
  const request: ExtractRequest = {
    suffix,
    path: 'path' in source ? source.path : null,
    byteLength: bytes?.length ?? 0,
    maxBytes: options.maxBytes,
    ocr: options.ocr,
    languages,
    softSeconds: limits.totalSeconds * SOFT_SHARE,
  };
  const outcome = await runSandbox(request, bytes, { ...options, limits });
  if (outcome.kind === 'result') return outcome.extraction;
  if (outcome.kind === 'ended') return { ...withoutText('failed', outcome.reason), extracted_chars: 0, sha256: '' };
  throw unreadable(outcome.code, outcome.message);
}

function unreadable(code: string, message: string): AppError {
  const cause = new Error(message);
  if (code === 'ENOENT' || code === 'ENOTDIR') {
    return new AppError('not_found', 'The document is not there any more.', { cause });
  }
  return new AppError('unreadable', `The document cannot be read (${code}). Check its permissions.`, { cause });
}
