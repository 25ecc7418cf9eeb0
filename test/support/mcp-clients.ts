/**
 * Real MCP clients of every line that has to work, behind one shape, so that a test can ask all of them the same.
 */
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { Client as V1Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as V1Transport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { API_KEY } from './served-vault.ts';

export interface ToolAnswer {
  readonly isError?: boolean | undefined;
  readonly structuredContent?: Record<string, unknown> | undefined;
  readonly content: { type: string; text?: string }[];
  readonly _meta?: Record<string, unknown> | undefined;
}

export interface ListedResource {
  readonly uri: string;
  readonly name: string;
  readonly mimeType?: string | undefined;
  readonly size?: number | undefined;
}

export interface ResourceText {
  readonly uri: string;
  readonly mimeType?: string | undefined;
  readonly text?: string;
  readonly _meta?: Record<string, unknown> | undefined;
}

/** What a test needs of a client, whatever line it is from. */
export interface McpClient {
  listTools(): Promise<{ tools: Record<string, unknown>[] }>;
  call(name: string, args: Record<string, unknown>): Promise<ToolAnswer>;
  listResources(cursor?: string): Promise<{ resources: ListedResource[]; nextCursor?: string | undefined }>;
  listTemplates(): Promise<Record<string, unknown>[]>;
  readResource(uri: string): Promise<ResourceText[]>;
  instructions(): string | undefined;
  protocolVersion(): string | undefined;
  close(): Promise<void>;
}

/** Where to connect, with what besides the key. */
export interface Connection {
  /** Of the endpoint: `/mcp`, `/mcp/only/…`. */
  readonly url: URL;
  readonly headers?: Readonly<Record<string, string>>;
  /** In place of the global one, such as a way through a proxy. */
  readonly fetch?: typeof fetch;
}

export type Connect = (connection: Connection) => Promise<McpClient>;

const init = ({ headers = {}, fetch = globalThis.fetch }: Connection) => ({
  requestInit: { headers: { authorization: `Bearer ${API_KEY}`, ...headers } },
  fetch,
});

const v2 =
  (mode: 'legacy' | { pin: string }): Connect =>
  async (connection) => {
    const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } });
    await client.connect(new StreamableHTTPClientTransport(connection.url, init(connection)));
    return asMcpClient(client);
  };

export const modernClient: Connect = v2({ pin: '2026-07-28' });
export const legacyClient: Connect = v2('legacy');

export const v1Client: Connect = async (connection) => {
  const client = new V1Client({ name: 'test', version: '1' });
  const transport = new V1Transport(connection.url, init(connection));
  await client.connect(transport as Parameters<typeof client.connect>[0]);
  return { ...asMcpClient(client as unknown as Client), protocolVersion: () => transport.protocolVersion };
};

/** Starts a program that speaks the protocol over standard input and output. */
export async function stdioClient(program: ConstructorParameters<typeof StdioClientTransport>[0]): Promise<McpClient> {
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(new StdioClientTransport(program));
  return asMcpClient(client);
}

/** Name, way to connect, and the protocol version spoken. */
export const HTTP_CLIENTS: readonly [string, Connect, RegExp][] = [
  ['the v2 client, 2026-07-28', modernClient, /^2026-07-28$/],
  ['the v2 client, 2025 handshake', legacyClient, /^2025-/],
  ['the v1 client', v1Client, /^2025-/],
];

/** Both lines name these calls alike. */
function asMcpClient(client: Client): McpClient {
  return {
    listTools: async () => ({ tools: (await client.listTools()).tools as unknown as Record<string, unknown>[] }),
    call: async (name, args) => (await client.callTool({ name, arguments: args })) as unknown as ToolAnswer,
    // The page asked for, where the client would gather all of them by itself.
    listResources: async (cursor) =>
      (await client.listResources(cursor === undefined ? {} : { cursor })) as Awaited<
        ReturnType<McpClient['listResources']>
      >,
    listTemplates: async () =>
      (await client.listResourceTemplates()).resourceTemplates as unknown as Record<string, unknown>[],
    readResource: async (uri) => (await client.readResource({ uri })).contents as unknown as ResourceText[],
    instructions: () => client.getInstructions(),
    protocolVersion: () => client.getNegotiatedProtocolVersion(),
    close: () => client.close(),
  };
}

export function textOf(answer: ToolAnswer): string {
  return answer.content.map((block) => block.text ?? '').join('\n');
}
