import { once } from 'node:events';
import { connect } from 'node:net';
import { silentLogger } from '@vault-mcp/shared/log';
import { Hono } from 'hono';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { type AnswerOptions, listen, type RunningServer } from './serve.ts';

const running: RunningServer[] = [];
afterEach(async () => {
  await Promise.all(running.splice(0).map((server) => server.close()));
});

const listenOn = (port: number, host = '127.0.0.1') => listen({ host, port, log: silentLogger() });

async function start(app = new Hono().get('/', (c) => c.text('hello')), options: AnswerOptions = {}) {
  const server = (await listenOn(0)).answerWith(app, options);
  running.push(server);
  return server;
}

/** Sends bytes as they are and gives everything the server says back. */
async function exchange(port: number, request: string): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  socket.setEncoding('utf8');
  let answer = '';
  socket.on('data', (text: string) => {
    answer += text;
  });
  socket.write(request);
  await once(socket, 'close');
  return answer;
}

describe('listening', () => {
  it('takes any free port when asked for 0 and says which', async () => {
    const server = await start();
    expect(server.port).toBeGreaterThan(0);
    expect(await (await fetch(server.url)).text()).toBe('hello');
  });

  it('says in one line that a port is taken and what to set', async () => {
    const first = await start();
    const again = listenOn(first.port);
    await expect(again).rejects.toMatchObject({ name: 'ListenError' });
    await expect(again).rejects.toThrow(/already in use.*BIND_PORT/);
  });

  it('says that an address is not of this machine', async () => {
    // 192.0.2.0/24 is reserved for documentation, so no machine has it.
    const refused = listenOn(0, '192.0.2.1');
    await expect(refused).rejects.toThrow(/not an address of this machine.*BIND_HOST/);
  });
});

describe('an address taken before there is an app', () => {
  /** A request that the server has in hand, and all it says to it until it hangs up. */
  async function inHand(url: string): Promise<{ answer: Promise<string> }> {
    const socket = connect(Number(new URL(url).port), '127.0.0.1').setEncoding('utf8');
    let answer = '';
    const begun = new Promise<void>((resolve) => {
      socket.on('data', (text: string) => {
        answer += text;
        if (answer.startsWith('HTTP/1.1 100 ')) resolve();
      });
    });
    const closed = once(socket, 'close').then(() => answer);
    // That it is told to go on is the proof that the request was read.
    socket.write('GET / HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\nConnection: close\r\n\r\n');
    await begun;
    return { answer: closed };
  }

  it('lets requests wait for it', async () => {
    const listening = await listenOn(0);
    const waiting = [await inHand(listening.url), await inHand(listening.url)];
    running.push(listening.answerWith(new Hono().get('/', (c) => c.text('late'))));
    for (const { answer } of waiting) expect(await answer).toMatch(/\r\n\r\nlate$/);
  });

  it('is given back when there will be none, and who waits is not left waiting', async () => {
    const listening = await listenOn(0);
    const { answer } = await inHand(listening.url);
    await listening.close();
    expect(await answer).not.toContain('HTTP/1.1 200');
    await expect(fetch(listening.url)).rejects.toThrow();
  });
});

describe('what is not HTTP', () => {
  it.each([
    ['no request line', 'nonsense\r\n\r\n'],
    ['an unknown method', 'BREW / HTTP/1.1\r\nHost: localhost\r\n\r\n'],
    ['no Host', 'GET / HTTP/1.1\r\n\r\n'],
    ['no Host but a whole URL', 'GET http://localhost/ HTTP/1.1\r\n\r\n'],
    ['an unknown expectation', 'POST / HTTP/1.1\r\nHost: localhost\r\nExpect: x\r\nContent-Length: 5\r\n\r\n'],
    ['a header too long', `GET / HTTP/1.1\r\nHost: localhost\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`],
  ])('is refused as JSON: %s', async (_what, request) => {
    const { port } = await start();
    const answer = await exchange(port, request);
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    expect(JSON.parse(answer.split('\r\n\r\n')[1] ?? '')).toEqual({
      code: 'invalid_request',
      error: expect.any(String),
    });
  });

  it('asks for no tunnel', async () => {
    const { port } = await start();
    const answer = await exchange(port, 'CONNECT example.com:443 HTTP/1.1\r\nHost: example.com:443\r\n\r\n');
    expect(answer).toMatch(/^HTTP\/1\.1 405 Method Not Allowed\r\n(.*\r\n)*Allow: \r\n/);
    expect(answer).toContain('"code":"method_not_allowed"');
  });

  it('does not break into an answer that is on its way', async () => {
    const endless = () =>
      new ReadableStream<Uint8Array>({ start: (controller) => controller.enqueue(new TextEncoder().encode('begun')) });
    const app = new Hono().get('/', (c) => c.body(endless()));
    const { port } = await start(app);
    const socket = connect(port, '127.0.0.1').setEncoding('utf8');
    let answer = '';
    socket.on('data', (text: string) => {
      answer += text;
      if (text.includes('begun')) socket.write('nonsense\r\n\r\n');
    });
    socket.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n');
    await once(socket, 'close');
    expect(answer).toMatch(/^HTTP\/1\.1 200 /);
    expect(answer).not.toContain('invalid_request');
  });

  it.each([
    ['a backslash in the path', 'GET /a\\b HTTP/1.1\r\nHost: localhost:8080\r\n', 'invalid_path'],
    ['a Host that is none', 'GET / HTTP/1.1\r\nHost: a b\r\n', 'invalid_request'],
  ])('is refused as JSON: %s', async (_what, request, code) => {
    const { port } = await start();
    const answer = await exchange(port, `${request}Connection: close\r\n\r\n`);
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    expect(answer).toContain(`"code":"${code}"`);
  });
});

describe('stopping', () => {
  it('lets the request in hand finish and takes no new one', async () => {
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    let entered = () => {};
    const inHand = new Promise<void>((resolve) => {
      entered = resolve;
    });
    const app = new Hono().get('/', async (c) => {
      entered();
      await held;
      return c.text('finished');
    });
    const server = await start(app);
    const answer = fetch(server.url);
    await inHand;
    const closed = server.close();
    await expect(fetch(server.url)).rejects.toThrow();
    release();
    expect(await (await answer).text()).toBe('finished');
    await closed;
  });

  it('does not wait for connections that are merely kept alive', async () => {
    const server = await start();
    await (await fetch(server.url, { headers: { connection: 'keep-alive' } })).text();
    await server.close();
    await expect(fetch(server.url)).rejects.toThrow();
  });

  /** A server with a request in hand that never finishes. */
  async function busyServer(options: { graceMs?: number } = {}) {
    let entered = () => {};
    const inHand = new Promise<void>((resolve) => {
      entered = resolve;
    });
    const app = new Hono().get('/', () => {
      entered();
      return new Promise<Response>(() => {});
    });
    const server = await start(app, options);
    const answer = fetch(server.url).catch((error: unknown) => error);
    await inHand;
    return { server, answer };
  }

  it('cuts what does not finish within the grace period, once however often it is asked', async () => {
    const { server, answer } = await busyServer({ graceMs: 20 });
    await Promise.all([server.close(), server.close()]);
    expect(await answer).toBeInstanceOf(Error);
  });

  it('leaves two of the ten seconds a container has for closing what requests work on', async () => {
    const { server, answer } = await busyServer();
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] });
    try {
      const closed = server.close();
      vi.advanceTimersByTime(8_000);
      await closed;
    } finally {
      vi.useRealTimers();
    }
    expect(await answer).toBeInstanceOf(Error);
  });
});
