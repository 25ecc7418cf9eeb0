/**
 * What the product says of itself on /readyz: the index, and the indexer's own report as it stands in the index
 * database. Danger: a dead indexer leaves its last good report behind, so nothing in it is believed once its heartbeat
 * is old.
 */
import { AppError } from '@vault-mcp/shared/errors';
import type {
  DocumentInHand,
  DocumentStates,
  EmbeddingFigures,
  IndexCounts,
  IndexerStatus,
  IndexPageState,
} from '@vault-mcp/shared/index-db/rows';
import type { QueueStats } from '@vault-mcp/shared/queue/producer';
import type { OperationContext, ServedContext } from '../context.ts';

/** An indexer that has not reported for this long counts as dead (SPEC §16). */
export const HEARTBEAT_MAX_AGE_MS = 15_000;

/** What the composition root knows of this program. */
export interface About {
  readonly version: string;
  readonly revision: string;
  /** Where its source can be had; null when the build does not say. */
  readonly source: string | null;
  readonly licence: string;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
}

export interface StatusBody {
  readonly status: 'ready' | 'not_ready';
  readonly version: string;
  readonly revision: string;
  readonly source: string | null;
  readonly licence: string;
  readonly uptime_seconds: number;
  readonly index: IndexSection;
  readonly index_doc: IndexDocSection;
  readonly watcher: Section & { readonly mode: string; readonly last_event: string | null };
  readonly queue: Section & {
    readonly depth: number;
    readonly failed: number;
    readonly queues?: NonNullable<QueueStats['queues']>;
    /** Processes that take jobs, by queue; absent where the queue is in one process's memory. */
    readonly consumers?: NonNullable<QueueStats['consumers']>;
  };
  readonly extraction: ExtractionSection;
  readonly embedder: Section & { readonly provider: string; readonly model: string };
  readonly cache: Section & { readonly state: string };
  /** Rows that wait to be written, and those given up since the start. */
  readonly audit: Section & { readonly waiting: number; readonly lost: number };
}

interface Section {
  readonly ok: boolean;
  readonly error: string | null;
}

/** The root's index page. */
interface IndexDocSection extends Section {
  readonly state: IndexPageState | 'unknown';
  /** Notes it lists. */
  readonly entries: number;
  /** Why there is none of ours, and what to do to have one. */
  readonly detail: string | null;
}

interface IndexSection extends Section, IndexCounts {
  readonly state: IndexerStatus['state'] | 'missing';
  readonly built_at: string | null;
  readonly build_seconds: number | null;
  /** Files still to be looked at, as of the indexer's last report. */
  readonly waiting: number;
  readonly generation: number;
}

/** How the reading of documents fares; `ok` when somebody is there to read what waits. */
export interface ExtractionSection extends Section {
  /** Documents whose text is still to come, those being read included. */
  readonly pending: number;
  readonly needs_ocr: number;
  /** Not read: damaged, protected, too large, or ended. */
  readonly failed: number;
  /** Those being read right now, without their names, as of a second or two ago. */
  readonly reading: readonly Pick<DocumentInHand, 'step' | 'page' | 'pages'>[];
  /** Null where another process reads documents: its log tells. `ok` when nothing is missing, or OCR is off. */
  readonly ocr: (Section & { readonly enabled: boolean; readonly languages: readonly string[] }) | null;
}

/**
 * @param now milliseconds since the epoch; tests pass their own
 * @returns `status` is `ready` when index, index_doc and watcher are ok, whatever else is not
 */
export async function readStatus(
  context: Pick<ServedContext, 'reader' | 'queue' | 'embedder' | 'audit'>,
  about: About,
  now: number = Date.now(),
): Promise<StatusBody> {
  const report = reportOf(context, now);
  const index = indexSection(context, report);
  const watcher = watcherSection(report);
  const index_doc = indexDocSection(report);
  const queue = await context.queue.stats();
  return {
    status: index.ok && index_doc.ok && watcher.ok ? 'ready' : 'not_ready',
    version: about.version,
    revision: about.revision,
    source: about.source,
    licence: about.licence,
    uptime_seconds: Math.max(0, Math.floor((now - about.startedAt) / 1000)),
    index,
    index_doc,
    watcher,
    queue: queueSection(queue),
    extraction: extractionSection(context, report, queue),
    embedder: embedderSection(context, report),
    cache: cacheSection(report),
    audit: context.audit.health(),
  };
}

function queueSection({ ok, depth, failed, error, queues, consumers }: QueueStats): StatusBody['queue'] {
  return { ok, depth, failed, error, ...(queues && { queues }), ...(consumers && { consumers }) };
}

/** Documents being read right now, with their names; none while the indexer does not report. */
export function documentsInHand(
  context: Pick<OperationContext, 'reader'>,
  now: number = Date.now(),
): readonly DocumentInHand[] {
  const { status, problem } = reportOf(context, now);
  return problem === null ? (status?.extraction?.reading ?? []) : [];
}

/** @returns none while there is no index */
export function documentStates({ reader }: Pick<OperationContext, 'reader'>): DocumentStates {
  return unlessNotReady(() => reader.documentStates(), { pending: 0, needsOcr: 0, failed: 0 });
}

/** Said of documents, or of one, that wait for whoever reads them. */
export const NOBODY_READS =
  'no process with the extract role is there: start one (INDEXER_ROLES=extract) on this Redis.';

/** Whether nobody takes documents from the queue, as the indexer saw it last; false where that cannot be told. */
export function isReadByNobody(context: Pick<OperationContext, 'reader'>, now: number = Date.now()): boolean {
  const { status, problem } = reportOf(context, now);
  return problem === null && status?.queue.consumers?.extract === 0;
}

function extractionSection(
  context: Pick<OperationContext, 'reader'>,
  { status, problem }: Report,
  queue: QueueStats,
): ExtractionSection {
  const { pending, needsOcr, failed } = documentStates(context);
  const nobody = pending > 0 && queue.consumers?.extract === 0 ? `Documents wait to be read and ${NOBODY_READS}` : null;
  const error = problem ?? nobody;
  const { ocr = null, reading = [] } = status?.extraction ?? {};
  return {
    ok: error === null,
    error,
    ...{ pending, needs_ocr: needsOcr, failed },
    reading: problem === null ? reading.map(({ step, page, pages }) => ({ step, page, pages })) : [],
    ocr: ocr && { ok: ocr.error === null, ...ocr },
  };
}

/** The last that was reported: a dead indexer embeds nothing more. Null while nothing was. */
export function readEmbeddingFigures({ reader }: Pick<OperationContext, 'reader'>): EmbeddingFigures | null {
  return unlessNotReady(() => reader.indexerStatus(), null)?.embedding ?? null;
}

/** Why nothing is to be expected of the indexer just now, as a sentence; null when it is well. */
export function indexerProblem(context: Pick<OperationContext, 'reader'>, now: number = Date.now()): string | null {
  return reportOf(context, now).problem;
}

interface Report {
  readonly status: IndexerStatus | null;
  /** Why the indexer's report cannot be believed, or null. */
  readonly problem: string | null;
}

function reportOf({ reader }: Pick<OperationContext, 'reader'>, now: number): Report {
  const status = unlessNotReady(() => reader.indexerStatus(), null);
  if (status === null) return { status, problem: 'The indexer has not reported yet: is it running?' };
  const ageMs = now - status.heartbeatMs;
  if (ageMs <= HEARTBEAT_MAX_AGE_MS) return { status, problem: null };
  return { status, problem: `The indexer has not reported for ${Math.floor(ageMs / 1000)} s: is it running?` };
}

const NO_COUNTS: IndexCounts = {
  notes: 0,
  documents: 0,
  quarantined: 0,
  chunks: 0,
  embedded: 0,
  pending: 0,
  failed: 0,
};

function indexSection({ reader }: Pick<OperationContext, 'reader'>, { status, problem }: Report): IndexSection {
  const counts = unlessNotReady(() => reader.counts(), null);
  const state = counts === null ? 'missing' : (status?.state ?? 'building');
  return {
    ok: state === 'ready' && problem === null,
    state,
    error: problem ?? status?.error ?? null,
    ...(counts ?? NO_COUNTS),
    built_at: status?.builtAt ?? null,
    build_seconds: status?.buildSeconds ?? null,
    // An indexer of an earlier version reports no such number.
    waiting: status?.waiting ?? 0,
    generation: unlessNotReady(() => reader.generation(), 0),
  };
}

function indexDocSection({ status, problem }: Report): IndexDocSection {
  const page = status?.indexDoc;
  return {
    ok: (page?.ok ?? false) && problem === null,
    state: page?.state ?? 'unknown',
    error: problem ?? page?.error ?? null,
    entries: page?.entries ?? 0,
    // An indexer of an earlier version reports none.
    detail: page?.detail ?? null,
  };
}

function watcherSection({ status, problem }: Report): StatusBody['watcher'] {
  const watcher = status?.watcher;
  return {
    ok: (watcher?.ok ?? false) && problem === null,
    mode: watcher?.mode ?? 'unknown',
    last_event: watcher?.lastEvent ?? null,
    error: problem ?? watcher?.error ?? null,
  };
}

/** Two programs use the embedder, the indexer for texts and the api for queries: it is ok when both say so. */
function embedderSection({ embedder }: Pick<OperationContext, 'embedder'>, report: Report): StatusBody['embedder'] {
  const reported = report.status?.embedder;
  const own = embedder?.health();
  return {
    ok: (own?.ok ?? true) && (reported?.ok ?? false) && report.problem === null,
    provider: own?.provider ?? reported?.provider ?? 'none',
    model: own?.model ?? reported?.model ?? 'none',
    error: own?.error ?? report.problem ?? reported?.error ?? null,
  };
}

function cacheSection({ status, problem }: Report): StatusBody['cache'] {
  const cache = status?.cache;
  return {
    ok: (cache?.ok ?? false) && problem === null,
    state: cache?.state ?? 'unknown',
    error: problem ?? cache?.error ?? null,
  };
}

function unlessNotReady<T>(read: () => T, otherwise: T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof AppError && error.code === 'not_ready') return otherwise;
    throw error;
  }
}
