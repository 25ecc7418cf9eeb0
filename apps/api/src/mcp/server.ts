/**
 * The MCP server as a factory: a fresh server for every HTTP request or stdio connection, so that nothing of one
 * client can reach another. Both protocol eras are served from the same tools.
 */
import { createMcpHandler, type McpRequestContext, type McpServerFactory } from '@modelcontextprotocol/server';
import { asAuthInfo, type Caller, callerOf } from './caller.ts';
import type { CallDeps } from './counted-call.ts';
import { instructionsFor } from './instructions.ts';
import { offerResources, RESOURCE_CAPABILITY } from './resources.ts';
import { strictlyUtf8 } from './strict-utf8.ts';
import type { AnyTool } from './tool.ts';
import { appendTool } from './tools/append.ts';
import { createFolderTool } from './tools/create-folder.ts';
import { deleteTool } from './tools/delete.ts';
import { deleteFolderTool } from './tools/delete-folder.ts';
import { linksTool } from './tools/links.ts';
import { listTool } from './tools/list.ts';
import { mapTool } from './tools/map.ts';
import { moveTool } from './tools/move.ts';
import { patchTool } from './tools/patch.ts';
import { readTool } from './tools/read.ts';
import { replaceTextTool } from './tools/replace-text.ts';
import { searchTool } from './tools/search.ts';
import { setBodyTool } from './tools/set-body.ts';
import { setFrontmatterTool } from './tools/set-frontmatter.ts';
import { writeTool } from './tools/write.ts';
import { VaultMcpServer } from './vault-mcp-server.ts';

/** Tool set (`mcp.tools`) → its tools, in the order they are listed. A set with no tools yet adds none. */
const TOOL_SETS: Readonly<Record<string, readonly AnyTool[]>> = {
  core: [
    ...[searchTool, readTool, listTool, mapTool],
    ...[patchTool, replaceTextTool, appendTool, writeTool, setBodyTool, setFrontmatterTool],
    ...[deleteTool, moveTool, createFolderTool, deleteFolderTool],
  ],
  links: [linksTool],
};

export interface McpDeps extends CallDeps {
  /** The product's version, as clients show it. */
  readonly version: string;
}

/**
 * For `createMcpHandler` (HTTP) and `serveStdio` (`vault-mcp mcp`) alike.
 * @param deps shared by all servers it makes; holds no state of a client
 * @param callerFor who is behind a request or connection; throwing refuses it
 */
export function createMcpServerFactory(
  deps: McpDeps,
  callerFor: (request: McpRequestContext) => Caller,
): McpServerFactory {
  const { config } = deps.context;
  const tools = chosenTools(config);
  const listed = tools.filter(({ writes }) => !writes || !config.server.read_only);
  const called = new Map(tools.map((tool) => [tool.name, tool]));
  const reads = listed.includes(readTool);
  const instructions = instructionsFor({ reads, writes: listed.some(({ writes }) => writes) });
  // Neither tools nor the list of them change while the process lives, so no client need wait for news of them.
  const capabilities = { tools: { listChanged: false }, ...(reads ? { resources: RESOURCE_CAPABILITY } : {}) };
  return (request) => {
    const caller = callerFor(request);
    const info = { name: 'vault-mcp', title: 'Vault', version: deps.version };
    const server = new VaultMcpServer(info, { capabilities, instructions }, deps, caller);
    server.offerTools(called, listed);
    if (reads) offerResources(server, deps, caller);
    return server;
  };
}

function chosenTools({ mcp }: McpDeps['context']['config']): AnyTool[] {
  return [...new Set(mcp.tools)].flatMap((set) => TOOL_SETS[set] ?? []);
}

/** A body holds one call: a note's text, which JSON may double, and some arguments. */
const CALL_BYTES = 64 * 1024;

export interface McpEndpoint {
  /** @param caller whoever the door let in, and what it confined them to */
  fetch(request: Request, caller: Caller): Promise<Response>;
  /** Ends what still streams. */
  close(): Promise<void>;
}

/** The factory behind streamable HTTP, stateless: GET and DELETE are the caller's to refuse. */
export function createMcpEndpoint(deps: McpDeps): McpEndpoint {
  const handler = createMcpHandler(createMcpServerFactory(deps, callerOf), {
    maxRequestBodySize: deps.context.config.vault.note_max_bytes * 2 + CALL_BYTES,
    onerror: (error) => deps.context.log.debug({ err: error }, 'mcp request refused'),
  });
  return {
    fetch: (request, caller) => handler.fetch(strictlyUtf8(request), { authInfo: asAuthInfo(caller) }),
    close: () => handler.close(),
  };
}
