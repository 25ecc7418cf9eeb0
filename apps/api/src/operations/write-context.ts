/**
 * What operations that change the vault are given on top of what reading needs, and what they are told of the one call
 * at hand. Danger: a server that is meant to be read-only must refuse before anything else, so every such operation
 * asks here first.
 */
import { AppError } from '@vault-mcp/shared/errors';
import type { VaultPath } from '@vault-mcp/shared/vault/path';
import type { VaultWriter } from '@vault-mcp/shared/vault/write';
import type { OperationContext } from '../context.ts';

export interface WriteContext extends OperationContext {
  readonly writer: VaultWriter;
  /** What time it is, for the timestamp that a content write sets. */
  now(): Date;
}

/**
 * What a transport knows of a call besides its input; a caller cannot set it by an argument. Never left out, so that no
 * surface forgets the scope.
 */
export interface WriteRequest {
  /** The note or folder that this request's writes are confined to. */
  readonly scope?: VaultPath | undefined;
  /** Aborted when nobody waits for the answer any more: what is begun is finished, the index is not waited for. */
  readonly signal?: AbortSignal | undefined;
}

/** @throws AppError `out_of_scope` when the configuration allows no writes */
export function refuseWhenReadOnly({ config }: Pick<WriteContext, 'config'>): void {
  if (!config.server.read_only) return;
  throw new AppError(
    'out_of_scope',
    'This server is read-only (server.read_only), so nothing in the vault is changed.',
  );
}
