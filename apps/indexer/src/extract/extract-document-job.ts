/**
 * The extract lane's work: a document in, a `store-extraction` job out. Needs the vault readable and the queue, nothing
 * of the index. Danger: the file may have changed since the job was made, so the result carries the hash of the bytes
 * that were read, never the job's; and the file is opened the vault's way and handed over open, since a path could lead
 * elsewhere by the time another process opens it.
 */
import { createHash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import { hostname } from 'node:os';
import { extname } from 'node:path';
import { AppError } from '@vault-mcp/shared/errors';
import type { Logger } from '@vault-mcp/shared/log';
import type { JobPayload } from '@vault-mcp/shared/queue/jobs';
import type { JobContext, JobProducer } from '@vault-mcp/shared/queue/producer';
import { openLeaf } from '@vault-mcp/shared/vault/open-leaf';
import { parseVaultPath } from '@vault-mcp/shared/vault/path';
import type { Vault } from '@vault-mcp/shared/vault/vault';
import { type DocumentReading, extractDocument } from './extract.ts';
import { type ExtractionBehaviour, extractionDigest } from './extraction-digest.ts';
import type { SandboxLimits } from './sandbox.ts';

export interface ExtractionSettings extends ExtractionBehaviour {
  readonly limits?: Partial<SandboxLimits>;
  readonly environment?: Readonly<Record<string, string>>;
}

export interface ExtractDocumentDeps {
  readonly vault: Vault;
  readonly producer: Pick<JobProducer, 'add'>;
  readonly logger: Logger;
  readonly settings: ExtractionSettings;
  /**
   * The vault is mounted here apart from the writer, perhaps over a network: it may be behind, so only the bytes that
   * the job names are read. Default false.
   */
  readonly elsewhere?: boolean;
}

/** How long a worker that reads documents otherwise than the index wants leaves the lane to others. */
const MISFIT_REST_MS = 15_000;

/**
 * @param context its signal ends the extraction; the job then runs again later
 * @throws what another try, or another worker, may cure: no permission, no process to be had, the queue away, a vault
 *   that is behind, other settings
 */
export async function extractDocumentJob(
  { path, sha256, behaviour }: JobPayload<'extract-document'>,
  deps: ExtractDocumentDeps,
  context: Pick<JobContext, 'signal' | 'rest'>,
): Promise<void> {
  if (behaviour !== undefined && behaviour !== extractionDigest(deps.settings)) {
    context.rest(MISFIT_REST_MS);
    throw new Error(
      `The extract worker on ${hostname()} would read documents otherwise than the indexer that writes: give it the same ` +
        'version, DOC_OCR and DOC_OCR_LANGUAGES.',
    );
  }
  const wanted = deps.elsewhere ? sha256 : null;
  const found = await extractIfThere(path, wanted, deps, context.signal);
  // Gone or moved: the same news makes the index forget the path, or asks for its new one.
  if (found === null && !deps.elsewhere) return;
  if (found === null)
    throw new Error(`${path} is not in this worker’s vault, or not as the indexer that writes saw it.`);
  if (found.detail !== '')
    deps.logger.warn({ path, status: found.status, detail: found.detail }, 'document extraction');
  await deps.producer.add('store-extraction', {
    path,
    sha256: found.sha256,
    status: found.status,
    text: found.text,
    pages: found.pages,
    has_text_layer: found.has_text_layer,
    detail: found.detail,
    interrupted: found.interrupted,
  });
}

/** @param wanted hash of the only bytes that may be read, or null for whatever is there now */
async function extractIfThere(
  path: string,
  wanted: string | null,
  { vault, settings }: ExtractDocumentDeps,
  signal: AbortSignal,
): Promise<DocumentReading | null> {
  const handle = await openIfThere(vault, path);
  if (handle === null) return null;
  try {
    if (wanted !== null && (await sha256Of(handle)) !== wanted) return null;
    const found = await extractDocument(
      { descriptor: handle.fd, suffix: extname(path) },
      {
        ocr: settings.ocr,
        languages: settings.ocrLanguages,
        // Size is the sync step's rule: larger documents never become a job.
        maxBytes: 0,
        ...(settings.limits && { limits: settings.limits }),
        ...(settings.environment && { environment: settings.environment }),
        signal,
      },
    );
    return found.sha256 === '' ? { ...found, sha256: await sha256Of(handle) } : found;
  } finally {
    await handle.close();
  }
}

async function openIfThere(vault: Vault, path: string): Promise<FileHandle | null> {
  try {
    return (await openLeaf(vault, await vault.locate(parseVaultPath(path), { hints: false }))).handle;
  } catch (error) {
    if (error instanceof AppError && GONE.has(error.code)) return null;
    throw error;
  }
}

/** Not there any more, or something else than a file in the vault's own folders by now. */
const GONE: ReadonlySet<string> = new Set(['not_found', 'not_a_directory', 'invalid_path']);

/** Of the open file, from its start: an ended process has told nothing of what it was reading. */
async function sha256Of(handle: FileHandle): Promise<string> {
  const hash = createHash('sha256');
  for await (const part of handle.createReadStream({ start: 0, autoClose: false })) hash.update(part as Buffer);
  return hash.digest('hex');
}
