// How bodies of writes arrive over a socket: in pieces, too long, cut off in the middle, while the server stops. Whatever
// happens, a note is the old one or the new one, whole.
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it, vi } from 'vitest';
import { restWritingSuite } from '../support/rest-writing.ts';
import { API_KEY, serveVault } from '../support/served-vault.ts';

const NOTE_MAX_BYTES = 100_000;
const rest = restWritingSuite({ 'Note.md': '# Note\n' }, { 'vault.note_max_bytes': NOTE_MAX_BYTES });

const PIECE = 'x'.repeat(16_384);
const chunk = (text: string) => `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`;
const LAST_CHUNK = '0\r\n\r\n';

/** An open request, its head sent. */
async function open(method: string, headers: readonly string[], url = rest.served.url) {
  const socket = connect(Number(new URL(url).port), '127.0.0.1').setEncoding('utf8');
  let answer = '';
  socket.on('data', (text: string) => {
    answer += text;
  });
  // The server may end what the client is still sending; what it answered before counts.
  socket.on('error', () => {});
  await once(socket, 'connect');
  const head = [`${method} /vault/Note.md HTTP/1.1`, 'Host: localhost', `Authorization: Bearer ${API_KEY}`, ...headers];
  socket.write(`${head.join('\r\n')}\r\n\r\n`);
  return { socket, answer: () => answer };
}

/** Sends until the server answers or ends. @returns how many bytes went out */
async function pour(socket: Socket, answer: () => string, piece: string, atMost: number): Promise<number> {
  let sent = 0;
  while (answer() === '' && !socket.destroyed && sent < atMost) {
    sent += piece.length;
    if (!socket.write(piece)) await new Promise((go) => socket.once('drain', go).once('close', go));
  }
  return sent;
}

describe('a body', () => {
  it('may come in pieces that cut characters', async () => {
    const text = '# Grün 🙂\r\n';
    const { socket, answer } = await open('PUT', ['Transfer-Encoding: chunked', 'Connection: close']);
    for (const byte of Buffer.from(text)) {
      socket.write(Buffer.concat([Buffer.from('1\r\n'), Buffer.of(byte), Buffer.from('\r\n')]));
    }
    socket.write(LAST_CHUNK);
    await once(socket, 'close');
    expect(answer()).toMatch(/^HTTP\/1\.1 200 /);
    expect(await rest.text('Note.md')).toBe(text);
  });

  it('may be as long as a note may be, and no longer', async () => {
    const longest = 'x'.repeat(NOTE_MAX_BYTES);
    expect((await rest.ask('PUT', '/vault/Note.md', { body: longest })).status).toBe(200);
    await rest.refused(() => rest.ask('PUT', '/vault/Note.md', { body: `${longest}x` }), 'note_too_large');
  });

  it('is waited for when the client asks whether to send it', async () => {
    const { socket, answer } = await open('PUT', ['Expect: 100-continue', 'Content-Length: 4', 'Connection: close']);
    await vi.waitFor(() => expect(answer()).toMatch(/^HTTP\/1\.1 100 /));
    expect(await rest.text('Note.md')).toBe('# Note\n');
    socket.write('new\n');
    await once(socket, 'close');
    expect(answer()).toContain('HTTP/1.1 200 ');
    expect(await rest.text('Note.md')).toBe('new\n');
  });
});

describe('a body that is too long', () => {
  it.each(['PUT', 'POST', 'PATCH'])(
    'is refused by the length it states, before any of it is read: %s',
    async (method) => {
      const before = await rest.everything();
      const { socket, answer } = await open(
        method,
        ['Target: Note', 'Content-Length: 1000000000'].slice(method === 'PATCH' ? 0 : 1),
      );
      await vi.waitFor(() => expect(answer()).toMatch(/note_too_large/));
      expect(answer()).toMatch(/^HTTP\/1\.1 400 /);
      expect(answer().toLowerCase()).toContain('connection: close');
      socket.destroy();
      expect(await rest.everything()).toEqual(before);
    },
  );

  it.each<[string, string[]]>([
    ['PUT', []],
    ['POST', []],
    ['PATCH', ['Target: Note']],
  ])('is refused as it arrives, and not read to its end: %s', async (method, headers) => {
    const before = await rest.everything();
    const { socket, answer } = await open(method, [...headers, 'Transfer-Encoding: chunked']);
    const total = 500_000_000;
    const sent = await pour(socket, answer, chunk(PIECE), total);
    if (!socket.destroyed) await once(socket, 'close');
    expect(answer()).toMatch(/^HTTP\/1\.1 400 [\s\S]*note_too_large/);
    expect(answer().toLowerCase()).toContain('connection: close');
    expect(sent).toBeLessThan(total / 10);
    expect(await rest.everything()).toEqual(before);
  });

  it('is no more for JSON', async () => {
    const before = await rest.everything();
    const { socket, answer } = await open('PATCH', ['Content-Type: application/json', 'Transfer-Encoding: chunked']);
    const sent = await pour(socket, answer, chunk(PIECE), 500_000_000);
    if (!socket.destroyed) await once(socket, 'close');
    expect(answer()).toMatch(/^HTTP\/1\.1 400 [\s\S]*invalid_request/);
    expect(sent).toBeLessThan(50_000_000);
    expect(await rest.everything()).toEqual(before);
  });
});

describe('a body that breaks off', () => {
  it.each<[string, string, string[]]>([
    ['in its stated length', 'new text', ['Content-Length: 100']],
    ['between two pieces', chunk('new text'), ['Transfer-Encoding: chunked']],
    ['in the middle of a piece', '64\r\nnew', ['Transfer-Encoding: chunked']],
  ])('%s changes nothing', async (_where, sent, headers) => {
    const before = await rest.everything();
    const refusals = { limit: 1000, outcome: 'invalid_request' };
    const refused = () => rest.served.context.audit.read(refusals).length;
    for (const method of ['PUT', 'POST']) {
      const refusedBefore = refused();
      const { socket } = await open(method, headers);
      socket.write(sent, () => socket.destroy());
      await vi.waitFor(() => expect(refused()).toBe(refusedBefore + 1));
    }
    expect(await rest.everything()).toEqual(before);
  });

  it('leaves the connection in no doubt when a piece is no chunk at all', async () => {
    const before = await rest.everything();
    const { socket, answer } = await open('PUT', ['Transfer-Encoding: chunked']);
    socket.write('zz\r\nnew\r\n');
    await once(socket, 'close');
    expect(answer()).toMatch(/^HTTP\/1\.1 400 /);
    expect(await rest.everything()).toEqual(before);
  });
});

describe('a server that stops', () => {
  it('finishes a write whose body is still coming, and cuts off one that never ends', async () => {
    const served = await serveVault({ 'Note.md': '# Note\n' }, {}, { indexed: false });
    try {
      const stuck = await open('POST', ['Content-Length: 100'], served.url);
      const slow = await open('PUT', ['Content-Length: 4', 'Connection: close'], served.url);
      slow.socket.write('ne');
      await pause(50);
      const closed = served.close();
      slow.socket.write('w\n');
      await once(slow.socket, 'close');
      expect(slow.answer()).toMatch(/^HTTP\/1\.1 200 /);
      stuck.socket.destroy();
      await closed;
    } finally {
      await served.close();
    }
  });
});
