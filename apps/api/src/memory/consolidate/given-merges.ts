/**
 * The merges that were sent, held to what this run has found: which cluster each is of, and which of its notes are no longer what
 * the sender saw. Danger: a note that somebody edited after the dry run may say what no merge has taken up, and marking it as
 * superseded would hide that from every search.
 */
import type { IndexReader } from '@vault-mcp/shared/index-db/reader';
import type { MergedText } from '../chat/merge.ts';
import type { Unmarked } from '../types.ts';
import type { Cluster, ClusterMember } from './clusters.ts';
import type { MergeError } from './merge-cluster.ts';

/** A note as its sender names it, with the etag that it was shown with, if the sender kept it. */
export interface GivenMember {
  readonly path: string;
  readonly etag?: string | undefined;
}

/** A merge that somebody has written. */
export interface GivenMerge extends Omit<MergedText, 'type'> {
  /** Two at least, of one cluster. */
  readonly members: readonly GivenMember[];
  readonly type?: string | undefined;
}

export interface ConsolidationError extends MergeError {
  /** Paths of the notes that were to be merged. */
  readonly members: readonly string[];
}

/** A merge with what it is made of: the notes of its cluster that are what was seen, and those that are not. */
export interface AssignedMerge {
  readonly merge: GivenMerge;
  readonly chosen: readonly ClusterMember[];
  readonly changed: readonly Unmarked[];
}

export interface Assigned {
  readonly given: ReadonlyMap<Cluster, AssignedMerge>;
  /** Of merges that nothing is done about: why, and their notes that changed. */
  readonly errors: readonly ConsolidationError[];
  readonly changed: readonly Unmarked[];
  /** Clusters that the sender has yet to look at again: one of a refused merge, or with a note that changed. */
  readonly withheld: ReadonlySet<Cluster>;
}

/** Which cluster each merge is of; those that are of none, or of one that has its merge, are refused. */
export function assignMerges(
  reader: Pick<IndexReader, 'fileByPath'>,
  clusters: readonly Cluster[],
  merges: readonly GivenMerge[],
): Assigned {
  const clusterOf = new Map(clusters.flatMap((cluster) => cluster.members.map(({ path }) => [path, cluster])));
  const given = new Map<Cluster, AssignedMerge>();
  const errors: ConsolidationError[] = [];
  const leftChanged: Unmarked[] = [];
  const withheld = new Set<Cluster>();
  const withhold = (members: readonly { readonly path: string }[]) => {
    for (const { path } of members) {
      const cluster = clusterOf.get(path);
      if (cluster !== undefined) withheld.add(cluster);
    }
  };
  for (const merge of merges) {
    const paths = new Set(merge.members.map(({ path }) => path));
    const changed = changedMembers(reader, merge.members);
    withhold(changed);
    const still = [...paths].filter((path) => !changed.some((one) => one.path === path));
    const [cluster, ...others] = new Set(still.map((path) => clusterOf.get(path)));
    const refuse = (error: MergeError) => {
      errors.push({ ...error, members: merge.members.map(({ path }) => path) });
      leftChanged.push(...changed);
      withhold(merge.members);
    };
    if (paths.size < 2) refuse(invalid('A merge is of two notes at least, each named once.'));
    else if (still.length < 2 && changed.length > 0) refuse(tooFew());
    else if (cluster === undefined || others.length > 0) refuse(invalid(NO_CLUSTER));
    else if (given.has(cluster)) refuse(invalid(HAS_ONE));
    else given.set(cluster, { merge, chosen: cluster.members.filter(({ path }) => still.includes(path)), changed });
  }
  return { given, errors, changed: leftChanged, withheld };
}

/** Why a merge of too few is not made. */
export function tooFew(): MergeError {
  return { code: 'members_changed', message: 'Fewer than two of these notes can be merged by now: see unmarked.' };
}

const NO_CLUSTER =
  'These notes are not all of one cluster at this ceiling: take those of one of the clusters that a dry run shows.';
const HAS_ONE = 'Another merge of the same cluster is there already: send this one afterwards.';

function invalid(message: string): MergeError {
  return { code: 'invalid_value', message };
}

/** By the index alone: what it does not know yet is found when the files are read. */
function changedMembers(reader: Pick<IndexReader, 'fileByPath'>, members: readonly GivenMember[]): Unmarked[] {
  return members
    .filter(({ path, etag }) => etag !== undefined && reader.fileByPath(path)?.sha256 !== etag)
    .map(({ path }) => ({ path, reason: 'it is not what it was under the etag that was sent: look again' }));
}
