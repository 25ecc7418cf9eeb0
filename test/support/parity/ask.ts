/** One call over one surface, and what it came to in words that both surfaces share. */
import { type McpClient, modernClient, type ToolAnswer } from '../mcp-clients.ts';
import type { RestCall, ToolCall } from './row.ts';

export interface Answered {
  /** `PATCH /vault/Plan.md`, `vault_patch`. */
  readonly call: string;
  /** `ok`, or the error's code. */
  readonly code: string;
  /** The error's message. */
  readonly message: string | null;
  /** The structured answer of a call that went well. */
  readonly answer: Readonly<Record<string, unknown>> | null;
}

/** Where a server listens, and what every request to it brings along, the key for one. */
interface Server {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** A server as both kinds of callers see it. */
export interface Asked {
  ask(call: RestCall | ToolCall): Promise<Answered>;
  close(): Promise<void>;
}

export async function connectTo(server: Server): Promise<Asked> {
  const client = await modernClient({ url: new URL('/mcp', server.url), headers: server.headers });
  // From here on the client holds each answer to the schema that the tool lists.
  await client.listTools();
  return {
    ask: (call) => ('tool' in call ? askTool(client, call) : askRest(server, call)),
    close: () => client.close(),
  };
}

async function askRest(server: Server, { method, url, headers, body }: RestCall): Promise<Answered> {
  const response = await fetch(server.url + url, {
    method,
    headers: { ...server.headers, ...headers },
    ...(body === undefined ? {} : { body: Buffer.from(body) }),
  });
  const json = (await response.json()) as Record<string, unknown>;
  const call = `${method} ${url}`;
  if (response.ok) {
    requireEtagHeader(call, response, json);
    return { call, code: 'ok', message: null, answer: json };
  }
  return { call, code: String(json.code), message: String(json.error), answer: null };
}

/** The version stands in the answer and, quoted, in its header. */
function requireEtagHeader(call: string, { headers }: Response, { etag }: Record<string, unknown>): void {
  const wanted = typeof etag === 'string' ? `"${etag}"` : null;
  if (headers.get('etag') === wanted) return;
  throw new Error(`${call} answers the etag ${String(etag)}, but the header ${headers.get('etag')}`);
}

async function askTool(client: McpClient, { tool, args }: ToolCall): Promise<Answered> {
  const answer = await client.call(tool, args);
  if (answer.isError !== true) {
    return { call: tool, code: 'ok', message: null, answer: answer.structuredContent ?? null };
  }
  const code = String(answer._meta?.['vault-mcp/code']);
  return { call: tool, code, message: messageOf(answer, code), answer: null };
}

/** What a model reads; the code stands before it. */
function messageOf({ content }: ToolAnswer, code: string): string {
  const text = content.map((block) => block.text ?? '').join('\n');
  if (!text.startsWith(`${code}: `)) throw new Error(`"${text}" does not open with the code ${code}`);
  return text.slice(code.length + 2);
}
