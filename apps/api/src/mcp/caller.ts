/**
 * Who is behind one MCP request: by what name, from what, and what its writes are confined to. It travels with the
 * request through the SDK as what its door-keeper found out, since one server is made per request. Danger: were it lost
 * on the way, a confined request would write anywhere; so a request without it is served nothing.
 */
import type { AuthInfo, McpRequestContext } from '@modelcontextprotocol/server';
import type { WriteRequest } from '../operations/write-context.ts';

export type Caller = Omit<WriteRequest, 'signal'>;

/** The SDK hands this on as it is, to nobody but the factory; no token is in it. */
export function asAuthInfo(caller: Caller): AuthInfo {
  return { token: '', clientId: caller.agent, scopes: [], extra: { caller } };
}

/** @throws Error when the request came by another way than `asAuthInfo` */
export function callerOf({ authInfo }: Pick<McpRequestContext, 'authInfo'>): Caller {
  const caller = authInfo?.extra?.caller as Caller | undefined;
  if (caller === undefined) throw new Error('an MCP request came without its caller');
  return caller;
}
