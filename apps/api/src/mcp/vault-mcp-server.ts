/**
 * The SDK's server with our tools on it, so that a call of a tool leaves its row however it ends: the SDK's own
 * registration refuses an unknown tool before any code of ours runs. Danger: whatever a handler throws reaches the client
 * as it is, so nothing but the protocol's own refusals may.
 */
import {
  type Implementation,
  type JSONRPCRequest,
  ProtocolError,
  ProtocolErrorCode,
  type Result,
  Server,
  type ServerContext,
  type ServerOptions,
} from '@modelcontextprotocol/server';
import type { ErrorCode } from '@vault-mcp/shared/errors';
import { z } from 'zod';
import { recordCall } from '../audited-call.ts';
import type { McpCaller } from './caller.ts';
import type { CallDeps } from './counted-call.ts';
import type { AnyTool } from './tool.ts';

/** All tools come on one page, so there is no cursor to go on from; one of another type is refused all the same. */
const ListParams = z.object({ cursor: z.string().optional() });

const CALL = 'tools/call';

type Handler = (request: JSONRPCRequest, ctx: ServerContext) => Promise<Result>;

/** A call of a tool that is not served. */
class UnknownToolError extends ProtocolError {
  constructor(name: string) {
    super(ProtocolErrorCode.InvalidParams, `Tool ${name} not found: tools/list names those there are.`);
  }
}

/** One client's server. */
export class VaultMcpServer extends Server {
  readonly #deps: CallDeps;
  readonly #request: McpCaller['request'];
  /** Calls that a tool answered, each by its signal: what the SDK says of the answer is no call of its own. */
  readonly #reached = new WeakSet<AbortSignal>();

  constructor(info: Implementation, options: ServerOptions, deps: CallDeps, request: McpCaller['request']) {
    super(info, options);
    this.#deps = deps;
    this.#request = request;
  }

  /**
   * @param tools by name: those that can be called, which are more than are listed where writing is off, since whoever
   *   calls a hidden one is to hear why it is refused
   */
  offerTools(tools: ReadonlyMap<string, AnyTool>, listed: readonly AnyTool[]): void {
    this.setRequestHandler('tools/list', { params: ListParams }, () => ({
      tools: listed.map(({ listing }) => listing),
    }));
    this.setRequestHandler(CALL, async ({ params }, { mcpReq }) => {
      const tool = tools.get(params.name);
      if (!tool) throw new UnknownToolError(params.name);
      this.#reached.add(mcpReq.signal);
      return tool.call(this.#deps, params.arguments ?? {}, { ...this.#request, signal: mcpReq.signal });
    });
  }

  /** Where the SDK refuses what does not fit the protocol, before the handler and after it. */
  protected override _wrapHandler(method: string, handler: Handler): Handler {
    const wrapped = super._wrapHandler(method, handler);
    if (method !== CALL) return wrapped;
    return async (request, ctx) => {
      const started = performance.now();
      try {
        return await wrapped(request, ctx);
      } catch (error) {
        const outcome = error instanceof UnknownToolError ? 'not_found' : 'invalid_request';
        if (!this.#reached.has(ctx.mcpReq.signal)) this.#refused(request.params, outcome, started);
        throw error;
      }
    };
  }

  /** The row of a call that reached no tool: every tool leaves its own. */
  #refused(args: unknown, outcome: ErrorCode, started: number): void {
    const { context, metrics } = this.#deps;
    const durationMs = performance.now() - started;
    metrics.error('mcp', outcome);
    recordCall(context.audit, {
      surface: 'mcp',
      operation: CALL,
      agent: this.#request.agent,
      args,
      outcome,
      durationMs,
    });
  }
}
