/**
 * Answers that come before the end of their request's body: whoever is still sending gets them all the same, directly and
 * through proxies. A connection that is closed too early loses them now and then, so each call is made several times.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasProxy, PROXY_HOST, type ReverseProxy, startProxy } from '../support/reverse-proxy.ts';
import { API_KEY, type ServedVault, serveVault } from '../support/served-vault.ts';
import {
  byCurl,
  byFetch,
  byProxy,
  byRequest,
  bySendingFirst,
  type Client,
  hasCurl,
  type Upload,
} from '../support/uploads.ts';

/** Of notes. */
const LIMIT = 500_000;
const BODY = Buffer.alloc(20 * LIMIT + 1, 'A line of a long note.\n');
const CALLS = 5;
const NOTE: Omit<Upload, 'bytes' | 'chunked'> = {
  method: 'PUT',
  path: '/vault/Too%20long.md',
  headers: { authorization: `Bearer ${API_KEY}` },
};
const DOCUMENT = { ...NOTE, path: '/vault/Files/Too%20large.pdf' };
const AS_JSON = { ...NOTE.headers, accept: 'application/json, text/event-stream', 'content-type': 'application/json' };

/** What is refused with most of its body still to come, and how. */
const REFUSED: readonly [string, Omit<Upload, 'bytes' | 'chunked'>, string][] = [
  ['a note that is too long', NOTE, '400 note_too_large'],
  ['a document that is too large', DOCUMENT, '400 document_too_large'],
  ['a document for another folder', { ...DOCUMENT, path: '/vault/Too%20large.pdf' }, '400 document_too_large'],
  ['a note without a key', { ...NOTE, headers: {} }, '401 unauthorized'],
  ['a note for no route', { ...NOTE, path: '/nowhere' }, '404 not_found'],
  ['too long a question', { method: 'POST', path: '/search', headers: AS_JSON }, '400 invalid_request'],
  ['too long a message of MCP', { method: 'POST', path: '/mcp', headers: AS_JSON }, '413 -32000'],
  ['what expects the unknown', { ...NOTE, headers: { ...NOTE.headers, expect: 'a cake' } }, '400 invalid_request'],
];
const FORMS = [1, 2, 5, 20].flatMap((times) => [
  { times, form: 'with its length', chunked: false },
  { times, form: 'in chunks', chunked: true },
]);

let served: ServedVault;
beforeAll(async () => {
  const settings = {
    'vault.note_max_bytes': LIMIT,
    'vault.doc_max_bytes': LIMIT,
    'server.public_url': `https://${PROXY_HOST}`,
  };
  served = await serveVault({}, settings, { indexed: false });
});
afterAll(() => served?.close());

/** Each call's status and code, or what became of it. */
async function outcomes(client: Client, upload: Upload): Promise<string[]> {
  const all: string[] = [];
  for (let call = 0; call < CALLS; call += 1) {
    const outcome = client(served.url, upload).then(
      ({ status, body }) => `${status} ${/"code":"?([\w-]+)/.exec(body)?.[1] ?? body}`,
      (error: unknown) => String(error),
    );
    all.push(await outcome);
  }
  return all;
}
const each = (outcome: string) => new Array(CALLS).fill(outcome);

describe.each([
  ['fetch', byFetch, true],
  ['Node’s own client', byRequest, true],
  ['a client that reads only when all is sent', bySendingFirst, true],
  ['curl', byCurl, hasCurl],
] as const)('answered while it is sent by %s', (_name, client, there) => {
  it.skipIf(!there).each(FORMS)('a note of $times times the limit, $form', async ({ times, chunked }) => {
    const bytes = BODY.subarray(0, times * LIMIT + 1);
    expect(await outcomes(client, { ...NOTE, bytes, chunked })).toEqual(each('400 note_too_large'));
  });
});

describe('answered while it is sent', () => {
  it.each(REFUSED)('%s is answered with the reason', async (_what, call, refusal) => {
    // fetch sends no Expect, and the others may stop sending by themselves.
    expect(await outcomes(bySendingFirst, { ...call, bytes: BODY, chunked: false })).toEqual(each(refusal));
  });

  it('HEAD is answered as well, which has no body to keep the connection with', async () => {
    const call = { ...NOTE, method: 'HEAD', headers: { connection: 'close' } };
    expect(await outcomes(bySendingFirst, { ...call, bytes: BODY, chunked: false })).toEqual(each('401 '));
  });
});

const PROXIES = [
  ['nginx without request buffering', 'nginx', []],
  ['nginx with request buffering', 'nginx', [['proxy_request_buffering off;', 'proxy_request_buffering on;']]],
  ['Caddy', 'caddy', []],
] as const;

describe.each(PROXIES)('through %s', (_name, name, changes) => {
  describe.skipIf(!hasProxy(name))('(skipped where it is not installed)', () => {
    let proxy: ReverseProxy;
    beforeAll(async () => {
      proxy = await startProxy(name, Number(new URL(served.url).port), changes);
    });
    afterAll(() => proxy?.stop());

    it.each(FORMS)('a note of $times times the limit, $form', async ({ times, chunked }) => {
      const bytes = BODY.subarray(0, times * LIMIT + 1);
      expect(await outcomes(byProxy(proxy), { ...NOTE, bytes, chunked })).toEqual(each('400 note_too_large'));
    });

    // A proxy answers what it does not know to expect by itself.
    it.each(REFUSED.slice(0, -1))('%s is answered with the reason', async (_what, call, refusal) => {
      expect(await outcomes(byProxy(proxy), { ...call, bytes: BODY, chunked: false })).toEqual(each(refusal));
    });
  });
});
