/**
 * The MCP server as a factory: a fresh server for every HTTP request or stdio connection, so that nothing of one
 * client can reach another. Both protocol eras are served from the same tools.
 */
import { createMcpHandler, type McpRequestContext, type McpServerFactory } from '@modelcontextprotocol/server';
import type { ServedContext } from '../context.ts';
import type { ApiMetrics } from '../metrics.ts';
import { asAuthInfo, callerOf, type McpCaller } from './caller.ts';
import type { CallDeps } from './counted-call.ts';
import { instructionsFor, type Served } from './instructions.ts';
import { offerResources, RESOURCE_CAPABILITY } from './resources.ts';
import { strictlyUtf8 } from './strict-utf8.ts';
import type { AnyTool } from './tool.ts';
import { beyondRights } from './tool-rights.ts';
import { appendTool } from './tools/append.ts';
import { createFolderTool } from './tools/create-folder.ts';
import { deleteTool } from './tools/delete.ts';
import { deleteFolderTool } from './tools/delete-folder.ts';
import { filesWriteTool } from './tools/files-write.ts';
import { linksTool } from './tools/links.ts';
import { listTool } from './tools/list.ts';
import { mapTool } from './tools/map.ts';
import { moveTool } from './tools/move.ts';
import { patchTool } from './tools/patch.ts';
import { proposeTool } from './tools/propose.ts';
import { readTool } from './tools/read.ts';
import { replaceTextTool } from './tools/replace-text.ts';
import { searchTool } from './tools/search.ts';
import { setBodyTool } from './tools/set-body.ts';
import { setFrontmatterTool } from './tools/set-frontmatter.ts';
import { wikiAppendTool } from './tools/wiki-append.ts';
import { wikiIngestTool } from './tools/wiki-ingest.ts';
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
  memory: [proposeTool],
  wiki: [wikiAppendTool, wikiIngestTool, filesWriteTool],
};

/** What no caller's rights bear upon; a context comes with each caller. */
export interface McpDeps extends Pick<ServedContext, 'config' | 'log'> {
  readonly metrics: ApiMetrics;
  /** The product's version, as clients show it. */
  readonly version: string;
}

/**
 * For `createMcpHandler` (HTTP) and `serveStdio` (`vault-mcp mcp`) alike.
 * @param deps shared by all servers it makes; holds no state of a client
 * @param callerFor who is behind a request or connection; throwing refuses it
 */
export function createMcpServerFactory(
  { config, metrics, version }: McpDeps,
  callerFor: (request: McpRequestContext) => McpCaller,
): McpServerFactory {
  const tools = chosenTools(config);
  const listed = tools.filter(({ act }) => act === 'read' || !config.server.read_only);
  const called = new Map(tools.map((tool) => [tool.name, tool]));
  const reads = listed.includes(readTool);
  // Neither tools nor the list of them change while a client is served, so none need wait for news of them.
  const capabilities = { tools: { listChanged: false }, ...(reads ? { resources: RESOURCE_CAPABILITY } : {}) };
  return (asked) => {
    const { context, request, isOperator } = callerFor(asked);
    const deps: CallDeps = { context, metrics, isOperator };
    const offered = listed.filter((tool) => beyondRights(tool, deps) === null);
    const instructions = instructionsFor({
      reads,
      writes: mostOf(offered),
      memory: offered.includes(proposeTool),
      wiki: offered.includes(wikiAppendTool),
      rules: isOperator ? null : rulesOf(config, request.agent),
    });
    const info = { name: 'vault-mcp', title: 'Vault', version };
    const server = new VaultMcpServer(info, { capabilities, instructions }, deps, request);
    server.offerTools(called, offered);
    if (reads) offerResources(server, deps, request);
    return server;
  };
}

function mostOf(tools: readonly AnyTool[]): Served['writes'] {
  const acts = new Set(tools.map(({ act }) => act));
  if (acts.has('change')) return true;
  return acts.has('add') ? 'append' : false;
}

/** What the policy states for an agent; null where there is none. */
function rulesOf({ agents: { policy } }: McpDeps['config'], agent: string): Served['rules'] {
  return policy !== null && Object.hasOwn(policy, agent) ? (policy[agent] ?? null) : null;
}

/** What a server of this configuration offers, to whoever may. Without a folder for files there is nothing to write them to. */
export function chosenTools({ mcp, files }: McpDeps['config']): AnyTool[] {
  const tools = [...new Set(mcp.tools)].flatMap((set) => TOOL_SETS[set] ?? []);
  return tools.filter((tool) => tool !== filesWriteTool || files.root !== null);
}

/** A body holds one call: a note's text, which JSON may double, and some arguments. */
const CALL_BYTES = 64 * 1024;

export interface McpEndpoint {
  /** @param caller whoever the door let in, and what it confined them to */
  fetch(request: Request, caller: McpCaller): Promise<Response>;
  /** Ends what still streams. */
  close(): Promise<void>;
}

/** The factory behind streamable HTTP, stateless: GET and DELETE are the caller's to refuse. */
export function createMcpEndpoint(deps: McpDeps): McpEndpoint {
  const handler = createMcpHandler(createMcpServerFactory(deps, callerOf), {
    maxRequestBodySize: deps.config.vault.note_max_bytes * 2 + CALL_BYTES,
    onerror: (error) => deps.log.debug({ err: error }, 'mcp request refused'),
  });
  return {
    fetch: (request, caller) => handler.fetch(strictlyUtf8(request), { authInfo: asAuthInfo(caller) }),
    close: () => handler.close(),
  };
}
