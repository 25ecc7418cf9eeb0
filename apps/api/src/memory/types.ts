/**
 * The shapes that the write gate, its deciders and consolidation talk in. Pure types. Danger: they are what is recorded and
 * what callers are answered, so that a field that changes its meaning here changes it for rows that are on the disk.
 */
import type { FrontmatterValue } from '@vault-mcp/shared/vault/note/edit/frontmatter-value';
import type { VaultPath } from '@vault-mcp/shared/vault/path';

/** What somebody wants to have remembered, after its rules were checked. */
export interface Candidate {
  readonly title: string;
  /** Such as fact, decision, preference. */
  readonly type: string;
  /** The folder it is filed in; '' is the root. */
  readonly namespace: VaultPath;
  /** Markdown without frontmatter. */
  readonly body: string;
  readonly frontmatter: Readonly<Record<string, FrontmatterValue>>;
}

/** A note that says something similar, as it stood on the disk when it was shown. */
export interface SimilarNote {
  readonly path: VaultPath;
  readonly title: string;
  readonly body: string;
  /** The body goes on beyond what is shown. */
  readonly truncated?: true | undefined;
  readonly etag: string;
  /** Cosine distance of the note vectors; null where either has none. */
  readonly distance: number | null;
  /** FTS5's rank: negative, lower is better; null where meaning alone found it. */
  readonly bm25: number | null;
  /** Whether it cannot be updated or superseded by this caller. */
  readonly read_only: boolean;
}

export type Action = 'update' | 'supersede' | 'create' | 'discard';

export interface Decision {
  readonly action: Action;
  /** Path of one of the similar notes. */
  readonly target?: string | undefined;
  /** update: the new body, or the section's new text. */
  readonly body?: string | undefined;
  /** update: text to add instead. */
  readonly append?: string | undefined;
  /** update: only this heading. */
  readonly section?: string | undefined;
  readonly reason?: string | undefined;
}

/** Why a note was made although something else was decided. */
export type FellBack =
  | 'unknown_target'
  | 'read_only_target'
  | 'target_changed'
  | 'decider_unreachable'
  | 'decider_malformed'
  | 'would_lose_text';

/** What search knows of a write: see IndexedState in operations/index-news. */
export type Indexed = 'queued' | 'deferred' | 'excluded' | 'indexed';

/** A note that could not be marked as superseded, and so is not. */
export interface Unmarked {
  readonly path: string;
  readonly reason: string;
}

export interface DoneAnswer {
  readonly status: 'done';
  readonly action: Action;
  /** The note that holds the candidate now; null when it was discarded. */
  readonly path: string | null;
  readonly superseded?: string | undefined;
  readonly unmarked?: readonly Unmarked[] | undefined;
  readonly fell_back: FellBack | null;
  readonly etag: string | null;
  /** The entry of the discard log that holds the candidate. */
  readonly discard?: number | undefined;
  readonly indexed?: Indexed | undefined;
  readonly remarks?: readonly string[] | undefined;
}

/** Why similar notes may be missing from an answer. */
export type GateDegraded = 'embedder_unavailable' | 'vectors_pending' | 'index_behind' | 'index_building';

export interface DecideAnswer {
  readonly status: 'decide';
  readonly token: string;
  /** ISO, UTC. */
  readonly expires_at: string;
  readonly similar: readonly SimilarNote[];
  readonly degraded: readonly GateDegraded[];
}

/** What would be done: nothing is recorded, so there is no token. */
export interface DryRunAnswer {
  readonly status: 'dry_run';
  readonly similar: readonly SimilarNote[];
  readonly degraded: readonly GateDegraded[];
  /** What the decision comes to; without one, what happens when nothing similar is there. */
  readonly action: Action | null;
  readonly path: string | null;
  readonly superseded?: string | undefined;
  readonly fell_back: FellBack | null;
  /** Of every note that would change. */
  readonly diffs: readonly { readonly path: string; readonly diff: string }[];
}

/** What a transport knows of the caller. */
export interface Proposer {
  /** Who calls, by name. */
  readonly agent: string;
  /** What the caller says it writes from, in its own words. */
  readonly source?: string | undefined;
  /** The note or folder that this request's writes are confined to. */
  readonly scope?: VaultPath | undefined;
  readonly requestId?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}
