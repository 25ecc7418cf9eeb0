import { once } from 'node:events';
import { createServer } from 'node:net';
import { describe, expect, it } from 'vitest';
import { connectionProblem, connectRedis } from './redis-connection.ts';

const failure = (message: string, code?: string) =>
  Object.assign(new Error(message), code === undefined ? {} : { code });

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
