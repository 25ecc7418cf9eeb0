/**
 * Why a worker hands a document back, as everybody may hear it and as its own log has it. Pure. Danger: the reason is shown to
 * whoever asks for the document, so it says what to do and names no machine, folder or error of one.
 */
import type { JobPayload } from '@vault-mcp/shared/queue/jobs';
import type { DocumentReading } from './extract.ts';
import type { HandBackCause } from './hand-back-log.ts';

/** Why this process does not do a job: for the writer, who gives it to whoever comes next. */
export interface HandedBack {
  /** What came of it, as a job for the writer without its path. */
  readonly told: Omit<JobPayload<'store-extraction'>, 'path'> & { readonly retry: string };
  /** For the log here; of what OCR lacks another one tells. */
  readonly logged: { readonly cause: HandBackCause; readonly reason: string } | null;
  /** Whether it is a scan that nobody has looked at before. */
  readonly isFirstLook: boolean;
}

/** What a writer of an older version makes of a job that is handed back: tried again at its next start. */
const NOT_READ = { status: 'failed', interrupted: true } as const;

const SAME_VAULT =
  'Check that each extract worker has the vault of the indexer mounted; where it is synchronised, its copy may be behind. The worker’s log says where.';

const REASONS = {
  settings:
    'An extract worker would read documents otherwise than the indexer that writes: give it the same version, DOC_OCR and DOC_OCR_LANGUAGES.',
  missing: `An extract worker does not have it in its vault. ${SAME_VAULT}`,
  other: `An extract worker has other bytes of it in its vault than the indexer that writes saw. ${SAME_VAULT}`,
  unreadable:
    'An extract worker may not read it in its vault, or its mount fails. Check there that its user may read the vault; the worker’s log has the error.',
} as const;

/**
 * @param what the job's document, which was not read
 * @param here what is wrong on this machine
 */
export function notRead(
  { path, sha256 }: JobPayload<'extract-document'>,
  what: keyof typeof REASONS,
  here: string,
): HandedBack {
  return {
    told: { sha256, ...NOT_READ, retry: REASONS[what] },
    logged: { cause: what === 'settings' ? 'settings' : 'vault', reason: `${path}: ${here}` },
    isFirstLook: false,
  };
}

/** @param found what could be read of it without OCR */
export function readInPart(found: DocumentReading): HandedBack {
  return { told: { ...storable(found), retry: found.detail }, logged: null, isFirstLook: true };
}

/** @param lack what keeps this machine from reading what another has found to need OCR */
export function notOpened({ sha256 }: JobPayload<'extract-document'>, lack: string): HandedBack {
  return { told: { sha256, status: 'needs_ocr', detail: lack, retry: lack }, logged: null, isFirstLook: false };
}

/** A reading as a job for the writer has it: its length is told by its text. */
export function storable({ extracted_chars: _, ...reading }: DocumentReading) {
  return reading;
}
