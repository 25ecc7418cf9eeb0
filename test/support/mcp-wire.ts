/**
 * The MCP server asked without a socket and without a client's checks: arguments that no client would send go in as
 * they are, through JSON as they would on the wire. For tests that ask tens of thousands of times.
 */
import { InMemoryTransport, type JSONRPCMessage } from '@modelcontextprotocol/server';
import type { McpCaller } from '@vault-mcp/api/mcp/caller';
import { createMcpServerFactory } from '@vault-mcp/api/mcp/server';
import { createMetrics } from '@vault-mcp/api/metrics';
import type { ServedVault } from './served-vault.ts';

export interface WireAnswer {
  readonly result?: Readonly<Record<string, unknown>>;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
}

export interface McpWire {
  request(method: string, params: unknown): Promise<WireAnswer>;
  close(): Promise<void>;
}

/** @param caller whose calls these are, and what their writes are confined to */
export async function mcpWire(served: ServedVault, caller: McpCaller['request']): Promise<McpWire> {
  const { context } = served;
  const { config, log } = context;
  const factory = createMcpServerFactory({ config, log, metrics: createMetrics(), version: '1.2.3' }, () => ({
    request: caller,
    context,
    isOperator: true,
  }));
  const server = await factory({} as Parameters<typeof factory>[0]);
  const [ours, theirs] = InMemoryTransport.createLinkedPair();
  const waiting = new Map<number, (answer: WireAnswer) => void>();
  ours.onmessage = (message) => {
    const answer = throughJson(message) as WireAnswer & { id?: number };
    if (answer.id !== undefined) waiting.get(answer.id)?.(answer);
  };
  await ours.start();
  await server.connect(theirs);
  let last = 0;
  const request = (method: string, params: unknown): Promise<WireAnswer> => {
    const id = ++last;
    const answered = new Promise<WireAnswer>((resolve) => waiting.set(id, resolve));
    void ours.send(throughJson({ jsonrpc: '2.0', id, method, params }) as JSONRPCMessage);
    return answered.finally(() => waiting.delete(id));
  };
  const client = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } };
  await request('initialize', client);
  await ours.send({ jsonrpc: '2.0', method: 'notifications/initialized' });
  return { request, close: () => ours.close() };
}

function throughJson(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}
