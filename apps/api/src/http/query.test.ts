import { Hono } from 'hono';
import { describe, expect, it } from 'vitest';
import type { HttpEnv } from './env.ts';
import { respondWithError } from './errors.ts';
import { readQuery } from './query.ts';

const app = new Hono<HttpEnv>();
app.onError(respondWithError);
app.get('/', (c) => c.json(readQuery(c, { q: 'text', k: 'integer', x: 'number', explain: 'flag' })));
const get = async (query: string) => {
  const answer = await app.request(`/${query}`);
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
};

describe('the query string', () => {
  it('is read by the type of each parameter', async () => {
    expect((await get('?q=gr%C3%BCn+tea&k=3&explain')).body).toEqual({ q: 'grün tea', k: 3, explain: true });
    expect((await get('?explain=false&q=a=b')).body).toEqual({ q: 'a=b', explain: false });
    expect((await get('')).body).toEqual({});
  });

  it.each(['0', '-2', '2.7', '1e3', '1E-3', '99999999999999999999', '007'])('reads the number %s', async (x) => {
    expect((await get(`?x=${x}`)).body).toEqual({ x: Number(x) });
  });

  it.each(['', '1e999', 'Infinity', 'NaN', '0x10', '1_000', '.5', '1.', '+1', '%201', '1,5'])(
    'takes %j for no number',
    async (x) => {
      const refusal = { code: 'invalid_request', error: expect.stringContaining('"x" must be a number') };
      expect((await get(`?x=${x.replace('+', '%2B')}`)).body).toEqual(refusal);
    },
  );

  it('refuses an unknown parameter and names the nearest', async () => {
    const { status, body } = await get('?explian=1');
    expect(status).toBe(400);
    expect(body).toEqual({ code: 'invalid_request', error: expect.stringContaining('Did you mean "explain"?') });
  });

  it.each(['?__proto__=1', '?constructor=1', '?toString'])('takes no inherited name for a parameter: %s', async (q) => {
    expect((await get(q)).status).toBe(400);
  });

  it.each(['?q=a&q=b', '?k=three', '?k=1.5', '?k=', '?explain=perhaps', '?q=%E0%A4', '?q=%zz'])(
    'refuses %s',
    async (query) => {
      expect((await get(query)).body).toMatchObject({ code: 'invalid_request' });
    },
  );
});
