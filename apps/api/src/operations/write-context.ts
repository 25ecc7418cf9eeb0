/**
 * What a writing operation is told of the one call at hand, and what each asks before anything else. Danger: a server
 * that is meant to be read-only must refuse whatever is asked, so every such operation asks here first; and what is
 * forgotten here (a scope, an author) is forgotten on every surface.
 */
import { AppError } from '@vault-mcp/shared/errors';
import type { VaultPath } from '@vault-mcp/shared/vault/path';
import type { WriteContext } from '../context.ts';

/**
 * What a transport knows of a call besides its input; a caller cannot set it by an argument. Never left out, so that no
 * surface forgets the scope.
 */
export interface WriteRequest {
  /** Who calls, by name. */
  readonly agent: string;
  /** The operator's key was given, and the agent's name with it. */
  readonly byOperator?: boolean | undefined;
  /** What the caller says it writes from, in its own words. */
  readonly source?: string | undefined;
  /** Names the request in log lines, those of the indexer included. */
  readonly requestId?: string | undefined;
  /** The note or folder that this request's writes are confined to. */
  readonly scope?: VaultPath | undefined;
  /** Aborted when nobody waits for the answer any more: what is begun is finished, the index is not waited for. */
  readonly signal?: AbortSignal | undefined;
}

/** Whether the operator itself calls, which is nobody's agent; none may have that name. */
export function isOperators({ agent }: Pick<WriteRequest, 'agent'>): boolean {
  return agent === 'operator';
}

/** @throws AppError `out_of_scope` when the configuration allows no writes */
export function refuseWhenReadOnly({ config }: Pick<WriteContext, 'config'>): void {
  if (!config.server.read_only) return;
  throw new AppError(
    'out_of_scope',
    'This server is read-only (server.read_only), so nothing in the vault is changed.',
  );
}

/** Tells the history of a change that is on the disk. */
export function recordChange(
  { history }: Pick<WriteContext, 'history'>,
  operation: string,
  { agent, source }: WriteRequest,
  paths: readonly VaultPath[],
): void {
  history.record({ operation, agent, source, paths });
}
