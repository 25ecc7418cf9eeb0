import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { StatusBody } from '@vault-mcp/api/operations/status';
import { afterEach, describe, expect, it } from 'vitest';
import { endingOf } from './ending.ts';
import { EXIT } from './exit-codes.ts';
import { createServerClient, progressOf } from './server-client.ts';

let server: Server | undefined;
afterEach(() => server?.close());

async function clientOf(listener: RequestListener, timeoutMs?: number) {
  server = createServer(listener);
  await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve));
  return createServerClient(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, 'the-key', { timeoutMs });
}

const json = (status: number, body: unknown): RequestListener => {
  return (_request, response) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
};

const failure = (promise: Promise<unknown>) => promise.then(() => undefined, endingOf);

describe('calls to a running server', () => {
  it('carry the key and ask for JSON', async () => {
    const seen: (string | undefined)[] = [];
    const client = await clientOf(async (request, response) => {
      seen.push(
        request.method,
        request.url,
        request.headers.authorization,
        request.headers.accept,
        await text(request),
      );
      json(200, { results: [] })(request, response);
    });
    expect(await client.search({ q: 'a b&c', k: 3 })).toEqual({ results: [] });
    expect(seen).toEqual(['POST', '/search', 'Bearer the-key', 'application/json', '{"q":"a b&c","k":3}']);
  });

  it('take /readyz’s body whether it is ready or not', async () => {
    const body = { status: 'not_ready', index: {}, queue: {}, embedder: {}, watcher: {} };
    const client = await clientOf(json(503, body));
    expect(await client.status()).toEqual(body);
  });

  it('pass on the server’s own refusals', async () => {
    const client = await clientOf(json(404, { code: 'not_found', error: 'Nothing is indexed under "X".' }));
    await expect(client.search({ q: 'x' })).rejects.toMatchObject({
      code: 'not_found',
      message: 'Nothing is indexed under "X".',
    });
  });

  it.each([
    ['another key', json(401, { code: 'unauthorized', error: '' }), /another key/],
    [
      'an answer nobody understands',
      ((_request, response) => response.writeHead(502).end('<html>')) as RequestListener,
      /answered 502/,
    ],
    ['a hang-up', ((request) => request.socket.destroy()) as RequestListener, /cannot be reached/],
  ])('say in one line what to do about %s', async (_what, listener, expected) => {
    const ending = await failure((await clientOf(listener)).reindex({ rebuild: false }));
    expect(ending?.exitCode).toBe(EXIT.failed);
    expect(ending?.message).toMatch(expected);
    expect(ending?.message).not.toContain('the-key');
  });

  it.each([
    ['a status without an index', json(200, { status: 'ready', queue: {} }), /no status of its index.*another version/],
    ['a list', json(503, []), /no status of its index.*another version/],
    [
      'what is no JSON',
      ((_request, response) => response.end('<html>')) as RequestListener,
      /200 and nothing.*version/,
    ],
    ['a refusal', json(503, { code: 'not_ready', error: 'The index is closed.' }), /^The index is closed\.$/],
  ])('say that another server answers %s instead of its status', async (_what, listener, expected) => {
    const ending = await failure((await clientOf(listener)).status());
    expect(ending?.exitCode).toBe(EXIT.failed);
    expect(ending?.message).toMatch(expected);
  });

  it('do not wait for ever', async () => {
    const client = await clientOf(() => undefined, 50);
    expect((await failure(client.status()))?.message).toMatch(/did not answer in time/);
    server?.closeAllConnections();
  });

  it('carry a consolidation alike, and say that the server goes on with it when it takes too long', async () => {
    const seen: (string | undefined)[] = [];
    const client = await clientOf((request, response) => {
      seen.push(request.method, request.url, request.headers.authorization, request.headers.accept);
      json(200, { clusters: [] })(request, response);
    });
    expect(await client.consolidate({ ceiling: 0.1 })).toEqual({ clusters: [] });
    expect(seen).toEqual(['POST', '/memory/consolidate', 'Bearer the-key', 'application/json']);
    server?.close();
    const slow = await clientOf(() => undefined, 50);
    expect((await failure(slow.consolidate({})))?.message).toMatch(/goes on: look later/);
    server?.closeAllConnections();
  });
});

describe('how far a server has come', () => {
  const index = { state: 'building', waiting: 0 };
  const body = (waiting: number, depth: number) =>
    ({ index: { ...index, waiting }, queue: { depth }, extraction: {}, embedder: {} }) as unknown as StatusBody;

  it.each([
    ['as many files wait as it reports', 41, 3, 41],
    ['none wait when it reports none and nothing is queued', 0, 0, 0],
    ['nobody knows when it reports none but jobs are queued, since its report is older', 0, 3, null],
  ])('%s', (_what, reported, depth, expected) => {
    expect(progressOf(body(reported, depth)).waiting).toBe(expected);
  });

  it('is told as far as an older server tells it, which knows neither documents nor waiting files', async () => {
    const index = {
      state: 'ready',
      error: null,
      notes: 2,
      documents: 1,
      chunks: 5,
      embedded: 5,
      pending: 0,
      failed: 0,
    };
    const embedder = { ok: true, provider: 'builtin', model: 'm', error: null };
    const older = { status: 'ready', index, queue: { depth: 0 }, embedder, watcher: {} };
    const progress = progressOf(await (await clientOf(json(200, older))).status());
    expect(progress).toMatchObject({ state: 'ready', waiting: 0, idle: true, counts: { notes: 2 }, embedder });
    expect(progress).not.toHaveProperty('documents');
  });

  it('is idle only when no job and no file waits', () => {
    expect(progressOf(body(0, 0)).idle).toBe(true);
    expect(progressOf(body(0, 3)).idle).toBe(false);
    expect(progressOf(body(41, 0)).idle).toBe(false);
  });
});
