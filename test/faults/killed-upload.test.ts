/**
 * A server that is killed, or stopped, while a document is coming in: what had come is gone by the next start, and the
 * document that it was to replace is as it was.
 */
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { KEY, twoPrograms } from '../support/two-programs.ts';

it.each(['SIGKILL', 'SIGTERM'] as const)(
  'a document that was coming in leaves nothing after %s',
  async (signal) => {
    const both = await twoPrograms({ 'Files/lease.pdf': 'the lease' });
    const halves = () => readdirSync(join(both.vaultPath, 'Files')).filter((name) => name.endsWith('.tmp'));
    const answers = async () => (await both.get('/vault/Files/lease.pdf')).status === 200;
    try {
      const api = both.startApi();
      await both.until(answers, 'the api');
      const socket = connect(Number(new URL(both.url).port), '127.0.0.1').on('error', () => {});
      await once(socket, 'connect');
      const head = ['PUT /vault/Files/lease.pdf?overwrite HTTP/1.1', 'Host: localhost', `Authorization: Bearer ${KEY}`];
      socket.write(`${[...head, 'Content-Length: 1000000'].join('\r\n')}\r\n\r\n${'x'.repeat(500_000)}`);
      await both.until(async () => halves().length === 1, 'the first half');
      await api.kill(signal);
      socket.destroy();
      both.startApi();
      await both.until(answers, 'the next start');
      expect(readdirSync(join(both.vaultPath, 'Files'))).toEqual(['lease.pdf']);
      expect(readFileSync(join(both.vaultPath, 'Files/lease.pdf'), 'utf8')).toBe('the lease');
    } finally {
      await both.close();
    }
  },
  120_000,
);
