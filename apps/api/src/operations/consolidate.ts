/**
 * Find notes that say nearly the same and make each group of them one note. An operator's operation: it may rewrite what every
 * agent remembers. Danger: without `write` nothing is changed; with it, all that was not done has to be told.
 */
import { AppError } from '@vault-mcp/shared/errors';
import { reasonOf } from '@vault-mcp/shared/log';
import { logDeferred } from '@vault-mcp/shared/queue/deferred';
import { z } from 'zod';
import { type ClusteredNotes, comparedBy } from '../memory/consolidate/cluster-notes.ts';
import { type ClusterThreadOptions, clusterOnThread } from '../memory/consolidate/cluster-thread.ts';
import { type Consolidation, consolidate as consolidateClusters } from '../memory/consolidate/consolidate.ts';
import type { GivenMerge } from '../memory/consolidate/given-merges.ts';
import { recoverProposals } from '../memory/gate/recover.ts';
import { gatePorts, type MemoryContext } from './gate-ports.ts';
import { refuseWhenReadOnly, type WriteRequest } from './write-context.ts';

/** With the etag, also as a dry run lists it. */
const shownMember = z.strictObject({ path: z.string(), etag: z.string(), title: z.string().optional() });

const merge = z.strictObject({
  members: z
    .array(z.union([shownMember, z.string()], { error: 'it is a path, or {path, etag}' }))
    .min(2)
    .describe('Notes of one cluster: paths, or {path, etag}.'),
  title: z.string(),
  body: z.string().describe('Markdown without frontmatter.'),
  type: z.string().optional().describe("Default: the members' commonest."),
});

export const consolidateInput = z.strictObject({
  ceiling: z.number().gt(0).max(1).describe('Cosine distance within which all notes of a cluster are.'),
  cap: z.int().min(1).max(50).optional().describe('Clusters that the chat model is asked about. Default 5.'),
  write: z.boolean().optional().describe('Default false: nothing is changed.'),
  merges: z.array(merge).max(50).optional().describe('Merged notes that you have written.'),
});

const DEFAULT_CAP = 5;

export interface ConsolidateAnswer extends Consolidation {
  readonly dry_run: boolean;
  readonly ceiling: number;
  readonly cap: number;
  /** How many notes were compared, and how many were not since they are superseded. */
  readonly compared: number;
  readonly superseded: number;
  /** Notes that could not be compared: their vectors are missing. */
  readonly without_vector: ClusteredNotes['withoutVector'];
  /** Near notes of different folders, which are never merged. */
  readonly cross_namespace: ClusteredNotes['crossNamespace'];
  /** Of the reconcile that follows a run that writes, null without one; `index_error` says why it could not be queued. */
  readonly reindex: 'queued' | 'deferred' | null;
  readonly index_error: string | null;
  /** Why clusters may be missing. */
  readonly degraded: readonly ('index_building' | 'vectors_pending')[];
}

/**
 * @throws AppError `out_of_scope` on a read-only server; `invalid_request` without vectors, with too many notes or too many near
 * ones, and for a run that writes when there is nobody who merges; `not_ready`, `locked`
 */
export async function consolidate(
  context: MemoryContext,
  input: z.infer<typeof consolidateInput>,
  request: WriteRequest,
  thread: Omit<ClusterThreadOptions, 'signal'> = {},
): Promise<ConsolidateAnswer> {
  const { ceiling, cap = DEFAULT_CAP, write = false, merges = [] } = input;
  if (write) refuseWhenReadOnly(context);
  // The thread reads the index of the whole vault.
  if (context.vault.access.readRules !== null) throw new AppError('out_of_scope', WHOLE_VAULT);
  if (context.embedder === null) throw refused(NO_VECTORS);
  const ports = gatePorts(context, request);
  if (write && merges.length === 0 && ports.chat === null) throw refused(NOBODY_MERGES);
  // What a crash left is completed first: it may be half a merge.
  if (write) await recoverProposals(ports);
  const { config, locks, reader } = context;
  const excludeDirs = [...config.search.exclude_dirs, config.wiki.dir];
  const isBuilding = reader.indexerStatus()?.state !== 'ready';
  const superseded = reader.supersededRows().filter(({ path }) => comparedBy(excludeDirs)(path)).length;
  const task = { indexPath: config.index.path, ceiling, excludeDirs };
  const found = await clusterOnThread(task, { ...thread, signal: locks.closed });
  const order = { clusters: found.clusters, merges: merges.map(givenMerge), cap, write };
  const { done, ...indexed } = await withReindex(context, write, () => consolidateClusters(ports, order));
  return {
    ...{ dry_run: !write, ceiling, cap, compared: found.compared, superseded },
    ...{ without_vector: found.withoutVector, cross_namespace: found.crossNamespace, ...done, ...indexed },
    degraded: [
      ...(isBuilding ? (['index_building'] as const) : []),
      ...(found.withoutVector.total > 0 ? (['vectors_pending'] as const) : []),
    ],
  };
}

function givenMerge({ members, ...text }: z.infer<typeof merge>): GivenMerge {
  return { ...text, members: members.map((member) => (typeof member === 'string' ? { path: member } : member)) };
}

/** After a run that writes the index is compared with every file, whatever the run came to. */
async function withReindex<T>(
  context: MemoryContext,
  writes: boolean,
  work: () => Promise<T>,
): Promise<{ done: T } & Pick<ConsolidateAnswer, 'reindex' | 'index_error'>> {
  let indexed: Pick<ConsolidateAnswer, 'reindex' | 'index_error'> = { reindex: null, index_error: null };
  let done: T;
  try {
    done = await work();
  } finally {
    if (writes) indexed = await closingReindex(context);
  }
  return { done, ...indexed };
}

/** Never fails: what was written stands. */
async function closingReindex(context: MemoryContext): Promise<Pick<ConsolidateAnswer, 'reindex' | 'index_error'>> {
  try {
    await context.queue.add('reconcile', {});
    return { reindex: 'queued', index_error: null };
  } catch (error) {
    logDeferred(context.log, error, 'the reconcile after a consolidation could not be queued');
    return { reindex: 'deferred', index_error: reasonOf(error) };
  }
}

const WHOLE_VAULT = 'Consolidation is about the whole vault, and this caller may read a part of it alone.';
const NO_VECTORS =
  'Notes are compared by their vectors, and this index has none: search goes by words alone (embedding.provider).';
const NOBODY_MERGES =
  'Nobody is there to merge the notes: set a chat model (gate.model), or send "merges" for clusters that a dry run shows.';

function refused(message: string): AppError {
  return new AppError('invalid_request', message);
}
