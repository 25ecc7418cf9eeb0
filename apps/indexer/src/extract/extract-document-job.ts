/**
 * The extract lane's work: a document in, a `store-extraction` job out. Needs the vault readable and the queue, nothing
 * of the index. Danger: the file may have changed since the job was made, so the result carries the hash of the bytes
 * that were read, never the job's; the file is opened the vault's way and handed over open, since a path could lead
 * elsewhere by the time another process opens it; and a worker with a wrong mount must not use up a job's tries while
 * the others are busy, so it hands back what it cannot do and rests.
 */
import { createHash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import { hostname } from 'node:os';
import { extname } from 'node:path';
import { AppError } from '@vault-mcp/shared/errors';
import { createOutageLog, type Logger, type OutageLog, reasonOf } from '@vault-mcp/shared/log';
import type { JobPayload } from '@vault-mcp/shared/queue/jobs';
import type { JobContext, JobProducer } from '@vault-mcp/shared/queue/producer';
import { openLeaf } from '@vault-mcp/shared/vault/open-leaf';
import { parseVaultPath } from '@vault-mcp/shared/vault/path';
import type { Vault } from '@vault-mcp/shared/vault/vault';
import { type DocumentReading, extractDocument } from './extract.ts';
import { type ExtractionBehaviour, extractionDigest } from './extraction-digest.ts';
import { missingForOcr } from './ocr-check.ts';
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
  /** Told of each job that is handed back and of each that is not; one for all jobs of a process. */
  readonly outage: OutageLog;
  /**
   * The vault is mounted here apart from the writer, perhaps over a network: it may be behind, or another folder, so only
   * the bytes that the job names are read, and a job that cannot be done here is handed back. Default false.
   */
  readonly elsewhere?: boolean;
}

/** For the `outage` of one process. */
export function extractOutage(logger: Logger): OutageLog {
  return createOutageLog(logger, {
    away: 'documents are left to other workers: trying on',
    back: 'documents are read again',
  });
}

/** How long a worker that had to hand a job back leaves the lane to others before it looks again. */
const HANDED_BACK_REST_MS = 15_000;

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
  if ('retry' in found) {
    // Beside the writer only a job from before other settings comes back: the next one is as this process reads.
    if (deps.elsewhere === true) {
      // First, or this worker would be the one that takes it again.
      context.rest(HANDED_BACK_REST_MS);
      deps.outage.away(`${path}: ${found.retry}`);
    }
    await deps.producer.add('store-extraction', { path, sha256: job.sha256, ...NOT_READ, retry: found.retry });
    return;
  }
  deps.outage.back();
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

/** What a writer of an older version makes of a job that is handed back: tried again at its next start. */
const NOT_READ = { status: 'failed', interrupted: true } as const;

/** Why this process does not do the job: for the writer, who gives it to whoever comes next. */
interface HandedBack {
  readonly retry: string;
}

/**
 * @returns `gone` beside the writer alone: the same news makes the index forget the path, or asks for its new one
 */
async function answer(
  { path, sha256, behaviour }: JobPayload<'extract-document'>,
  deps: ExtractDocumentDeps,
  context: HandOnJob,
): Promise<DocumentReading | HandedBack | 'gone'> {
  if (behaviour !== undefined && behaviour !== extractionDigest(deps.settings)) {
    return handBack(
      'would read documents otherwise than the indexer that writes: give it the same version, DOC_OCR and DOC_OCR_LANGUAGES.',
    );
  }
  const { elsewhere = false, vault, settings } = deps;
  let handle: FileHandle | null = null;
  try {
    handle = await openIfThere(vault, path);
    if (handle === null) return elsewhere ? handBack(`does not have it in ${vault.root}. ${MOUNT}`) : 'gone';
    if (elsewhere && (await sha256Of(handle)) !== sha256) {
      return handBack(`has other bytes of it in ${vault.root} than the indexer that writes saw. ${MOUNT}`);
    }
    const found = await extractOpened(handle, path, settings, context);
    const lacks = elsewhere && found.status === 'needs_ocr' ? await missingHere(settings) : null;
    return lacks === null ? found : handBack(`cannot read scans: ${lacks}`);
  } catch (error) {
    if (!elsewhere || !isUnreadable(error)) throw error;
    return handBack(`cannot read it in ${vault.root}: ${reasonOf(error)}`);
  } finally {
    await handle?.close();
  }
}

/** What keeps this machine from reading any scan; another may have it. */
async function missingHere({ ocr, ocrLanguages, environment }: ExtractionSettings): Promise<string | null> {
  if (!ocr) return null;
  return missingForOcr(ocrLanguages.join('+'), { ownGroup: true, ...(environment && { environment }) });
}

const MOUNT = 'Check that the same vault is mounted there; if it is synchronised, its copy may be behind.';

/** @param what goes on from naming the worker */
function handBack(what: string): HandedBack {
  return { retry: `The extract worker on ${hostname()} ${what}` };
}

async function extractOpened(
  handle: FileHandle,
  path: string,
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
      ...(settings.limits && { limits: settings.limits }),
      ...(settings.environment && { environment: settings.environment }),
      onProgress: (page, pages, step) => report({ step, page, pages }),
      signal,
    },
  );
  return found.sha256 === '' ? { ...found, sha256: await sha256Of(handle) } : found;
}

/** @returns null when there is nothing to open */
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
