/**
 * The extract lane's work: a document in, a `store-extraction` job out. Needs the vault readable and the queue, nothing
 * of the index. Danger: the file may have changed since the job was made, so the result carries the hash of the bytes
 * that were read, never the job's.
 */
import { AppError } from '@vault-mcp/shared/errors';
import type { Logger } from '@vault-mcp/shared/log';
import type { JobPayload } from '@vault-mcp/shared/queue/jobs';
import type { JobProducer } from '@vault-mcp/shared/queue/producer';
import { parseVaultPath } from '@vault-mcp/shared/vault/path';
import type { Vault } from '@vault-mcp/shared/vault/vault';
import { extractDocument } from './extract.ts';
import type { Extraction } from './extraction.ts';
import type { SandboxLimits } from './sandbox.ts';

export interface ExtractionSettings {
  /** `vault.doc_ocr` */
  readonly ocr: boolean;
  /** `vault.doc_ocr_languages` */
  readonly ocrLanguages: readonly string[];
  readonly limits?: Partial<SandboxLimits>;
  readonly environment?: Readonly<Record<string, string>>;
}

export interface ExtractDocumentDeps {
  readonly vault: Vault;
  readonly producer: Pick<JobProducer, 'add'>;
  readonly logger: Logger;
  readonly settings: ExtractionSettings;
}

/**
 * @param signal ends the extraction; the job then runs again later
 * @throws what another try may cure: no permission, no process to be had, the queue away
 */
export async function extractDocumentJob(
  { path, sha256 }: JobPayload<'extract-document'>,
  deps: ExtractDocumentDeps,
  signal?: AbortSignal,
): Promise<void> {
  const found = await extractIfThere(path, deps, signal);
  // Gone or moved: the same news makes the index forget the path, or asks for its new one.
  if (found === null) return;
  if (found.detail !== '')
    deps.logger.warn({ path, status: found.status, detail: found.detail }, 'document extraction');
  await deps.producer.add('store-extraction', {
    path,
    sha256: found.sha256 || sha256,
    status: found.status,
    text: found.text,
    pages: found.pages,
    has_text_layer: found.has_text_layer,
    detail: found.detail,
  });
}

async function extractIfThere(
  path: string,
  { vault, settings }: ExtractDocumentDeps,
  signal: AbortSignal | undefined,
): Promise<Extraction | null> {
  try {
    const located = await vault.locate(parseVaultPath(path));
    return await extractDocument(
      { path: located.absolute },
      {
        ocr: settings.ocr,
        languages: settings.ocrLanguages,
        // Size is the sync step's rule: larger documents never become a job.
        maxBytes: 0,
        ...(settings.limits && { limits: settings.limits }),
        ...(settings.environment && { environment: settings.environment }),
        ...(signal && { signal }),
      },
    );
  } catch (error) {
    if (error instanceof AppError && error.code === 'not_found') return null;
    throw error;
  }
}
