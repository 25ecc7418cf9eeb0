// How a search is asked where openapi.yaml cannot say it: numbers, which must mean the same in a query string and in JSON,
// and bodies that are none.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ServedVault, serveVault } from '../support/served-vault.ts';

let served: ServedVault;
beforeAll(async () => {
  served = await serveVault({ 'Note.md': '# Note\n', 'Sure.md': '# Sure\n', 'Other.md': '# Note and sure\n' });
});
afterAll(() => served.close());

const codeOf = async (answer: Response) => ((await answer.json()) as { code: string }).code;

describe('the number of results', () => {
  const found = async (path: string, init: RequestInit = {}) => {
    const headers = { accept: 'application/json', ...init.headers };
    const answer = await served.get(path, { ...init, headers });
    const { results, code } = (await answer.json()) as { results?: { path: string }[]; code?: string };
    return results?.map(({ path: hit }) => hit) ?? code;
  };
  const both = (k: string) =>
    Promise.all([
      found(`/search?q=note+sure&k=${k}`),
      found('/search', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: `{"q":"note sure","k":${k}}`,
      }),
    ]);

  it.each(['99999999999999999999', '1e3', '2.7', '2', '1.99', '0', '-5', '1e-9'])(
    'is rounded down and brought into range, by GET and POST alike: %s',
    async (k) => {
      const [get, post] = await both(k);
      const expected = Math.min(20, Math.max(1, Math.floor(Number(k))));
      expect(get).toHaveLength(Math.min(expected, 3));
      expect(post).toEqual(get);
    },
  );

  it.each(['1e999', '"three"', 'true'])('is refused when it is none: %s', async (k) => {
    expect(await both(k)).toEqual(['invalid_request', 'invalid_request']);
  });
});

describe('a JSON body', () => {
  const post = (body: RequestInit['body'], headers: Record<string, string> = { 'content-type': 'application/json' }) =>
    served.get('/search', { method: 'POST', headers, body: body ?? null, duplex: 'half' } as RequestInit);

  it('is read with a charset, and whatever the case of its type', async () => {
    const answer = await post('{"q":"note"}', {
      'content-type': 'Application/JSON; charset=UTF-8',
      accept: 'application/json',
    });
    expect(((await answer.json()) as { results: { path: string }[] }).results[0]?.path).toBe('Note.md');
  });

  it.each<[string, RequestInit['body'], Record<string, string>]>([
    ['of another type', '{"q":"a"}', { 'content-type': 'text/plain' }],
    ['of a form', 'q=a', { 'content-type': 'application/x-www-form-urlencoded' }],
    ['in another charset', '{"q":"a"}', { 'content-type': 'application/json; charset=latin1' }],
    ['compressed', new Uint8Array([0x1f, 0x8b]), { 'content-type': 'application/json', 'content-encoding': 'gzip' }],
    ['that is empty', '', { 'content-type': 'application/json' }],
    ['that is not JSON', '{"q":', { 'content-type': 'application/json' }],
    ['that is not UTF-8', new Uint8Array([0x22, 0xff, 0x22]), { 'content-type': 'application/json' }],
    ['that is no object', '[1]', { 'content-type': 'application/json' }],
    ['with an unknown field', '{"q":"a","__proto__":1}', { 'content-type': 'application/json' }],
    ['too long', JSON.stringify({ q: 'x'.repeat(300_000) }), { 'content-type': 'application/json' }],
    ['nested 50 000 deep', '['.repeat(50_000), { 'content-type': 'application/json' }],
  ])('%s is refused', async (_what, body, headers) => {
    const answer = await post(body, headers);
    expect([answer.status, await codeOf(answer)]).toEqual([400, 'invalid_request']);
  });

  it('without a length is cut off at the limit while it streams', async () => {
    let sent = 0;
    const endless = new ReadableStream<Uint8Array>({
      pull(controller) {
        sent += 65_536;
        controller.enqueue(new Uint8Array(65_536).fill(0x20));
        if (sent > 100 * 1024 * 1024) controller.close();
      },
    });
    const answer = await post(endless).catch((error: unknown) => error);
    // The server may answer or hang up first, depending on what the client still had to write.
    if (answer instanceof Response) expect([answer.status, await codeOf(answer)]).toEqual([400, 'invalid_request']);
    else expect(answer).toBeInstanceOf(Error);
    expect(sent).toBeLessThan(50 * 1024 * 1024);
  });
});
