/**
 * What a tool is here, and how one is called: arguments parsed by our schema, domain errors answered as tool errors
 * with their code, everything else hidden. Danger: the SDK would answer with the message of whatever a tool throws, so
 * nothing may be thrown past `answer`.
 */
import type { CallToolResult, Tool as ListedTool, ToolAnnotations } from '@modelcontextprotocol/server';
import { AppError, toAppError } from '@vault-mcp/shared/errors';
import type { z } from 'zod';
import { parseInput } from '../operations/input.ts';
import { refuseWhenReadOnly, type WriteRequest } from '../operations/write-context.ts';
import { type CallDeps, countedCall } from './counted-call.ts';
import { listedJson } from './listed-schema.ts';
import { tidyArguments } from './tidy-arguments.ts';
import { beyondRights, type ToolClass } from './tool-rights.ts';

/** `structured` for programs, `text` for the model: the same answer twice. */
export interface ToolAnswer {
  readonly text: string;
  readonly structured: object;
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

/** What all tools that change the vault have in common; each says itself what a second call would do. */
export const WRITES = { readOnlyHint: false, openWorldHint: false } as const satisfies Partial<AllHints>;

/** What no agent needs to choose, and every session would pay for: how long a write waits for the index. */
export const REST_ONLY = { timeout: true } as const;

/** One tool; `I` and `O` are its argument and answer schemas, every field described. */
export interface Tool<I extends z.ZodObject = z.ZodObject, O extends z.ZodObject = z.ZodObject> extends ToolClass {
  readonly name: string;
  /** The operation it calls, as the audit log names it. */
  readonly operation: string;
  readonly title: string;
  readonly description: string;
  readonly hints: AllHints;
  readonly input: I;
  readonly output: O;
  run(deps: CallDeps, input: z.infer<I>, request: WriteRequest): Promise<ToolAnswer>;
}

/** A tool whose schemas no longer matter to whoever holds it. */
export interface AnyTool extends ToolClass {
  readonly name: string;
  /** As `tools/list` shows it. */
  readonly listing: ListedTool;
  /** @param args as they came. Never rejects: what goes wrong is an answer too. */
  call(deps: CallDeps, args: unknown, request: WriteRequest): Promise<CallToolResult>;
}

/** The code stands in the text, which is all that every client shows, and in `_meta` for programs. */
function failure(error: AppError): CallToolResult {
  return {
    isError: true,
    content: [{ type: 'text', text: `${error.code}: ${error.message}` }],
    _meta: { 'vault-mcp/code': error.code },
  };
}

async function answer<I extends z.ZodObject, O extends z.ZodObject>(
  tool: Tool<I, O>,
  deps: CallDeps,
  args: unknown,
  request: WriteRequest,
): Promise<CallToolResult> {
  const { name, operation, act } = tool;
  const { agent, requestId } = request;
  try {
    return await countedCall(deps, { tool: name, operation, agent, requestId, args }, async () => {
      if (act !== 'read') refuseWhenReadOnly(deps.context);
      const refusal = beyondRights(tool, deps);
      if (refusal !== null) throw new AppError('out_of_scope', refusal);
      const { text, structured } = await tool.run(deps, parseInput(tool.input, tidyArguments(args)), request);
      // Clients hold the answer to the schema that is listed, and would show whoever asked nothing but that it failed.
      tool.output.parse(structured);
      return { content: [{ type: 'text', text }], structuredContent: { ...structured } };
    });
  } catch (thrown) {
    return failure(toAppError(thrown));
  }
}

/** Ties a tool's schemas to its run, and gives what a server registers. */
export function defineTool<I extends z.ZodObject, O extends z.ZodObject>(tool: Tool<I, O>): AnyTool {
  const { name, audience, act, place, besideVault, title, description, hints } = tool;
  return {
    ...{ name, audience, act, place, besideVault },
    listing: {
      ...{ name, title, description, annotations: hints },
      inputSchema: listedJson(tool.input, 'input'),
      outputSchema: listedJson(tool.output, 'output'),
    },
    call: (deps, args, request) => answer(tool, deps, args, request),
  };
}
