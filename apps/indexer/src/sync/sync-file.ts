/**
 * Makes the index agree with one file as it is on disk now: read, describe (or take from the cache), store, in one
 * transaction. Danger: a job may be stale or early, so nothing the job says is believed but the path; and one bad file
 * is put in quarantine with its reason, never thrown, so that it cannot stop the others.
 */
import { AppError } from '@vault-mcp/shared/errors';
import type { FileRecord, StoredFile } from '@vault-mcp/shared/index-db/file-store';
import type { FileStat } from '@vault-mcp/shared/index-db/rows';
import type { IndexWriter } from '@vault-mcp/shared/index-db/writer';
import type { Logger } from '@vault-mcp/shared/log';
import type { JobProducer } from '@vault-mcp/shared/queue/producer';
import { isGeneratedFile, isIndexPagePath } from '@vault-mcp/shared/vault/index-page';
import { parseVaultPath, pathKey, type VaultPath } from '@vault-mcp/shared/vault/path';
import type { VaultPresence } from '@vault-mcp/shared/vault/presence';
import { readLocatedNote } from '@vault-mcp/shared/vault/read';
import type { ReadAtOnce } from '@vault-mcp/shared/vault/read-at-once';
import type { Located, Vault } from '@vault-mcp/shared/vault/vault';
import type { ContentCache } from '../cache/cache.ts';
import { cachedDescription, cachedExtraction } from './cached-content.ts';
import type { Describer, DocumentDigests } from './describe-file.ts';
import { described, UndescribableError } from './described.ts';
import { documentSha256 } from './document-hash.ts';
import { describeExtraction, type ExtractionResult, isLasting, isOcrFree, keptText } from './extraction-result.ts';
import { type NoteText, noteAtOnce } from './note-at-once.ts';
import type { PathRules } from './path-rules.ts';
import { createPathTurns } from './path-turns.ts';
import { passingDigest, plainStat, quarantineRecord } from './quarantine.ts';
import { HANDED_BACK, isReadInPart, unreadRow } from './unread-document.ts';

export interface SyncDeps {
  readonly vault: Vault;
  readonly readAtOnce: ReadAtOnce;
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
   * @param raw vault path as a watcher, a reconcile or a caller spelt it
   * @param options.grouped part of a reconcile: what is stored may become visible a moment later, with its neighbours
   * @param options.logger names the call that this is done for
   * @throws only what is not this file's fault: a damaged index, a full disk, an unreachable queue
   */
  syncPath(raw: string, options?: { grouped?: boolean; logger?: Logger }): Promise<SyncOutcome>;
  /**
   * Stores what the extract lane found, for every document that still has those bytes. A job that was handed back is
   * made anew if its document still wants it, and the document says what holds it up, or what it needs.
   */
  storeExtraction(result: ExtractionResult): Promise<void>;
}

export function createFileSync(deps: SyncDeps): FileSync {
  const inTurn = createPathTurns();
  const sync = (path: string, visit: Visit) => inTurn(pathKey(path), () => syncPath(deps, path, visit));
  return {
    syncPath: (raw, { grouped = false, logger = deps.logger } = {}) => sync(raw, { grouped, extraction: null, logger }),
    async storeExtraction(result) {
      const { logger } = deps;
      const isHandedBack = result.retry !== undefined;
      if (!isHandedBack && isLasting(result)) {
        const { extractionDigest } = digestsFor(deps, result);
        deps.cache.putExtraction(result.sha256, extractionDigest, JSON.stringify(result));
      }
      const paths = new Set([result.path, ...deps.writer.documentsWithBytes(result.sha256)]);
      const met = isHandedBack ? { extraction: null, handedBack: result } : { extraction: result };
      for (const path of paths) await sync(path, { grouped: false, logger, ...met });
    },
  };
}

/** What differs from one look at a path to another. */
interface Visit {
  readonly grouped: boolean;
  /** A document's text that has just arrived. */
  readonly extraction: ExtractionResult | null;
  /** Why a document's text has not arrived, or not all: who was asked for it could not read it. */
  readonly handedBack?: ExtractionResult;
  readonly logger: Logger;
}

/** A file as it was found: at once, or by a look at each part of its path. */
type Found = Pick<Located, 'path' | 'kind' | 'stat'>;

async function syncPath(deps: SyncDeps, raw: string, visit: Visit): Promise<SyncOutcome> {
  const note = noteAtOnce(deps, raw);
  if (note)
    return syncFound(deps, { ...note, kind: 'note' }, visit, async (stored) => storeNote(deps, note, stored, visit));
  const located = await locate(deps, raw);
  if (located === 'gone') return forget(deps, raw, visit);
  if (located instanceof AppError) return setAside(deps, visit, raw, located.message, null);
  const { path } = located;
  if (path !== raw) deps.writer.removeFile(raw);
  if (!deps.rules.indexes(path, located.kind)) return remove(deps, path, visit);
  const sync = located.kind === 'note' ? syncNote : syncDocument;
  return syncFound(deps, located, visit, (stored) => sync(deps, located, stored, visit));
}

async function syncFound(
  deps: SyncDeps,
  found: Found,
  visit: Visit,
  sync: (stored: StoredFile | undefined) => Promise<SyncOutcome>,
): Promise<SyncOutcome> {
  const stored = deps.writer.storedFile(found.path);
  try {
    return await sync(stored);
  } catch (error) {
    return await setAsideOrThrow(deps, found, visit, error);
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

/** For a file that is not there: unless nothing is there any more. */
async function forget(deps: SyncDeps, path: string, visit: Visit): Promise<SyncOutcome> {
  return (await deps.presence.isThere()) ? remove(deps, path, visit) : 'vault_gone';
}

function remove(deps: SyncDeps, path: string, { grouped }: Visit): SyncOutcome {
  return deps.writer.removeFile(path, { grouped }) ? 'removed' : 'absent';
}

async function syncNote(
  deps: SyncDeps,
  located: Located,
  stored: StoredFile | undefined,
  visit: Visit,
): Promise<SyncOutcome> {
  const { path } = located;
  // The index page is made of these rows, and every search would find it. A person's own is a note like any other.
  if (isIndexPagePath(path) && (await isGeneratedFile(deps.vault, path))) {
    return stored ? remove(deps, path, visit) : 'absent';
  }
  return storeNote(deps, await readLocatedNote(deps.vault, located, { maxBytes: deps.noteMaxBytes }), stored, visit);
}

function storeNote(deps: SyncDeps, file: NoteText, stored: StoredFile | undefined, visit: Visit): SyncOutcome {
  const { path } = file;
  const { digest } = deps.describer;
  if (isCurrent(stored, file.sha256, digest)) return touch(deps, path, file.stat);
  const cached = cachedDescription(deps.cache, path, file.sha256, digest);
  const description = cached ?? described(() => deps.describer.note(path, file.text));
  store(deps, { ...description, path, sha256: file.sha256, stat: plainStat(file.stat), digest }, visit);
  if (!cached) deps.cache.putChunks(path, file.sha256, digest, JSON.stringify(description));
  return 'stored';
}

async function syncDocument(
  deps: SyncDeps,
  located: Located,
  stored: StoredFile | undefined,
  visit: Visit,
): Promise<SyncOutcome> {
  const { path } = located;
  const stat = plainStat(located.stat);
  if (deps.documentMaxBytes > 0 && stat.size > deps.documentMaxBytes) {
    const reason = `The document has ${stat.size} bytes; vault.doc_max_bytes allows ${deps.documentMaxBytes}.`;
    return setAside(deps, visit, path, reason, stat);
  }
  const { whole, current, maxSeconds } = deps.describer;
  const sha256 = await documentSha256(deps.vault, path);
  if (!visit.extraction && isCurrent(stored, sha256, ...current.map(({ documentDigest }) => documentDigest))) {
    return touch(deps, path, stat);
  }
  const result =
    visit.extraction?.sha256 === sha256
      ? visit.extraction
      : cachedExtraction(
          deps.cache,
          sha256,
          current.map(({ extractionDigest }) => extractionDigest),
        );
  const kept = result && stored?.sha256 === sha256 ? keptText(stored, result) : null;
  if (kept !== null) {
    deps.writer.explainFile(path, { reason: kept, digest: whole.documentDigest });
    return touch(deps, path, stat);
  }
  if (result) {
    const description = described(() => describeExtraction(deps.describer, path, result));
    store(deps, { ...description, path, sha256, stat, digest: digestsFor(deps, result).documentDigest }, visit);
    return 'stored';
  }
  storeUnread(deps, { path, sha256, stat }, stored, visit.handedBack);
  const needsOcr = isReadInPart(deps.writer.storedFile(path)) ? { needs_ocr: true } : {};
  await deps.producer.add('extract-document', {
    path,
    sha256,
    behaviour: whole.extractionDigest,
    ...needsOcr,
    ...(maxSeconds && { max_seconds: maxSeconds }),
  });
  return 'waiting';
}

/** Whatever it says: no digest that is in force, so that a lost queue is made good by the next reconcile. */
function storeUnread(
  { describer, writer }: SyncDeps,
  file: Pick<FileRecord, 'path' | 'sha256' | 'stat'>,
  stored: StoredFile | undefined,
  handedBack: ExtractionResult | undefined,
): void {
  const row = unreadRow(stored, file.sha256, handedBack);
  if (row.change === 'row') {
    const { result, heldUp } = row;
    const description = described(() => describeExtraction(describer, file.path, result, heldUp));
    const isBack = result !== null || heldUp !== undefined;
    writer.putFile({ ...description, ...file, digest: isBack ? HANDED_BACK : '' });
    return;
  }
  if (row.change === 'reason') writer.explainFile(file.path, { reason: row.reason, digest: HANDED_BACK });
  writer.touchFile(file.path, file.stat);
}

/** The digests that name how a document came by this result. */
function digestsFor({ describer }: SyncDeps, result: ExtractionResult): DocumentDigests {
  if (result.unfinished === 'time') return describer.cutShort;
  return isOcrFree(result) ? describer.ocrFree : describer.whole;
}

function isCurrent(stored: StoredFile | undefined, sha256: string, ...digests: readonly string[]): boolean {
  return stored?.sha256 === sha256 && digests.includes(stored.digest);
}

function touch(deps: SyncDeps, path: VaultPath, stat: FileStat): SyncOutcome {
  deps.writer.touchFile(path, stat);
  return 'unchanged';
}

function store(deps: SyncDeps, record: FileRecord, { grouped }: Visit): void {
  deps.writer.putFile(record, { grouped });
}

/** A file's own fault becomes its reason; a fault of the index, the disk or the queue is the caller's to retry. */
async function setAsideOrThrow(deps: SyncDeps, located: Found, visit: Visit, error: unknown): Promise<SyncOutcome> {
  const { path, stat } = located;
  if (error instanceof UndescribableError) {
    visit.logger.error({ path, error: error.causeName, at: error.frames }, 'a file could not be described');
    return setAsideForGood(deps, located);
  }
  if (error instanceof AppError) {
    return error.code === 'not_found' ? forget(deps, path, visit) : setAside(deps, visit, path, error.message, stat);
  }
  const code = (error as NodeJS.ErrnoException).code;
  if (code === 'ENOENT') return forget(deps, path, visit);
  if (code === 'EACCES' || code === 'EPERM' || code === 'EIO') {
    return setAside(deps, visit, path, `The file cannot be read (${code}). Check its permissions and its disk.`, stat);
  }
  throw error;
}

/** For a reason that may pass without the file changing. */
function setAside(deps: SyncDeps, { logger }: Visit, path: string, reason: string, stat: FileStat | null): SyncOutcome {
  const digest = passingDigest(reason);
  if (deps.writer.storedFile(path)?.digest === digest) {
    if (stat) deps.writer.touchFile(path, plainStat(stat));
    return 'quarantined';
  }
  logger.warn({ path, reason }, 'file in quarantine');
  const kind = deps.rules.kindOf(path) === 'document' ? 'document' : 'note';
  deps.writer.putFile(quarantineRecord({ path, kind, reason, digest, stat }));
  return 'quarantined';
}

/** For a text that this version cannot describe: only other bytes or another version can change that. */
function setAsideForGood(deps: SyncDeps, { path, kind, stat }: Found): SyncOutcome {
  const { digest, whole } = deps.describer;
  const reason = 'Its text could not be indexed; the log has the details.';
  const row =
    kind === 'document' ? ({ kind, digest: whole.documentDigest } as const) : ({ kind: 'note', digest } as const);
  deps.writer.putFile(quarantineRecord({ path, reason, stat, ...row }));
  return 'quarantined';
}
