import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { silentLogger } from '@vault-mcp/shared/log';
import { Hono } from 'hono';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { listen, type RunningServer } from '../serve.ts';
import type { HttpEnv } from './env.ts';
import { outlastUnreadBodies, type UnreadBounds } from './unread-body.ts';

const FAR: UnreadBounds = { bytes: 1e9, pauseMs: 60_000, totalMs: 60_000 };
const PART = Buffer.alloc(64 * 1024, 'x');

/** Of two events, the second of which comes when the test lets it. */
let goOn: () => void;
function eventStream(): ReadableStream<Uint8Array> {
  const event = (data: string) => new TextEncoder().encode(`data: ${data}\n\n`);
  const opened = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  let sent = 0;
  return new ReadableStream({
    async pull(controller) {
      sent += 1;
      if (sent > 1) await opened;
      controller.enqueue(event(sent === 1 ? 'one' : 'two'));
      if (sent > 1) controller.close();
    },
  });
}

let server: RunningServer;
let client: Socket;
/** A server that refuses everything at once, and a client that has begun to send it a body. */
async function begin(bounds: UnreadBounds, length: number, path = '/', method = 'POST', headers = ''): Promise<void> {
  const app = new Hono<HttpEnv>();
  app.use(outlastUnreadBodies(bounds));
  app.post('/', (c) => c.json({ code: 'invalid_request' }, 400));
  app.get('/', (c) => c.json({ code: 'invalid_request' }, 400));
  app.post('/empty', (c) => c.body(null, 204));
  app.post('/events', (c) => c.body(eventStream(), 200, { 'content-type': 'text/event-stream' }));
  app.post('/read', async (c) => c.text(`read ${(await c.req.arrayBuffer()).byteLength}`));
  server = (await listen({ host: '127.0.0.1', port: 0, log: silentLogger() })).answerWith(app, { graceMs: 0 });
  client = connect(server.port, '127.0.0.1');
  client.on('error', () => {
    // Reset, in the end: the tests look at what came before.
  });
  await once(client, 'connect');
  client.write(`${method} ${path} HTTP/1.1\r\nHost: x\r\nContent-Length: ${length}\r\n${headers}\r\n`);
}
afterEach(async () => {
  client.destroy();
  await server.close();
});

const answer = async () => String((await once(client, 'data'))[0]);
const send = (bytes: Buffer) => new Promise<void>((resolve) => client.write(bytes, () => resolve()));
const ended = () => new Promise<void>((resolve) => client.once('close', () => resolve()));

describe('an answer before the end of the body', () => {
  it('comes at once and says its length and that the connection ends', async () => {
    await begin(FAR, 1_000_000);
    const text = await answer();
    expect(text).toMatch(/^HTTP\/1\.1 400 /);
    expect(text).toMatch(/\r\nconnection: close\r\n/i);
    expect(text).toMatch(/\r\ncontent-length: 26\r\n/i);
    expect(text).toMatch(/\{"code":"invalid_request"\}$/);
  });

  it('is followed by the end of the connection when the rest has come', async () => {
    await begin(FAR, 10 * PART.length);
    const all = buffer(client);
    for (let sent = 0; sent < 10; sent += 1) await send(PART);
    expect(String(await all)).toMatch(/\{"code":"invalid_request"\}$/);
  });

  it('is followed by it as well when more has come than is taken in', async () => {
    await begin({ ...FAR, bytes: 2 * PART.length }, 1e9);
    await answer();
    const closed = ended();
    for (let sent = 0; sent < 1000 && !client.destroyed; sent += 1) await send(PART);
    await closed;
    // What the two kernels hold on its way besides.
    expect(client.bytesWritten).toBeLessThan(40_000_000);
  });

  it('is followed by it when nothing comes, and when it takes too long altogether', async () => {
    await begin({ ...FAR, pauseMs: 20 }, 1e9);
    await Promise.all([answer(), ended()]);
    await server.close();
    await begin({ ...FAR, totalMs: 20 }, 1e9);
    const closed = ended();
    while (!client.destroyed) {
      await send(PART);
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
    await closed;
  });

  it('is what a body that was read to its end knows nothing of', async () => {
    await begin({ ...FAR, bytes: 0, pauseMs: 0, totalMs: 0 }, 3 * PART.length, '/read');
    for (let sent = 0; sent < 3; sent += 1) await send(PART);
    const text = await answer();
    expect(text).toMatch(new RegExp(`read ${3 * PART.length}$`));
    expect(text).not.toMatch(/connection: close/i);
  });

  it.each([
    ['has no body of its own: HEAD', 'HEAD', '/', '', /^HTTP\/1\.1 400 /],
    ['has no body of its own: 204', 'POST', '/empty', '', /^HTTP\/1\.1 204 /],
    ['goes to a proxy', 'POST', '/', 'X-Forwarded-For: 192.0.2.1\r\n', /^HTTP\/1\.1 400 [\s\S]*"}$/],
    ['goes to a proxy of the newer kind', 'POST', '/', 'Forwarded: for=192.0.2.1\r\n', /^HTTP\/1\.1 400 [\s\S]*"}$/],
    ['goes through one that only names itself', 'POST', '/', 'Via: 1.1 gate\r\n', /^HTTP\/1\.1 400 [\s\S]*"}$/],
  ])(
    'comes after the rest where it %s, on a connection that goes on',
    async (_where, method, path, headers, status) => {
      await begin(FAR, 10 * PART.length, path, method, headers);
      let text = '';
      client.on('data', (part) => {
        text += String(part);
      });
      for (let sent = 0; sent < 9; sent += 1) await send(PART);
      // Longer than anybody who does not wait for the rest keeps the connection.
      await sleep(700);
      expect([text, client.closed]).toEqual(['', false]);
      await send(PART);
      await vi.waitFor(() => expect(text).toMatch(status));
      expect(text).not.toMatch(/connection: close/i);
      text = '';
      client.write('HEAD / HTTP/1.1\r\nHost: x\r\n\r\n');
      await vi.waitFor(() => expect(text).toMatch(/^HTTP\/1\.1 400 /));
    },
  );

  it('comes without a body of its own as well when the rest does not, and ends the connection', async () => {
    await begin({ ...FAR, pauseMs: 20 }, 1e9, '/', 'HEAD');
    const [text] = await Promise.all([answer(), ended()]);
    expect(text).toMatch(/\r\nconnection: close\r\n/i);
  });

  it('begins at once where it is a stream of events, and goes on to its end', async () => {
    await begin(FAR, 3 * PART.length, '/events');
    const all = buffer(client);
    expect(await answer()).toMatch(/\r\n\r\n[\s\S]*data: one/);
    goOn();
    for (let sent = 0; sent < 3; sent += 1) await send(PART);
    expect(String(await all)).toContain('data: two');
  });
});
