/**
 * The text of a document, whatever the document does: the extraction runs in its own process under limits, and every
 * fault of the bytes is a result with its reason. Danger: what is not the document's fault must
 * not be kept under its hash: a file that cannot be read is thrown, a reading that was ended is marked as such.
 */
import { AppError } from '@vault-mcp/shared/errors';
import type { PageStep } from '@vault-mcp/shared/vault/document-pages';
import { areOcrLanguages, type Extraction, type ExtractRequest, withoutText } from './extraction.ts';
import { extractorFor } from './registry.ts';
import { runSandbox } from './sandbox.ts';
import { DEFAULT_LIMITS, pageSeconds, type SandboxLimits, softSeconds } from './sandbox-limits.ts';

export type DocumentSource = {
  /** With the dot, in any case. */
  readonly suffix: string;
} & (
  | {
      /** A file that the caller has opened, and closes: no path is ever opened here. Read from its start. */
      readonly descriptor: number;
    }
  | { readonly bytes: Uint8Array }
);

export interface DocumentReading extends Extraction {
  /** The reading was ended (time, memory) or its program died: `failed`, but nothing was learnt about the bytes. */
  readonly interrupted: boolean;
}

export interface ExtractOptions {
  /** `vault.doc_ocr` */
  readonly ocr: boolean;
  /** `vault.doc_ocr_languages`; at least one. */
  readonly languages: readonly string[];
  /** `vault.doc_max_bytes`; 0 = no limit */
  readonly maxBytes: number;
  readonly limits?: Partial<SandboxLimits>;
  /** Added to the bare environment of the process, e.g. PATH or TESSDATA_PREFIX. */
  readonly environment?: Readonly<Record<string, string>>;
  readonly onProgress?: (page: number, pages: number, step: PageStep) => void;
  readonly signal?: AbortSignal;
}

/**
 * @returns status, text and facts; `failed` and `needs_ocr` with the reason in `detail`; no hash when interrupted
 * @throws AppError unsupported_suffix (no extractor), invalid_value (no language names), unreadable (a device error);
 * the signal's reason when aborted; the system's error when no process can be started
 */
export async function extractDocument(source: DocumentSource, options: ExtractOptions): Promise<DocumentReading> {
  const limits = { ...DEFAULT_LIMITS, ...options.limits };
  const languages = options.languages.join('+');
  // Before a process is started for it.
  extractorFor(source.suffix);
  if (!areOcrLanguages(languages)) {
    throw new AppError(
      'invalid_value',
      'vault.doc_ocr_languages must hold tesseract language names such as eng or chi_sim.',
    );
  }
  const request: ExtractRequest = {
    suffix: source.suffix,
    byteLength: 'bytes' in source ? source.bytes.length : null,
    maxBytes: options.maxBytes,
    ocr: options.ocr,
    languages,
    softSeconds: softSeconds(limits.totalSeconds),
    pageSeconds: pageSeconds(limits.totalSeconds),
  };
  const outcome = await runSandbox(request, source, { ...options, limits });
  switch (outcome.kind) {
    case 'result':
      return { ...outcome.extraction, interrupted: false };
    case 'ended':
      return { ...withoutText('failed', outcome.reason), extracted_chars: 0, sha256: '', interrupted: true };
    case 'unreadable':
      throw new AppError('unreadable', `The document cannot be read (${outcome.code}). Check its disk.`, {
        cause: new Error(outcome.message),
      });
  }
}
