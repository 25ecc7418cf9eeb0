import { EventEmitter, once } from 'node:events';
import { createServer } from 'node:net';
import type { Redis } from 'ioredis';
import { describe, expect, it } from 'vitest';
import { createLogger } from '../log.ts';
import { connectionProblem, connectRedis, watchConnection } from './redis-connection.ts';

const failure = (message: string, code?: string) =>
  Object.assign(new Error(message), code === undefined ? {} : { code });

/** A connection that says what the test lets it say, and what is logged of it. */
function watched() {
  const lines: { level: number; msg: string }[] = [];
  const log = createLogger({ name: 'test', destination: { write: (line) => lines.push(JSON.parse(line)) } });
  let returns = 0;
  const connection = Object.assign(new EventEmitter(), {
    options: {},
    info: async () => 'maxmemory_policy:noeviction',
  });
  const state = watchConnection(connection as unknown as Redis, log, () => returns++);
  return { connection, state, lines, returns: () => returns };
}

describe('a connection to Redis', () => {
  it('is told of once when it goes, by an error or by its end or both, and once when it is back', () => {
    const { connection, state, lines, returns } = watched();
    connection.emit('ready');
    expect([state, lines, returns()]).toEqual([{ ready: true, error: null, ended: false }, [], 0]);
    connection.emit('error', failure('read ECONNRESET', 'ECONNRESET'));
    connection.emit('close');
    connection.emit('error', failure('connect ECONNREFUSED', 'ECONNREFUSED'));
    connection.emit('close');
    expect(state).toMatchObject({ ready: false, error: 'Redis cannot be reached: connect ECONNREFUSED' });
    connection.emit('ready');
    connection.emit('close');
    expect(lines.map(({ level }) => level)).toEqual([40, 30, 40]);
    expect(returns()).toBe(1);
  });

  it('is not missed by whoever ended it', () => {
    const { connection, state, lines } = watched();
    connection.emit('ready');
    state.ended = true;
    connection.emit('error', failure('read ECONNRESET', 'ECONNRESET'));
    connection.emit('close');
    expect([state.ready, lines]).toEqual([false, []]);
  });
});

describe('why Redis cannot be reached', () => {
  it.each(['SELF_SIGNED_CERT_IN_CHAIN', 'DEPTH_ZERO_SELF_SIGNED_CERT', 'UNABLE_TO_VERIFY_LEAF_SIGNATURE'])(
    'says how an unknown authority is made known (%s)',
    (code) => {
      expect(connectionProblem(failure('odd certificate', code), true)).toMatch(
        /not trusted \(odd certificate\).*NODE_EXTRA_CA_CERTS/,
      );
    },
  );

  it('asks whether TLS is spoken where nobody answers over it, and only then', () => {
    const silence = failure('connect ETIMEDOUT', 'ETIMEDOUT');
    expect(connectionProblem(silence, true)).toMatch(/^connect ETIMEDOUT\..*redis:\/\//);
    expect(connectionProblem(silence, false)).toBe('connect ETIMEDOUT');
  });

  it('asks it as well where something else than TLS is answered', async () => {
    const plain = createServer((socket) => socket.end('-ERR unknown command\r\n'));
    plain.listen(0, '127.0.0.1');
    await once(plain, 'listening');
    const { port } = plain.address() as { port: number };
    const problem = await new Promise<string>((resolve) => {
      const connection = connectRedis(`rediss://127.0.0.1:${port}`, 'producer', (error) => {
        resolve(connectionProblem(error, true));
        connection.disconnect();
      });
    });
    expect(problem).toMatch(/does not speak TLS.*REDIS_URL/);
    plain.close();
  });

  it('is what the system says of anything else', () => {
    expect(connectionProblem(failure('connect ECONNREFUSED 127.0.0.1:1', 'ECONNREFUSED'), true)).toBe(
      'connect ECONNREFUSED 127.0.0.1:1',
    );
    expect(connectionProblem(failure('WRONGPASS invalid'), false)).toBe('WRONGPASS invalid');
    expect(connectionProblem(failure('', 'ECONNRESET'), false)).toBe('ECONNRESET');
  });
});
