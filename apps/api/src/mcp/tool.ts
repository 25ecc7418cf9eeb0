/**
 * What a tool is here, and how one is put on an SDK server: arguments parsed by our schema, domain errors answered
 * as tool errors with their code, everything else hidden. Danger: the SDK would answer with the message of whatever
 * a tool throws, so nothing may be thrown past `answer`.
 */
import type { CallToolResult, McpServer, ToolAnnotations } from '@modelcontextprotocol/server';
import { type AppError, type ErrorCode, toAppError } from '@vault-mcp/shared/errors';
import type { z } from 'zod';
import { OPERATOR, recordCall } from '../audited-call.ts';
import type { ServedContext } from '../context.ts';
import type { ApiMetrics } from '../metrics.ts';
import { parseInput } from '../operations/input.ts';
import { listed } from './listed-schema.ts';
import { trimPathArguments } from './path-arguments.ts';

/** What every tool of this server is given. */
export interface ToolDeps {
  readonly context: ServedContext;
  readonly metrics: ApiMetrics;
}

/** `structured` for programs, `text` for the model: the same answer twice. */
export interface ToolAnswer {
  readonly text: string;
  readonly structured: Record<string, unknown>;
}

/** All four hints are stated, since each one's default is the alarming one. */
type AllHints = Required<
  Pick<ToolAnnotations, 'readOnlyHint' | 'destructiveHint' | 'idempotentHint' | 'openWorldHint'>
>;

/** For tools that only read. */
export const READ_ONLY: AllHints = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
};

/** One tool; `I` and `O` are its argument and answer schemas, every field described. */
export interface Tool<I extends z.ZodObject = z.ZodObject, O extends z.ZodObject = z.ZodObject> {
  readonly name: string;
  /** The operation it calls, as the audit log names it. */
  readonly operation: string;
  readonly title: string;
  readonly description: string;
  readonly hints: AllHints;
  readonly input: I;
  readonly output: O;
  run(deps: ToolDeps, input: z.infer<I>, signal: AbortSignal): Promise<ToolAnswer>;
}

/** A tool whose schemas no longer matter to whoever holds it. */
export interface AnyTool {
  readonly name: string;
  register(server: McpServer, deps: ToolDeps): void;
}

/**
 * Lets every argument through: our own parse refuses with prose and a code, where the SDK's would answer with the
 * schema library's words.
 */
function anyArguments(value: unknown): { value: Record<string, unknown> } {
  return { value: (value ?? {}) as Record<string, unknown> };
}

/** The code stands in the text, which is all that every client shows, and in `_meta` for programs. */
function failure(error: AppError, tool: string, deps: ToolDeps): CallToolResult {
  if (error.code === 'internal_error') deps.context.log.error({ tool, err: error.cause ?? error }, 'tool failed');
  return {
    isError: true,
    content: [{ type: 'text', text: `${error.code}: ${error.message}` }],
    _meta: { 'vault-mcp/code': error.code },
  };
}

async function answer<I extends z.ZodObject, O extends z.ZodObject>(
  tool: Tool<I, O>,
  deps: ToolDeps,
  args: unknown,
  signal: AbortSignal,
): Promise<CallToolResult> {
  const started = performance.now();
  const ended = (outcome: 'ok' | ErrorCode) => {
    const durationMs = performance.now() - started;
    deps.metrics.toolCall({ tool: tool.name, outcome, seconds: durationMs / 1000 });
    const { operation } = tool;
    recordCall(deps.context.audit, { surface: 'mcp', operation, agent: OPERATOR, args, outcome, durationMs });
  };
  try {
    const { text, structured } = await tool.run(deps, parseInput(tool.input, trimPathArguments(args)), signal);
    ended('ok');
    return { content: [{ type: 'text', text }], structuredContent: structured };
  } catch (thrown) {
    const error = toAppError(thrown);
    ended(error.code);
    return failure(error, tool.name, deps);
  }
}

/** Ties a tool's schemas to its run, and gives what a server registers. */
export function defineTool<I extends z.ZodObject, O extends z.ZodObject>(tool: Tool<I, O>): AnyTool {
  const inputSchema = listed(tool.input, anyArguments);
  const outputSchema = listed(tool.output, (value) => tool.output['~standard'].validate(value));
  return {
    name: tool.name,
    register(server, deps) {
      server.registerTool(
        tool.name,
        {
          title: tool.title,
          description: tool.description,
          inputSchema,
          outputSchema,
          annotations: { title: tool.title, ...tool.hints },
        },
        (args, ctx) => answer(tool, deps, args, ctx.mcpReq.signal),
      );
    },
  };
}
