/**
 * `/mcp`: hands POST to the protocol's own handler and refuses the rest, since a stateless server has no stream to
 * open and no session to end.
 */
import type { Hono } from 'hono';
import type { McpEndpoint } from '../../mcp/server.ts';
import type { HttpEnv } from '../env.ts';
import { resource } from '../methods.ts';

export function mcpRoute(app: Hono<HttpEnv>, mcp: McpEndpoint): void {
  resource(app, '/mcp', {
    POST: async (c) => {
      c.set('servedByMcp', true);
      const answer = await mcp.fetch(c.req.raw);
      // A copy, since the headers of an answer made elsewhere may be immutable and ours are added to them.
      return new Response(answer.body, answer);
    },
  });
}
