/**
 * Makes the index agree with one file as it is on disk now: read, describe (or take from the cache), store, in one
 * transaction. Danger: a job may be stale or early, so nothing the job says is believed but the path; and one bad file
 * is put in quarantine with its reason, never thrown, so that it cannot stop the others.
 */
import { AppError } from '@vault-mcp/shared/errors';
import type { StoredFile } from '@vault-mcp/shared/index-db/file-store';
import type { FileStat } from '@vault-mcp/shared/index-db/rows';
import type { IndexWriter } from '@vault-mcp/shared/index-db/writer';
import type { Logger } from '@vault-mcp/shared/log';
import type { JobProducer } from '@vault-mcp/shared/queue/producer';
import { parseVaultPath, pathKey, type VaultPath } from '@vault-mcp/shared/vault/path';
import type { VaultPresence } from '@vault-mcp/shared/vault/presence';
import { readLocatedNote } from '@vault-mcp/shared/vault/read';
import type { Located, Vault } from '@vault-mcp/shared/vault/vault';
import type { ContentCache } from '../cache/cache.ts';
import type { Describer, FileDescription } from './describe-file.ts';
import { documentSha256 } from './document-hash.ts';
import type { ExtractionResult } from './extraction-result.ts';
import { describeExtraction, isLasting } from './extraction-result.ts';
import type { PathRules } from './path-rules.ts';
import { createPathTurns } from './path-turns.ts';

export interface SyncDeps {
  readonly vault: Vault;
  readonly presence: VaultPresence;
  readonly writer: IndexWriter;
  readonly cache: ContentCache;
  readonly describer: Describer;
  readonly rules: PathRules;
  readonly producer: JobProducer;
  readonly logger: Logger;
  readonly noteMaxBytes: number;
  readonly documentMaxBytes: number;
}

/** `vault_gone`: nothing can be said of any file, so nothing was changed; `unchanged`: same bytes as stored; `removed`: not there any more, or not to be indexed; `waiting`: text is being extracted. */
export type SyncOutcome = 'vault_gone' | 'stored' | 'unchanged' | 'removed' | 'absent' | 'quarantined' | 'waiting';

export interface FileSync {
  /**
   * @param raw vault path as a watcher, a scan or a caller spelt it
   * @param options.grouped part of a scan: what is stored may become visible a moment later, with its neighbours
   * @throws only what is not this file's fault: a damaged index, a full disk, an unreachable queue
   */
  syncPath(raw: string, options?: { grouped?: boolean }): Promise<SyncOutcome>;
  /** Stores what the extract lane found, for every document that still has those bytes. */
  storeExtraction(result: ExtractionResult): Promise<void>;
}

export function createFileSync(deps: SyncDeps): FileSync {
  const inTurn = createPathTurns();
  const sync = (path: string, visit: Visit) => inTurn(pathKey(path), () => syncPath(deps, path, visit));
  return {
    syncPath: (raw, { grouped = false } = {}) => sync(raw, { grouped, extraction: null }),
    async storeExtraction(result) {
      if (isLasting(result)) deps.cache.putExtraction(result.sha256, deps.describer.digest, JSON.stringify(result));
      const paths = new Set([result.path, ...deps.writer.documentsWithBytes(result.sha256)]);
      for (const path of paths) await sync(path, { grouped: false, extraction: result });
    },
  };
}

/** What differs from one look at a path to another. */
interface Visit {
  readonly grouped: boolean;
  /** A document's text that has just arrived. */
  readonly extraction: ExtractionResult | null;
}

async function syncPath(deps: SyncDeps, raw: string, visit: Visit): Promise<SyncOutcome> {
  const located = await locate(deps, raw);
  if (located === 'gone') return (await deps.presence.isThere()) ? remove(deps, raw) : 'vault_gone';
  if (located instanceof AppError) return quarantine(deps, raw, located.message, null);
  const { path } = located;
  if (path !== raw) deps.writer.removeFile(raw);
  if (!deps.rules.indexes(path, located.kind)) return remove(deps, path);
  const stored = deps.writer.storedFile(path);
  try {
    return located.kind === 'note'
      ? await syncNote(deps, located, stored, visit)
      : await syncDocument(deps, located, stored, visit);
  } catch (error) {
    return quarantineOrThrow(deps, located, error);
  }
}

async function locate(deps: SyncDeps, raw: string): Promise<Located | AppError | 'gone'> {
  try {
    return await deps.vault.locate(parseVaultPath(raw), { hints: false });
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return error.code === 'not_found' || error.code === 'invalid_path' || error.code === 'not_a_directory'
      ? 'gone'
      : error;
  }
}

function remove(deps: SyncDeps, path: string): SyncOutcome {
  return deps.writer.removeFile(path) ? 'removed' : 'absent';
}

async function syncNote(
  deps: SyncDeps,
  located: Located,
  stored: StoredFile | undefined,
  visit: Visit,
): Promise<SyncOutcome> {
  const { path } = located;
  const file = await readLocatedNote(deps.vault, located, { maxBytes: deps.noteMaxBytes });
  if (isCurrent(deps, stored, file.sha256)) return touch(deps, path, file.stat);
  const cached = cachedDescription(deps, path, file.sha256);
  const description = cached ?? deps.describer.note(path, file.text);
  store(deps, path, file.sha256, file.stat, description, visit);
  if (!cached) deps.cache.putChunks(path, file.sha256, deps.describer.digest, JSON.stringify(description));
  return 'stored';
}

async function syncDocument(
  deps: SyncDeps,
  located: Located,
  stored: StoredFile | undefined,
  visit: Visit,
): Promise<SyncOutcome> {
  const { path, stat } = located;
  if (deps.documentMaxBytes > 0 && stat.size > deps.documentMaxBytes) {
    return quarantine(
      deps,
      path,
      `The document has ${stat.size} bytes; vault.doc_max_bytes allows ${deps.documentMaxBytes}.`,
      stat,
    );
  }
  const sha256 = await documentSha256(deps.vault, path);
  if (!visit.extraction && isCurrent(deps, stored, sha256)) return touch(deps, path, stat);
  const result = visit.extraction?.sha256 === sha256 ? visit.extraction : cachedExtraction(deps, sha256);
  if (result) {
    store(deps, path, sha256, stat, describeExtraction(deps.describer, path, result), visit);
    return 'stored';
  }
  // No digest: until its text arrives the row is stale, so that a lost queue is made good by the next scan.
  deps.writer.putFile({
    ...describeExtraction(deps.describer, path, null),
    path,
    sha256,
    stat: plainStat(stat),
    digest: '',
  });
  await deps.producer.add('extract-document', { path, sha256 });
  return 'waiting';
}

function isCurrent(deps: SyncDeps, stored: StoredFile | undefined, sha256: string): boolean {
  return stored?.sha256 === sha256 && stored.digest === deps.describer.digest && stored.state !== 'quarantined';
}

function touch(deps: SyncDeps, path: VaultPath, stat: FileStat): SyncOutcome {
  deps.writer.touchFile(path, stat);
  return 'unchanged';
}

function store(
  deps: SyncDeps,
  path: string,
  sha256: string,
  stat: FileStat,
  description: FileDescription,
  { grouped }: Visit,
): void {
  const record = { ...description, path, sha256, stat: plainStat(stat), digest: deps.describer.digest };
  deps.writer.putFile(record, { grouped });
}

function cachedDescription(deps: SyncDeps, path: string, sha256: string): FileDescription | undefined {
  const payload = deps.cache.chunks(path, sha256, deps.describer.digest);
  return payload === undefined ? undefined : (JSON.parse(payload) as FileDescription);
}

function cachedExtraction(deps: SyncDeps, sha256: string): ExtractionResult | null {
  const payload = deps.cache.extraction(sha256, deps.describer.digest);
  return payload === undefined ? null : (JSON.parse(payload) as ExtractionResult);
}

/** A file's own fault becomes its reason; a fault of the index, the disk or the queue is the caller's to retry. */
function quarantineOrThrow(deps: SyncDeps, located: Located, error: unknown): SyncOutcome {
  if (error instanceof AppError) {
    if (error.code === 'not_found') return remove(deps, located.path);
    return quarantine(deps, located.path, error.message, located.stat);
  }
  const code = (error as NodeJS.ErrnoException).code;
  if (code === 'ENOENT') return remove(deps, located.path);
  if (code === 'EACCES' || code === 'EPERM' || code === 'EIO') {
    return quarantine(deps, located.path, `The file cannot be read (${code}). Check its permissions.`, located.stat);
  }
  if (error instanceof RangeError || error instanceof TypeError || error instanceof SyntaxError) {
    deps.logger.error({ err: error, path: located.path }, 'a file could not be described');
    return quarantine(
      deps,
      located.path,
      'The file could not be read as a note; the log has the details.',
      located.stat,
    );
  }
  throw error;
}

function quarantine(deps: SyncDeps, path: string, reason: string, stat: FileStat | null): SyncOutcome {
  deps.logger.warn({ path, reason }, 'file in quarantine');
  deps.writer.putFile({
    path,
    kind: deps.rules.kindOf(path) === 'document' ? 'document' : 'note',
    sha256: '',
    stat: stat ? plainStat(stat) : { size: 0, mtimeMs: 0, ctimeMs: 0, inode: 0 },
    digest: deps.describer.digest,
    title: path.slice(path.lastIndexOf('/') + 1),
    description: '',
    type: null,
    tags: [],
    supersededBy: null,
    state: 'quarantined',
    reason,
    chunks: [],
    links: [],
  });
  return 'quarantined';
}

function plainStat({ size, mtimeMs, ctimeMs, inode }: FileStat): FileStat {
  return { size, mtimeMs, ctimeMs, inode };
}
