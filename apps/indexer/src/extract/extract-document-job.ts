/**
 * The extract lane's work: a document in, a `store-extraction` job out. Needs the vault readable and the queue, nothing
 * of the index. Danger: the file may have changed since the job was made, so the result carries the hash of the bytes
 * that were read, never the job's; the file is opened the vault's way and handed over open, since a path could lead
 * elsewhere by the time another process opens it; and a worker with a wrong mount must not use up a job's tries while
 * the others are busy, so it hands back what it cannot do and rests.
 */
import { createHash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import { extname } from 'node:path';
import { AppError } from '@vault-mcp/shared/errors';
import { type Logger, reasonOf } from '@vault-mcp/shared/log';
import type { JobPayload } from '@vault-mcp/shared/queue/jobs';
import type { JobContext, JobProducer } from '@vault-mcp/shared/queue/producer';
import { type OpenLeaf, openLeaf } from '@vault-mcp/shared/vault/open-leaf';
import { parseVaultPath } from '@vault-mcp/shared/vault/path';
import type { Vault } from '@vault-mcp/shared/vault/vault';
import { type DocumentReading, extractDocument } from './extract.ts';
import { type ExtractionBehaviour, extractionDigest } from './extraction-digest.ts';
import { type HandedBack, notOpened, notRead, readInPart, storable } from './hand-back.ts';
import type { HandBackLog } from './hand-back-log.ts';
import { GONE, NotInPlace, whileInPlace } from './in-place.ts';
import type { OcrReadiness } from './ocr-readiness.ts';
import type { SandboxLimits } from './sandbox-limits.ts';

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
   * The vault is mounted here apart from the writer, perhaps over a network: it may be behind, or another folder, so only
   * the bytes that the job names are read, and a job that cannot be done here is handed back. Absent beside the writer.
   */
  readonly elsewhere?: Elsewhere;
}

/** What a worker apart from the writer tells its own log; one for all jobs of a process. */
export interface Elsewhere {
  readonly ocr: Pick<OcrReadiness, 'refresh' | 'state' | 'lacking'>;
  readonly log: HandBackLog;
}

/** How long a worker that had to hand a job back leaves the lane to others before it looks again. */
const HANDED_BACK_REST_MS = 15_000;
/**
 * The same after the first look at a scan: it comes back behind the documents that nobody has looked at, and these need not
 * wait. Not at once, since a writer of an older version gives it back as it was.
 */
const FIRST_LOOK_REST_MS = 1_000;

/** What this asks of its place in the queue. */
export type HandOnJob = Pick<JobContext, 'signal' | 'rest' | 'report'>;

/**
 * @param context its signal ends the extraction; the job then runs again later
 * @throws what another try may cure: no process to be had, the queue away, and for a worker beside the writer a file
 *   that may not be read
 */
export async function extractDocumentJob(
  job: JobPayload<'extract-document'>,
  deps: ExtractDocumentDeps,
  context: HandOnJob,
): Promise<void> {
  const found = await answer(job, deps, context);
  if (found === 'gone') return;
  const { path } = job;
  if ('told' in found) {
    // Beside the writer only a job from before other settings comes back: the next one is as this process reads.
    if (deps.elsewhere) {
      // First, or this worker would be the one that takes it again.
      context.rest(found.isFirstLook ? FIRST_LOOK_REST_MS : HANDED_BACK_REST_MS);
      if (found.logged) deps.elsewhere.log.handedBack(found.logged.cause, job.sha256, found.logged.reason);
    }
    await deps.producer.add('store-extraction', { path, ...found.told });
    return;
  }
  deps.elsewhere?.log.read(job.sha256);
  if (found.detail !== '')
    deps.logger.warn({ path, status: found.status, detail: found.detail }, 'document extraction');
  await deps.producer.add('store-extraction', { path, ...storable(found) });
}

/**
 * @returns `gone` beside the writer, and anywhere once it is no longer what was opened: the same news makes the index forget
 *   the path, or asks for its new one, or for its new bytes
 */
async function answer(
  job: JobPayload<'extract-document'>,
  deps: ExtractDocumentDeps,
  context: HandOnJob,
): Promise<DocumentReading | HandedBack | 'gone'> {
  const { path, sha256, behaviour } = job;
  const { elsewhere, vault, settings } = deps;
  if (behaviour !== undefined && behaviour !== extractionDigest(settings)) {
    return notRead(job, 'settings', 'to be read by another version, or with other settings of OCR, than those here');
  }
  const lack = elsewhere && job.needs_ocr ? await missingHere(elsewhere.ocr) : null;
  if (lack !== null) return notOpened(job, lack);
  let leaf: OpenLeaf | null = null;
  try {
    leaf = await openIfThere(vault, path);
    if (leaf === null) return elsewhere ? notRead(job, 'missing', `not in ${vault.root}`) : 'gone';
    const { handle, stat } = leaf;
    if (elsewhere && (await sha256Of(handle)) !== sha256) {
      return notRead(job, 'other', `other bytes in ${vault.root} than the job names`);
    }
    const found = await whileInPlace({ vault, path, stat }, context.signal, (signal) =>
      extractOpened(handle, job, settings, { ...context, signal }),
    );
    if (!elsewhere || !settings.ocr || found.unfinished !== 'no_ocr') return found;
    elsewhere.ocr.lacking(found.detail);
    return readInPart(found);
  } catch (error) {
    if (error instanceof NotInPlace) return 'gone';
    if (!elsewhere || !isUnreadable(error)) throw error;
    return notRead(job, 'unreadable', `cannot be read in ${vault.root}: ${reasonOf(error)}`);
  } finally {
    await leaf?.handle.close();
  }
}

/** What keeps this machine from reading any scan, or null. */
async function missingHere(ocr: Elsewhere['ocr']): Promise<string | null> {
  return (await ocr.refresh()) ? null : ocr.state().error;
}

async function extractOpened(
  handle: FileHandle,
  { path, max_seconds }: JobPayload<'extract-document'>,
  settings: ExtractionSettings,
  { signal, report }: HandOnJob,
): Promise<DocumentReading> {
  // Also where an earlier try of this job has left off.
  report({ step: 'text', page: 0, pages: 0 });
  const found = await extractDocument(
    { descriptor: handle.fd, suffix: extname(path) },
    {
      ocr: settings.ocr,
      languages: settings.ocrLanguages,
      // Size is the sync step's rule: larger documents never become a job.
      maxBytes: 0,
      limits: { ...settings.limits, ...(max_seconds !== undefined && { totalSeconds: max_seconds }) },
      ...(settings.environment && { environment: settings.environment }),
      onProgress: (page, pages, step) => report({ step, page, pages }),
      signal,
    },
  );
  return found.sha256 === '' ? { ...found, sha256: await sha256Of(handle) } : found;
}

/** @returns null when there is nothing to open */
async function openIfThere(vault: Vault, path: string): Promise<OpenLeaf | null> {
  try {
    return await openLeaf(vault, await vault.locate(parseVaultPath(path), { hints: false }));
  } catch (error) {
    if (error instanceof AppError && GONE.has(error.code)) return null;
    throw error;
  }
}

/** No permission, or a mount that fails: of this machine, where the writer's may be well. */
function isUnreadable(error: unknown): boolean {
  if (error instanceof AppError) return error.code === 'unreadable';
  return ['EACCES', 'EPERM', 'EIO', 'ESTALE', 'ENOTCONN', 'ETIMEDOUT'].includes(
    (error as NodeJS.ErrnoException | null)?.code ?? '',
  );
}

/** Of the open file, from its start: an ended process has told nothing of what it was reading. */
async function sha256Of(handle: FileHandle): Promise<string> {
  const hash = createHash('sha256');
  for await (const part of handle.createReadStream({ start: 0, autoClose: false })) hash.update(part as Buffer);
  return hash.digest('hex');
}
