import { EVERYTHING } from '@vault-mcp/shared/vault/access';
import { Hono } from 'hono';
import { describe, expect, it } from 'vitest';
import type { HttpEnv } from './env.ts';
import { respondWithError } from './errors.ts';
import { writeRequest } from './write-request.ts';

const app = new Hono<HttpEnv>();
app.onError(respondWithError);
app.get('/', (c) => {
  const byOperator = c.req.header('x-vault-agent') !== undefined;
  c.set('principal', { kind: 'agent', name: 'anna', access: EVERYTHING, byOperator });
  const { agent, source, signal, byOperator: acted } = writeRequest(c);
  return c.json({ agent, source, aborted: signal?.aborted, byOperator: acted });
});
const ask = async (headers: Record<string, string>) => (await app.request('/', { headers })).json();

describe('what a write is told of its request', () => {
  it('is who calls, and whether somebody waits', async () => {
    expect(await ask({})).toEqual({ agent: 'anna', aborted: false });
  });

  it('is that the operator calls in the name of an agent', async () => {
    expect(await ask({ 'x-vault-agent': 'anna' })).toMatchObject({ agent: 'anna', byOperator: true });
  });

  it.each([
    ['n8n', 'n8n'],
    [' weekly review ', 'weekly review'],
    [Buffer.from('Küche').toString('latin1'), 'Küche'],
    ['K\u00fcche', 'Küche'],
    ['x'.repeat(100), 'x'.repeat(100)],
  ])('is its source: %j', async (header, source) => {
    expect(await ask({ 'x-vault-source': header })).toMatchObject({ source });
  });

  it.each(['', '  ', 'a\tb', 'x'.repeat(101), Buffer.from('a\u200bb').toString('latin1'), 'a\u0085b'])(
    'is no source that cannot be shown: %j',
    async (header) => {
      expect(await ask({ 'x-vault-source': header })).toMatchObject({ code: 'invalid_request' });
    },
  );
});
