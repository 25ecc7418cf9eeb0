/**
 * Consolidation: what is to become of each cluster of notes, and what became of it. The merges that were sent come first, then the
 * chat model writes others, up to a cap of calls. Danger: an error ends its cluster and not the run, so whatever was written
 * stands; and each thing that was not done has to be told, since nobody else looks for it.
 */
import { AppError } from '@vault-mcp/shared/errors';
import { chatTime } from '../chat/chat-time.ts';
import { type MergedText, mergeByModel } from '../chat/merge.ts';
import type { GatePorts } from '../ports.ts';
import type { Unmarked } from '../types.ts';
import type { Cluster, ClusterMember } from './clusters.ts';
import { type AssignedMerge, assignMerges, type ConsolidationError, type GivenMerge, tooFew } from './given-merges.ts';
import { type Member, readMembers } from './members.ts';
import { type Merge, type MergeError, mergeCluster, previewMerge } from './merge-cluster.ts';
import { mergedCandidate } from './merged-note.ts';

export interface ConsolidationOrder {
  readonly clusters: readonly Cluster[];
  readonly merges: readonly GivenMerge[];
  /** Clusters that the chat model is asked about, at most. */
  readonly cap: number;
  readonly write: boolean;
}

export interface ReportedCluster extends Cluster {
  /** What its notes become. */
  readonly proposed?: MergedText;
  /** Where that note is, or would be. */
  readonly path?: string;
  /** Those of its notes that stay as they are. */
  readonly unmarked?: readonly Unmarked[];
  readonly error?: MergeError;
}

export interface Consolidation {
  readonly clusters: readonly ReportedCluster[];
  readonly merger_calls: number;
  /** Clusters that are left: whose notes this run has not made one. */
  readonly remaining: number;
  readonly unmarked: readonly Unmarked[];
  readonly errors: readonly ConsolidationError[];
}

/** Each holds a lock, and is read whole. */
const MAX_MEMBERS = 50;

/** @throws AppError where the server stops, and for what is nobody's fault but a defect's */
export async function consolidate(ports: GatePorts, order: ConsolidationOrder): Promise<Consolidation> {
  const run = new Run(ports, order);
  const { given, errors, changed, withheld } = assignMerges(ports.reader, order.clusters, order.merges);
  await run.given(given);
  await run.byModel(withheld);
  return run.told(errors, changed);
}

type Merger = (members: readonly Member[]) => Promise<MergedText | MergeError>;

/** What became of a cluster. */
type Outcome = Pick<ReportedCluster, 'proposed' | 'path' | 'unmarked' | 'error'>;

class Run {
  readonly #ports: GatePorts;
  readonly #order: ConsolidationOrder;
  readonly #outcomes = new Map<Cluster, Outcome>();
  readonly #errors: ConsolidationError[] = [];
  #calls = 0;
  /** The disk is full: nothing more can be written. */
  #isOver = false;

  constructor(ports: GatePorts, order: ConsolidationOrder) {
    this.#ports = ports;
    this.#order = order;
  }

  async given(merges: ReadonlyMap<Cluster, AssignedMerge>): Promise<void> {
    for (const [cluster, { merge, chosen, changed }] of merges) {
      const { title, body, type } = merge;
      const merger = async () => ({ title, body, ...(type !== undefined && { type }) });
      await this.#work(cluster, chosen, merger, changed);
    }
  }

  /** @param withheld clusters that no model merges: their notes are told as left, or their merge as refused */
  async byModel(withheld: ReadonlySet<Cluster>): Promise<void> {
    const { chat, locks, config } = this.#ports;
    if (chat === null) return;
    for (const cluster of this.#order.clusters) {
      if (this.#calls >= this.#order.cap) return;
      if (this.#outcomes.has(cluster) || withheld.has(cluster)) continue;
      await this.#work(cluster, cluster.members, async (members) => {
        const patience = { time: chatTime(config.chatSeconds), signal: locks.closed };
        const asked = await mergeByModel(chat, members, patience);
        // What is too long for a model is not shown to it.
        if (!('failed' in asked) || asked.failed !== 'too_long') this.#calls++;
        return 'failed' in asked ? { code: asked.failed, message: asked.detail } : asked;
      });
    }
  }

  /** @param changed notes of the merges that were refused */
  told(refused: readonly ConsolidationError[], changed: readonly Unmarked[]): Consolidation {
    const clusters = this.#order.clusters.map((cluster) => ({ ...cluster, ...this.#outcomes.get(cluster) }));
    const merged = clusters.filter(({ path, error }) => path !== undefined && error === undefined).length;
    return {
      clusters,
      merger_calls: this.#calls,
      remaining: clusters.length - (this.#order.write ? merged : 0),
      unmarked: [...changed, ...clusters.flatMap(({ unmarked }) => unmarked ?? [])],
      errors: [...refused, ...this.#errors],
    };
  }

  async #work(
    cluster: Cluster,
    chosen: readonly ClusterMember[],
    merger: Merger,
    changed: readonly Unmarked[] = [],
  ): Promise<void> {
    if (this.#isOver) return;
    const outcome = await this.#outcomeOf(cluster, chosen, merger, changed);
    this.#outcomes.set(cluster, outcome);
    if (outcome.error === undefined) return;
    this.#errors.push({ ...outcome.error, members: chosen.map(({ path }) => path) });
    this.#isOver = outcome.error.code === 'insufficient_storage';
  }

  async #outcomeOf(
    cluster: Cluster,
    chosen: readonly ClusterMember[],
    merger: Merger,
    changed: readonly Unmarked[],
  ): Promise<Outcome> {
    const outcome: { -readonly [K in keyof Outcome]: Outcome[K] } = {};
    try {
      if (chosen.length > MAX_MEMBERS) return { error: tooMany(chosen.length) };
      const read = await readMembers(this.#ports, chosen);
      const { members } = read;
      const left = [...changed, ...read.left];
      if (left.length > 0) outcome.unmarked = left;
      if (members.length < 2) return { ...outcome, error: tooFew() };
      const text = await merger(members);
      if ('code' in text) return { ...outcome, error: text };
      outcome.proposed = text;
      return { ...outcome, ...withLeft(await this.#merge(cluster, text, members), left) };
    } catch (error) {
      if (!(error instanceof AppError) || this.#ports.locks.closed.aborted) throw error;
      return { ...outcome, error: { code: error.code, message: error.message } };
    }
  }

  #merge({ namespace }: Cluster, text: MergedText, members: readonly Member[]): Promise<Merge> {
    const candidate = mergedCandidate(this.#ports, namespace, text, members);
    return this.#order.write
      ? mergeCluster(this.#ports, candidate, members)
      : previewMerge(this.#ports, candidate, members);
  }
}

function withLeft(merge: Merge, left: readonly Unmarked[]): Outcome {
  const unmarked = [...left, ...merge.unmarked];
  const named = unmarked.length > 0 ? { unmarked } : {};
  return 'error' in merge ? { error: merge.error, ...named } : { path: merge.path, ...named };
}

function tooMany(count: number): MergeError {
  const message = `This cluster has ${count} notes, and no more than ${MAX_MEMBERS} are merged at once: send a merge of some of them.`;
  return { code: 'invalid_value', message };
}
