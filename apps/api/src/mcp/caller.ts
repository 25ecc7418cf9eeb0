/**
 * Who is behind one MCP request: by what name, from what, what their calls work on, and what their writes are confined to.
 * It travels with the request through the SDK as what its door-keeper found out, since one server is made per request.
 * Danger: were it lost on the way, a confined request would reach anything; so a request without it is served nothing.
 */
import type { AuthInfo, McpRequestContext } from '@modelcontextprotocol/server';
import type { ServedContext } from '../context.ts';
import type { WriteRequest } from '../operations/write-context.ts';

export interface McpCaller {
  readonly request: Omit<WriteRequest, 'signal'>;
  /** What this caller's calls work on: the only one that any of them is given. */
  readonly context: ServedContext;
  /** Whether it is the operator, and not an agent. */
  readonly isOperator: boolean;
}

/** The SDK hands this on as it is, to nobody but the factory; no token is in it. */
export function asAuthInfo(caller: McpCaller): AuthInfo {
  return { token: '', clientId: caller.request.agent, scopes: [], extra: { caller } };
}

/** @throws Error when the request came by another way than `asAuthInfo` */
export function callerOf({ authInfo }: Pick<McpRequestContext, 'authInfo'>): McpCaller {
  const caller = authInfo?.extra?.caller as McpCaller | undefined;
  if (caller === undefined) throw new Error('an MCP request came without its caller');
  return caller;
}
