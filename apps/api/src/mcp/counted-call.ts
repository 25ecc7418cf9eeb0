/**
 * What every call over MCP leaves behind, a tool's or a resource's: its time, its outcome and a row in the audit log.
 * Danger: whatever is thrown leaves as a domain error, so that the SDK never sees a message from inside.
 */
import { type ErrorCode, toAppError } from '@vault-mcp/shared/errors';
import { recordCall } from '../audited-call.ts';
import type { ServedContext } from '../context.ts';
import type { ApiMetrics } from '../metrics.ts';

/** What every call is given; the context is that of its caller's rights. */
export interface CallDeps {
  readonly context: ServedContext;
  readonly metrics: ApiMetrics;
  /** Whether the operator calls, and not an agent. */
  readonly isOperator: boolean;
}

export interface McpCall {
  /** The tool's name, or the protocol's method. */
  readonly tool: string;
  /** The operation it calls, as the audit log names it. */
  readonly operation: string;
  readonly agent: string;
  /** Of the request that carried it, where there was one. */
  readonly requestId: string | undefined;
  /** As they came; only their digest is kept. */
  readonly args: unknown;
}

/** @throws AppError whatever `run` throws */
export async function countedCall<T>(deps: CallDeps, call: McpCall, run: () => Promise<T>): Promise<T> {
  const { tool, operation, agent, requestId, args } = call;
  const started = performance.now();
  const ended = (outcome: 'ok' | ErrorCode) => {
    const durationMs = performance.now() - started;
    deps.metrics.toolCall({ tool, outcome, seconds: durationMs / 1000 });
    recordCall(deps.context.audit, { surface: 'mcp', operation, agent, args, outcome, durationMs });
  };
  try {
    const result = await run();
    ended('ok');
    return result;
  } catch (thrown) {
    const error = toAppError(thrown);
    ended(error.code);
    if (error.code === 'internal_error') {
      const request = requestId === undefined ? {} : { request_id: requestId };
      deps.context.log.error({ tool, ...request, err: error.cause ?? error }, 'call failed');
    }
    throw error;
  }
}
