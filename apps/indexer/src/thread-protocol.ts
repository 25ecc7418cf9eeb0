/**
 * What the embedded program and its indexer thread say to each other. Pure types. Danger: everything here is copied
 * between threads, so it must be plain data or a transferred port.
 */
import type { MessagePort } from 'node:worker_threads';
import type { Config } from '@vault-mcp/shared/config/schema';

/** Given as workerData. */
export interface IndexerThreadData {
  readonly config: Config;
  /** The indexer answers `queue/port` calls here: the api's jobs arrive through it. */
  readonly jobPort: MessagePort;
  /** A port of the built-in model's thread, when that is the embedder; otherwise the thread makes its own embedder. */
  readonly modelPort: MessagePort | null;
  /** False for one-shot commands. */
  readonly watch: boolean;
}

export type ToIndexerThread = { readonly type: 'stop'; readonly timeoutMs: number };

export type FromIndexerThread =
  | { readonly type: 'started' }
  | { readonly type: 'stopped' }
  /**
   * It could not start; `message` is fit for a person, `expected` tells a plain refusal from a defect, `locked` says
   * that the reason is another process that writes this index.
   */
  | { readonly type: 'refused'; readonly message: string; readonly expected: boolean; readonly locked: boolean };
