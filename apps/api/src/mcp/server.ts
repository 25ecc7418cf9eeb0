/**
 * The MCP server as a factory: a fresh server for every HTTP request or stdio connection, so that nothing of one
 * client can reach another. Both protocol eras are served from the same tools.
 */
import { createMcpHandler, McpServer, type McpServerFactory } from '@modelcontextprotocol/server';
import { INSTRUCTIONS } from './instructions.ts';
import type { AnyTool, ToolDeps } from './tool.ts';
import { listTool } from './tools/list.ts';
import { mapTool } from './tools/map.ts';
import { readTool } from './tools/read.ts';
import { searchTool } from './tools/search.ts';

/** Tool set (`mcp.tools`) → its tools, in the order they are listed. A set with no tools yet adds none. */
const TOOL_SETS: Readonly<Record<string, readonly AnyTool[]>> = {
  core: [searchTool, readTool, listTool, mapTool],
};

export interface McpDeps extends ToolDeps {
  /** The product's version, as clients show it. */
  readonly version: string;
}

/**
 * For `createMcpHandler` (HTTP) and `serveStdio` (`vault-mcp mcp`) alike.
 * @param deps shared by all servers it makes; holds no state of a client
 */
export function createMcpServerFactory(deps: McpDeps): McpServerFactory {
  const tools = [...new Set(deps.context.config.mcp.tools)].flatMap((set) => TOOL_SETS[set] ?? []);
  return () => {
    const server = new McpServer(
      { name: 'vault-mcp', title: 'Vault', version: deps.version },
      // The tools never change while the process lives, so no client need wait for news of them.
      { capabilities: { tools: { listChanged: false } }, instructions: INSTRUCTIONS },
    );
    for (const tool of tools) tool.register(server, deps);
    return server;
  };
}

/** Largest body of one MCP request: arguments only, no uploads. */
const MAX_REQUEST_BYTES = 1024 * 1024;

export interface McpEndpoint {
  fetch(request: Request): Promise<Response>;
  /** Ends what still streams. */
  close(): Promise<void>;
}

/** The factory behind streamable HTTP, stateless: GET and DELETE are the caller's to refuse. */
export function createMcpEndpoint(deps: McpDeps): McpEndpoint {
  return createMcpHandler(createMcpServerFactory(deps), {
    maxRequestBodySize: MAX_REQUEST_BYTES,
    onerror: (error) => deps.context.log.debug({ err: error }, 'mcp request refused'),
  });
}
