/**
 * What the engines of memory work through: the vault, the index, the records, and what only the composition above can give
 * them (news for the index, a thread for long notes). Danger: an engine that reached past these could not be run by a
 * recovery, nor by a test, as it is by a call.
 */
import type { Analyzer } from '@vault-mcp/shared/analysis/analyzer';
import type { ChunkOptions } from '@vault-mcp/shared/chunk/options';
import type { Embedder } from '@vault-mcp/shared/embedding/embedder';
import type { IndexReader } from '@vault-mcp/shared/index-db/reader';
import type { Logger } from '@vault-mcp/shared/log';
import type { DiscardLog } from '@vault-mcp/shared/records/discard-log';
import type { ProposalStore } from '@vault-mcp/shared/records/proposal-store';
import type { PathLocks } from '@vault-mcp/shared/vault/lock';
import type { NoteEdit } from '@vault-mcp/shared/vault/note/edit/note-edit';
import type { VaultPath } from '@vault-mcp/shared/vault/path';
import type { Vault } from '@vault-mcp/shared/vault/vault';
import type { VaultWriter } from '@vault-mcp/shared/vault/write';
import type { FusionSettings } from '../search/constants.ts';
import type { Indexed, Proposer } from './types.ts';

/** One message of a chat with a model. */
export interface ChatMessage {
  readonly role: 'system' | 'user' | 'assistant';
  readonly content: string;
}

/** The time that all asks about one matter have together, from when it was made: see chat/chat-time. */
export interface ChatTime {
  readonly seconds: number;
  readonly over: AbortSignal;
}

/** `gate.model`: decides and merges where no calling agent does. */
export interface ChatModel {
  /** As messages name it; never with a key. */
  readonly shown: string;
  /**
   * @returns what the model said, whole
   * @throws CallFailure (remote/json-call) when no answer came in `time`; ChatAnswerError (chat/chat-model) when the one that came
   * says nothing whole, or more than `maxChars`
   */
  ask(
    messages: readonly ChatMessage[],
    options: { readonly maxChars: number; readonly time: ChatTime; readonly signal: AbortSignal },
  ): Promise<string>;
}

/** What the configuration says to the gate. */
export interface GateSettings {
  readonly readOnly: boolean;
  /** Cosine distance of note vectors and FTS5's rank above which nothing counts as similar; null: not set. */
  readonly distanceCeiling: number | null;
  readonly bm25Ceiling: number | null;
  readonly fusion: FusionSettings;
  readonly chunking: ChunkOptions;
  readonly noteMaxBytes: number;
  /** Empty: none is kept. */
  readonly timestampKey: string;
  readonly wikiDir: VaultPath;
  /** Folders that are not indexed, and patterns of such files; folders that are not searched. */
  readonly indexExcludeDirs: readonly string[];
  readonly indexIgnore: readonly string[];
  readonly searchExcludeDirs: readonly string[];
  /** How long the chat model has for one proposal, or for one merge. */
  readonly chatSeconds: number;
  /** Whether the history keeps what a write replaces; else the discard log has to. */
  readonly keepsHistory: boolean;
}

/** What a timestamp key is set to. */
export interface Stamp {
  readonly key: string;
  readonly now: Date;
}

/** What the gate works through in one call. */
export interface GatePorts {
  readonly config: GateSettings;
  /** With the caller's access: what it may read and write. */
  readonly vault: Vault;
  readonly caller: Proposer;
  readonly reader: IndexReader;
  readonly analyzer: Analyzer;
  /** Null: words only, by choice. */
  readonly embedder: Embedder | null;
  readonly writer: VaultWriter;
  readonly locks: Pick<PathLocks, 'owner' | 'isAlive' | 'closed'>;
  readonly proposals: ProposalStore;
  readonly discards: Pick<DiscardLog, 'append'>;
  readonly chat: ChatModel | null;
  readonly log: Logger;
  now(): Date;
  /** Has the index take files in as they are on the disk. @returns whether it did so in time */
  bringUpToDate(paths: readonly VaultPath[], withinMs: number): Promise<boolean>;
  /** Tells the index of notes that have been written: their etags by path. */
  announce(written: ReadonlyMap<VaultPath, string>): Promise<Indexed>;
  /** Computes an edit without holding others up. @throws AppError what applyNoteEdit throws */
  change(text: string | null, edit: NoteEdit, stamp: Stamp | null): Promise<string>;
  diff(path: string, before: string | null, after: string): Promise<string>;
  /** The same for what others left half done: the whole vault, whatever this caller may do. */
  whole(): GatePorts;
  /** Tells the history of a change that is on the disk, and whose it is. */
  recordChange(operation: string, by: Pick<Proposer, 'agent' | 'source'>, paths: readonly VaultPath[]): void;
}
