/**
 * What every operation is given besides its input: the parts of the product it works on, made once per process by the
 * composition root. Danger: nothing of one request belongs here, and no transport: whatever differs from caller to
 * caller is input, or stands in the request that writing operations are given.
 */
import type { Analyzer } from '@vault-mcp/shared/analysis/analyzer';
import type { Config } from '@vault-mcp/shared/config/schema';
import type { Embedder } from '@vault-mcp/shared/embedding/embedder';
import type { IndexReader } from '@vault-mcp/shared/index-db/reader';
import type { Logger } from '@vault-mcp/shared/log';
import type { JobProducer } from '@vault-mcp/shared/queue/producer';
import type { AuditLog } from '@vault-mcp/shared/records/audit';
import type { DiscardLog } from '@vault-mcp/shared/records/discard-log';
import type { GitCommits } from '@vault-mcp/shared/records/git-commits';
import type { History } from '@vault-mcp/shared/records/history';
import type { Journal } from '@vault-mcp/shared/records/journal';
import type { MoveIntents } from '@vault-mcp/shared/records/move-intents';
import type { ProposalStore } from '@vault-mcp/shared/records/proposal-store';
import type { PathLocks } from '@vault-mcp/shared/vault/lock';
import type { Vault } from '@vault-mcp/shared/vault/vault';
import type { VaultWriter } from '@vault-mcp/shared/vault/write';
import type { ChatModel } from './memory/ports.ts';

/** For what reads. */
export interface OperationContext {
  readonly config: Config;
  readonly log: Logger;
  readonly vault: Vault;
  /** Opens lazily: every method throws `not_ready` while there is no index. */
  readonly reader: IndexReader;
  readonly analyzer: Analyzer;
  /** Null: search by words only, by choice. */
  readonly embedder: Embedder | null;
  readonly queue: JobProducer;
  /** The files that settings and keys stand in (settingFiles in config/load): nothing of the vault's may read them. */
  readonly settingFiles: readonly string[];
}

/** The folder beside the vault that files are written into. */
export interface FilesFolder {
  readonly vault: Vault;
  readonly writer: VaultWriter;
}

/** What agent memory keeps, and decides by. */
export interface MemoryParts {
  readonly proposals: ProposalStore;
  /** Of the whole vault, whoever calls. */
  readonly discards: DiscardLog;
  readonly journal: Journal;
  readonly commits: GitCommits;
  /** Decides and merges; null: the calling agent does. */
  readonly chat: ChatModel | null;
}

/** For what changes the vault, on top of what reading needs. */
export interface WriteContext extends OperationContext, MemoryParts {
  readonly writer: VaultWriter;
  readonly locks: Pick<PathLocks, 'owner' | 'isAlive' | 'closed'>;
  readonly moveIntents: MoveIntents;
  readonly history: History;
  /** Null: none is configured, or nothing may be written. */
  readonly filesFolder: FilesFolder | null;
  /** What time it is, for the timestamp that a content write sets. */
  now(): Date;
}

/** For a surface: it also leaves a row in the audit log for every call. */
export interface ServedContext extends WriteContext {
  /** For a view of the vault, which is to be written under its own access. */
  readonly writerFor: (vault: Vault) => VaultWriter;
  readonly audit: AuditLog;
}
