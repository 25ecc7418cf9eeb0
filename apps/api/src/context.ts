/**
 * What every operation is given besides its input: the parts of the product it works on, made once per process by the
 * composition root. Danger: nothing of one request belongs here, and no transport: whatever differs from caller to
 * caller is input.
 */
import type { Analyzer } from '@vault-mcp/shared/analysis/analyzer';
import type { Config } from '@vault-mcp/shared/config/schema';
import type { Embedder } from '@vault-mcp/shared/embedding/embedder';
import type { IndexReader } from '@vault-mcp/shared/index-db/reader';
import type { Logger } from '@vault-mcp/shared/log';
import type { JobProducer } from '@vault-mcp/shared/queue/producer';
import type { Vault } from '@vault-mcp/shared/vault/vault';

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
}
