/**
 * `/mcp`, and `/mcp/only/<path>` whose writes are confined to that note or folder: hands POST to the protocol's own
 * handler and refuses the rest, since a stateless server has no stream to open and no session to end. Danger: the
 * confinement is found out here, for this request alone, and travels with it; a scope that cannot be is refused before
 * the protocol is spoken.
 */
import { decodeRequestPath, type VaultPath } from '@vault-mcp/shared/vault/path';
import type { ServedContext } from '../../context.ts';
import type { McpCaller } from '../../mcp/caller.ts';
import type { McpEndpoint } from '../../mcp/server.ts';
import { writeScope } from '../../operations/write-scope.ts';
import type { HttpContext } from '../env.ts';
import { type RoutedApp, resource } from '../methods.ts';
import { rawPathBehind } from '../raw-path.ts';
import { writeRequest } from '../write-request.ts';

const CONFINED = '/mcp/only';

export function mcpRoute(app: RoutedApp, mcp: McpEndpoint): void {
  const serve = async (c: HttpContext, caller: McpCaller) => {
    const answer = await mcp.fetch(c.req.raw, caller);
    // What the protocol takes leaves the rows of its own calls; what it refuses as a whole is a refused request.
    if (answer.ok) c.set('servedByMcp', true);
    else c.set('errorCode', 'invalid_request');
    // A copy, since the headers of an answer made elsewhere may be immutable and ours are added to them.
    return new Response(answer.body, answer);
  };
  resource(app, '/mcp', 'agents', { POST: (c, context) => serve(c, callerOf(c, context)) });
  resource(app, `${CONFINED}/*`, 'agents', {
    POST: async (c, context) => {
      const scope = await writeScope(context, decodeRequestPath(rawPathBehind(c, CONFINED)));
      return serve(c, callerOf(c, context, scope));
    },
  });
}

function callerOf(c: HttpContext, context: ServedContext, scope?: VaultPath): McpCaller {
  const { signal: _signal, ...said } = writeRequest(c);
  const request = scope === undefined ? said : { ...said, scope };
  return { request, context, isOperator: c.get('principal').kind === 'operator' };
}
