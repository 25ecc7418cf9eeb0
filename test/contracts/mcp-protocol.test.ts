// What stands on the wire of /mcp when a client does not do as it should, in both protocol eras: JSON-RPC errors with
// the codes that the protocol gives them, nothing written, nothing of the inside told.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ServedVault, serveVault } from '../support/served-vault.ts';

let served: ServedVault;
beforeAll(async () => {
  served = await serveVault({ 'Note.md': '# Note\n\nA text.\n', 'House/Roof.md': '# Roof\n' });
});
afterAll(() => served.close());

const MODERN = '2026-07-28';
const VERSIONS = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'];
const ERAS = ['2025', '2026'] as const;

interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly messages: {
    id?: unknown;
    result?: Record<string, unknown>;
    error?: { code: number; message: string; data?: unknown };
  }[];
}

async function post(body: string | Uint8Array<ArrayBuffer>, headers: Record<string, string> = {}): Promise<Answer> {
  const answer = await served.get('/mcp', {
    method: 'POST',
    body,
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers },
  });
  const text = await answer.text();
  const streamed = answer.headers.get('content-type') === 'text/event-stream';
  const parts = streamed
    ? [...text.matchAll(/^data: (.+)$/gm)].map(([, data = '']) => data)
    : text === ''
      ? []
      : [text];
  return { status: answer.status, headers: answer.headers, messages: parts.map((part) => JSON.parse(part)) };
}

/** One request as a client of the era sends it: body and headers. */
function request(
  era: (typeof ERAS)[number],
  method: string,
  params?: Record<string, unknown>,
): [string, Record<string, string>] {
  if (era === '2025') return [JSON.stringify({ jsonrpc: '2.0', id: 7, method, params }), {}];
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': MODERN,
    'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  const name = params?.name ?? params?.uri;
  return [
    JSON.stringify({ jsonrpc: '2.0', id: 7, method, params: { ...params, _meta } }),
    {
      'mcp-protocol-version': MODERN,
      'mcp-method': method,
      ...(typeof name === 'string' ? { 'mcp-name': name } : {}),
    },
  ];
}

function ask(era: (typeof ERAS)[number], method: string, params?: Record<string, unknown>): Promise<Answer> {
  return post(...request(era, method, params));
}

const errorOf = ({ messages: [message] }: Answer) => message?.error;
const resultOf = ({ messages: [message] }: Answer) => message?.result;

describe('the handshake', () => {
  const initialize = (protocolVersion: string) =>
    ask('2025', 'initialize', { protocolVersion, capabilities: {}, clientInfo: { name: 'test', version: '1' } });

  it.each(VERSIONS)('agrees on %s when a client asks for it', async (version) => {
    expect(resultOf(await initialize(version))).toMatchObject({ protocolVersion: version });
  });

  it('offers its newest handshake to a client that asks for a version there is not', async () => {
    expect(resultOf(await initialize('1999-01-01'))).toMatchObject({ protocolVersion: '2025-11-25' });
  });

  it('promises tools and resources, news of neither, and nothing else', async () => {
    const capabilities = { tools: { listChanged: false }, resources: { listChanged: false } };
    expect(resultOf(await initialize('2025-11-25'))?.capabilities).toEqual(capabilities);
    expect(resultOf(await ask('2026', 'server/discover'))).toMatchObject({
      supportedVersions: [MODERN],
      capabilities,
    });
  });

  it('is answered without a session', async () => {
    expect((await initialize('2025-11-25')).headers.get('mcp-session-id')).toBeNull();
  });
});

describe.each(ERAS)('a request of %s', (era) => {
  it.each(['prompts/list', 'prompts/get', 'completion/complete', 'logging/setLevel', 'resources/subscribe', 'no/such'])(
    'for %s, which is not offered, is an unknown method',
    async (method) => {
      const answer = await ask(era, method, { name: 'x', uri: 'vault://note/Note.md' });
      expect(errorOf(answer)?.code).toBe(-32601);
    },
  );

  it.each(['no_such_tool', '__proto__', 'constructor'])('for the tool %s is a wrong parameter', async (name) => {
    expect(errorOf(await ask(era, 'tools/call', { name, arguments: {} }))?.code).toBe(-32602);
  });

  it('for a tool without its arguments is a tool error that names them', async () => {
    const result = resultOf(await ask(era, 'tools/call', { name: 'vault_map' }));
    expect(result).toMatchObject({ isError: true, _meta: { 'vault-mcp/code': 'invalid_request' } });
    expect(JSON.stringify(result?.content)).toContain('path is required');
  });

  it.each(['vault://note/No such note.md', 'vault://document/a.pdf', 'file:///etc/passwd', 'note', ''])(
    'for the resource %j names it in the error, as clients know a missing one',
    async (uri) => {
      expect(errorOf(await ask(era, 'resources/read', { uri }))).toMatchObject({ code: -32602, data: { uri } });
    },
  );

  it.each([
    ['resources/read', {}, 'uri is required'],
    ['resources/read', { uri: 7 }, 'uri must be a string'],
    ['resources/list', { cursor: 7 }, 'cursor must be a string'],
    ['resources/list', { cursor: 'made up' }, 'This cursor was not made by a listing'],
    ['tools/list', { cursor: 7 }, 'cursor'],
  ])('%s with %j is refused in prose', async (method, params, says) => {
    const error = errorOf(await ask(era, method, params));
    expect(error?.code).toBe(-32602);
    expect(error?.message).toContain(says);
    // The schema library's own list of problems.
    expect(error?.message).not.toContain('"path"');
  });

  it('lists resources that can be read as they are listed', async () => {
    const { resources } = resultOf(await ask(era, 'resources/list')) as { resources: { uri: string }[] };
    expect(resources.map(({ uri }) => uri)).toEqual(['vault://note/House/Roof.md', 'vault://note/Note.md']);
    for (const { uri } of resources) {
      expect(resultOf(await ask(era, 'resources/read', { uri }))).toMatchObject({ contents: [{ uri }] });
    }
  });
});

describe('a request without a handshake', () => {
  it.each([
    ['initialize', { protocolVersion: MODERN, capabilities: {}, clientInfo: { name: 'test', version: '1' } }],
    ['ping', {}],
  ])('knows no %s any more', async (method, params) => {
    const answer = await ask('2026', method, params);
    expect([answer.status, errorOf(answer)?.code]).toEqual([404, -32601]);
  });

  it.each([
    ['another version in the body than in the header', { 'mcp-protocol-version': '2025-11-25' }],
    ['another method in the header than in the body', { 'mcp-method': 'tools/call' }],
  ])('is refused with %s', async (_what, wrong) => {
    const [body, headers] = request('2026', 'tools/list');
    const answer = await post(body, { ...headers, ...wrong });
    // HeaderMismatch of the 2026-07-28 revision.
    expect([answer.status, errorOf(answer)?.code, answer.messages[0]?.id]).toEqual([400, -32020, 7]);
  });

  it('is refused when no header names its version', async () => {
    const [body] = request('2026', 'tools/list');
    const answer = await post(body);
    expect([answer.status, errorOf(answer)?.code, answer.messages[0]?.id]).toEqual([400, -32020, 7]);
  });
});

describe('a body', () => {
  const ping = (id: unknown) => JSON.stringify({ jsonrpc: '2.0', id, method: 'ping' });

  it.each([
    ['that breaks off', '{"jsonrpc":', -32700],
    ['that is empty', '', -32700],
    ['that is no message', '{"a":1}', -32600],
    ['that is only a word', '"ping"', -32600],
    ['that is null', 'null', -32600],
    ['of another JSON-RPC', '{"jsonrpc":"1.0","id":1,"method":"ping"}', -32600],
    ['whose parameters are a list', '{"jsonrpc":"2.0","id":1,"method":"ping","params":[1]}', -32600],
    ['whose id is null', ping(null), -32600],
    ['whose id is an object', ping({}), -32600],
    ['whose id is no whole number', ping(1.5), -32600],
    ['whose id is past what a double holds', '{"jsonrpc":"2.0","id":99999999999999999999,"method":"ping"}', -32600],
    ['that is an empty batch', '[]', -32600],
    ['that is a batch with something else in it', `[${ping(1)},1]`, -32600],
  ])('%s is 400 with the JSON-RPC error for it', async (_what, body, code) => {
    const answer = await post(body);
    expect([answer.status, errorOf(answer)?.code]).toEqual([400, code]);
  });

  it('that is a batch is answered message by message', async () => {
    const { messages } = await post(`[${ping(1)},${ping('two')},{"jsonrpc":"2.0","method":"notifications/x"}]`);
    expect(messages.map(({ id }) => id).toSorted()).toEqual([1, 'two']);
  });

  it.each([
    ['a notification', { jsonrpc: '2.0', method: 'notifications/initialized' }],
    ['a notification nobody knows', { jsonrpc: '2.0', method: 'notifications/x' }],
    ['an answer nobody waits for', { jsonrpc: '2.0', id: 3, result: {} }],
  ])('that is %s is taken without a word', async (_what, message) => {
    const { status, messages } = await post(JSON.stringify(message));
    expect([status, messages]).toEqual([202, []]);
  });

  it('with a long id comes back with it', async () => {
    const id = 'ü'.repeat(5000);
    expect((await post(ping(id))).messages[0]?.id).toBe(id);
  });

  it.each([
    ['another content type', { 'content-type': 'text/plain' }, 415],
    ['no wish for an event stream', { accept: 'application/json' }, 406],
    ['a version there is not', { 'mcp-protocol-version': '1999-01-01' }, 400],
  ])('with %s is refused', async (_what, headers, status) => {
    const answer = await post(ping(1), headers);
    expect([answer.status, errorOf(answer)?.message]).toEqual([status, expect.any(String)]);
  });

  it.each(ERAS)('of %s that is not UTF-8 is refused whole, and writes nothing', async (era) => {
    const params = { name: 'vault_write', arguments: { path: 'Note.md', content: 'caf\u00e9' } };
    const [text, headers] = request(era, 'tools/call', params);
    const answer = await post(Uint8Array.from(Buffer.from(text, 'latin1')), headers);
    expect([answer.status, errorOf(answer)?.code]).toEqual([400, -32700]);
    expect(readFileSync(join(served.vaultPath, 'Note.md'), 'utf8')).toBe('# Note\n\nA text.\n');
  });
});
