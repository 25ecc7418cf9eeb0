// The open internet is one address here, 127.0.0.1; what has to stay hidden listens on the same port of 127.0.0.2.
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer, type RequestListener, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { hasOpenssl, makeCertificates } from '../../../../../test/support/certificates.ts';
import { createTempFolder } from '../../../../../test/support/temp-folder.ts';
import { type FetchOptions, fetchSource, sourceUrl } from './fetch-source.ts';
import { isPublic } from './public-address.ts';

const OPEN = '127.0.0.1';
const HIDDEN = '127.0.0.2';

/** Host names of this internet; each look-up takes the next answer, the last one stays. */
const NAMES: Record<string, readonly (readonly string[])[]> = {
  'open.example': [[OPEN]],
  'hidden.example': [[HIDDEN]],
  'both.example': [[OPEN, HIDDEN]],
  'turning.example': [[OPEN], [HIDDEN]],
  'empty.example': [[]],
};

let answers: RequestListener = (_request, response) => response.end('the text');
let asked: string[] = [];
let hiddenAsked = 0;
let looked: string[] = [];
let server: Server;
let hidden: Server;
let port: number;

beforeEach(async () => {
  [asked, hiddenAsked, looked] = [[], 0, []];
  answers = (_request, response) => response.end('the text');
  server = createServer((request, response) => {
    asked.push(request.url ?? '');
    answers(request, response);
  }).listen(0, OPEN);
  await once(server, 'listening');
  ({ port } = server.address() as AddressInfo);
  hidden = createServer((_request, response) => response.end('a secret')).listen(port, HIDDEN);
  hidden.on('connection', () => {
    hiddenAsked += 1;
  });
  await once(hidden, 'listening');
});
afterEach(() => {
  for (const each of [server, hidden]) {
    each.close();
    each.closeAllConnections();
  }
});

const at = (host: string, path = '/') => `http://${host}:${port}${path}`;

function fetched(url: string, options: Partial<FetchOptions> = {}) {
  return fetchSource(sourceUrl(url), {
    isPublic: (address) => address === OPEN,
    async lookup(host) {
      looked.push(host);
      const turns = NAMES[host];
      if (turns === undefined) throw Object.assign(new Error('no such name'), { code: 'ENOTFOUND' });
      const turn = turns[Math.min(looked.filter((each) => each === host).length, turns.length) - 1] ?? [];
      return turn.map((address) => ({ address, family: 4 }));
    },
    maxBytes: 1_000,
    timeoutMs: 20_000,
    ...options,
  });
}

const refused = (call: () => unknown, rule: RegExp, code = 'invalid_value') =>
  expect(async () => call()).rejects.toMatchObject({ code, message: expect.stringMatching(rule) });

describe('fetching a source', () => {
  it('gives its bytes, their type and where they were', async () => {
    answers = (request, response) => {
      expect(request.headers).toMatchObject({ host: `open.example:${port}`, 'accept-encoding': 'identity' });
      response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end('<p>Grüße</p>');
    };
    const { bytes, contentType, finalUrl } = await fetched(at('open.example', '/a?b=1'));
    expect(bytes.toString()).toBe('<p>Grüße</p>');
    expect(contentType).toBe('text/html; charset=utf-8');
    expect(finalUrl.pathname).toBe('/a');
    expect(asked).toEqual(['/a?b=1']);
    expect(looked).toEqual(['open.example']);
  });

  it('follows five redirects, relative ones too, and not a sixth', async () => {
    answers = (request, response) => {
      const step = Number(request.url?.slice(1));
      if (step === 0) response.end('the end');
      else response.writeHead([301, 302, 303, 307, 308][step % 5] ?? 302, { location: `${step - 1}` }).end();
    };
    const { bytes, finalUrl, contentType } = await fetched(at('open.example', '/5'));
    expect([bytes.toString(), finalUrl.pathname, contentType]).toEqual(['the end', '/0', null]);
    await refused(() => fetched(at('open.example', '/6')), /more than 5 times/);
  });
});

describe('a URL that is refused', () => {
  it.each([
    ['has another scheme', 'ftp://open.example/', /only http and https/],
    ['names a file', 'file:///etc/passwd', /only http and https/],
    ['is data', 'data:text/plain,hello', /only http and https/],
    ['holds a user name', 'http://ada@open.example/', /user name or password/],
    ['holds a password', 'http://:secret@open.example/', /user name or password/],
    ['is none', 'open.example/page', /no URL/],
    ['has no host', 'http://', /no URL/],
    ['never ends', `http://open.example/${'a'.repeat(5_000)}`, /no URL/],
  ])('%s', async (_what, url, rule) => {
    await refused(() => fetched(url), rule);
    expect(looked).toEqual([]);
  });

  it.each([
    ['hidden', 'hidden.example'],
    ['open and hidden', 'both.example'],
    ['hidden, as a number', HIDDEN],
  ])('has a host that is %s: nothing is sent to any address of it', async (_what, host) => {
    await refused(() => fetched(at(host)), /not on the public internet/);
    expect([asked, hiddenAsked]).toEqual([[], 0]);
  });

  it('says nothing of the address that it led to', async () => {
    const error = await fetched(at('hidden.example')).catch((thrown: unknown) => thrown);
    expect(String(error)).not.toContain(HIDDEN);
  });

  it.each([
    ...[
      'localhost.',
      'LOCALHOST',
      '127.0.0.1',
      '127.1',
      '2130706433',
      '0x7f000001',
      '0177.0.0.1',
      '0x7f.1',
      '017700000001',
    ],
    ...['10.0.0.1', '169.254.169.254', '100.64.1.1', '192.168.0.1', '0.0.0.0', '0', '127.0.0.1.', '１２７.０.０.１'],
    ...['[::1]', '[::]', '[::ffff:127.0.0.1]', '[::ffff:7f00:1]', '[fe80::1]', '[fd00::1]', '[64:ff9b::7f00:1]'],
    ...['[2002:7f00:1::]', '[::127.0.0.1]'],
  ])('is in no form a way to this machine or network: %s', async (host) => {
    const lookup = async () => [{ address: '::1', family: 6 }];
    await refused(() => fetched(at(host), { isPublic, lookup }), /not on the public internet/);
    expect([asked, hiddenAsked]).toEqual([[], 0]);
  });

  it.each([1, 2, 3, 4, 5])('leads to a hidden place by redirect number %i', async (hops) => {
    for (const target of [at(HIDDEN), at('hidden.example'), at('both.example')]) {
      answers = (request, response) => {
        const step = Number(request.url?.slice(1));
        response.writeHead(302, { location: step === 1 ? target : `/${step - 1}` }).end();
      };
      await refused(() => fetched(at('open.example', `/${hops}`)), /not on the public internet/);
    }
    expect(hiddenAsked).toBe(0);
  });

  it('leads to another scheme or user by a redirect', async () => {
    for (const [location, rule] of [
      ['file:///etc/passwd', /only http and https/],
      [`//ada:secret@open.example:${port}/`, /user name or password/],
      ['http://', /no URL/],
    ] as const) {
      answers = (_request, response) => response.writeHead(302, { location }).end();
      await refused(() => fetched(at('open.example')), rule);
    }
  });

  it('names a host that is not known', async () => {
    await refused(() => fetched(at('unknown.example')), /its host has no address/);
    await refused(() => fetched(at('empty.example')), /its host has no address/);
  });
});

describe('a host that changes its mind', () => {
  it('is connected to where it was when it was judged', async () => {
    expect((await fetched(at('turning.example'))).bytes.toString()).toBe('the text');
    expect([looked.length, hiddenAsked]).toEqual([1, 0]);
  });

  it('is judged anew for every redirect', async () => {
    answers = (_request, response) => response.writeHead(302, { location: '/again' }).end();
    await refused(() => fetched(at('turning.example')), /not on the public internet/);
    expect([looked.length, hiddenAsked]).toEqual([2, 0]);
  });

  it('is left before anything is sent when the connection went elsewhere', async () => {
    let judged = 0;
    await refused(() => fetched(at('open.example'), { isPublic: () => ++judged === 1 }), /not on the public internet/);
    expect(asked).toEqual([]);
  });
});

describe('an answer that is refused', () => {
  it('is other than 200, or a redirect to nowhere', async () => {
    for (const status of [201, 204, 206, 302, 304, 401, 404, 500]) {
      answers = (_request, response) => response.writeHead(status).end();
      await refused(() => fetched(at('open.example')), new RegExp(`answered ${status}`));
    }
  });

  it('is packed, whatever it would unpack to', async () => {
    answers = (_request, response) =>
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(Buffer.alloc(100_000)));
    await refused(() => fetched(at('open.example')), /packed bytes/);
  });

  it('is larger than the limit by what comes, whatever it says', async () => {
    answers = (_request, response) => response.end('x'.repeat(1_000));
    expect((await fetched(at('open.example'))).bytes).toHaveLength(1_000);
    answers = (_request, response) => response.end('x'.repeat(1_001));
    await refused(() => fetched(at('open.example')), /more than 1000 bytes/, 'document_too_large');
    answers = (_request, response) => {
      response.writeHead(200);
      const more = () => response.write('x'.repeat(100)) && setImmediate(more);
      response.on('drain', more);
      more();
    };
    await refused(() => fetched(at('open.example')), /more than 1000 bytes/, 'document_too_large');
  });

  it('is empty', async () => {
    answers = (_request, response) => response.end();
    await refused(() => fetched(at('open.example')), /answered with nothing/);
  });

  it('breaks off', async () => {
    answers = (request, response) => {
      response.writeHead(200, { 'content-length': 500 }).write('the first part');
      setTimeout(() => request.socket.destroy(), 20);
    };
    await refused(() => fetched(at('open.example')), /broke off \(ECONNRESET\)/);
  });

  it('drips, until the time for all of it is over', async () => {
    let drops = 0;
    answers = (request, response) => {
      const drip = setInterval(() => response.write(String(drops++ % 10)), 10);
      request.socket.once('close', () => clearInterval(drip));
    };
    await refused(() => fetched(at('open.example'), { timeoutMs: 300 }), /longer than 0.3 s/);
    expect(drops).toBeGreaterThan(0);
  });

  it('never comes: not the name, not the first byte, not after any number of redirects', async () => {
    await refused(
      () => fetched(at('open.example'), { timeoutMs: 100, lookup: () => new Promise(() => {}) }),
      /longer than 0.1 s/,
    );
    answers = () => {};
    await refused(() => fetched(at('open.example'), { timeoutMs: 100 }), /longer than 0.1 s/);
    answers = (_request, response) => {
      setTimeout(() => response.writeHead(302, { location: '/' }).end(), 60);
    };
    await refused(() => fetched(at('open.example'), { timeoutMs: 150 }), /longer than 0.15 s/);
  });

  it('is no HTTP', async () => {
    answers = (request) => {
      (request.socket as Socket).end('SSH-2.0-somebody\r\n');
    };
    await refused(() => fetched(at('open.example')), /could not be reached, or broke off/);
  });

  it('is that of nobody', async () => {
    server.close();
    server.closeAllConnections();
    await refused(() => fetched(at('open.example')), /could not be reached, or broke off \(ECONNREFUSED\)/);
  });

  it.runIf(hasOpenssl)('is signed by nobody who is known', async () => {
    const folder = await createTempFolder('fetch-source');
    const { certificate, key } = await makeCertificates(folder.path, 'DNS:open.example');
    const secure = createTlsServer({ cert: await readFile(certificate), key: await readFile(key) }, (_, response) =>
      response.end('signed by a stranger'),
    ).listen(0, OPEN);
    await once(secure, 'listening');
    const url = `https://open.example:${(secure.address() as AddressInfo).port}/`;
    await refused(() => fetched(url), /could not be reached, or broke off \([A-Z_]+\)/);
    secure.close();
    await folder.remove();
  });
});

describe('a caller who leaves', () => {
  it('ends the fetch', async () => {
    const leaving = new AbortController();
    answers = (_request, response) => {
      response.write('the first part');
      leaving.abort();
    };
    await refused(() => fetched(at('open.example'), { signal: leaving.signal }), /ended before/, 'locked');
  });
});
