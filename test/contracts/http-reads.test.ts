// How /vault behaves over a real socket where openapi.yaml cannot say it: paths as they are sent, bytes and ranges, what
// a browser may do with them, and what must never be answered without a key.
import { once } from 'node:events';
import { symlink } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { API_KEY, METRICS_KEY, type ServedVault, serveVault } from '../support/served-vault.ts';

const PICTURE = Uint8Array.from({ length: 300_000 }, (_, index) => index % 251);

const FILES = {
  'Note.md': '# Note\r\n\r\nKept byte for byte.\r\n',
  'Was.md': '---\nsuperseded_by: "[[Note]]"\n---\n',
  'Lost.md': '---\nsuperseded_by: Nowhere\n---\n',
  'Straße/Grüße & more #1.md': '# Grüße\n',
  '100% sure.md': '# Sure\n',
  'Files/scan.pdf': 'not a PDF',
  'picture.png': PICTURE,
  'page.html': '<script>alert(1)</script>',
  'vector.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>',
  'empty.bin': '',
  '.obsidian/secret.md': '# Secret\n',
};

let served: ServedVault;
beforeAll(async () => {
  served = await serveVault(FILES);
  await symlink('/etc', join(served.vaultPath, 'linked'));
});
afterAll(() => served.close());

const codeOf = async (answer: Response) => ((await answer.json()) as { code: string }).code;

/** Sends a request line no URL library would let through. */
async function rawRequest(target: string, headers: string[] = []): Promise<{ status: number; body: string }> {
  const { port } = new URL(served.url);
  const socket = connect(Number(port), '127.0.0.1').setEncoding('utf8');
  let answer = '';
  socket.on('data', (text: string) => {
    answer += text;
  });
  const head = [`GET ${target} HTTP/1.1`, 'Host: localhost', 'Connection: close', ...headers];
  socket.write(`${head.join('\r\n')}\r\n\r\n`);
  await once(socket, 'close');
  return { status: Number(answer.split(' ')[1]), body: answer.slice(answer.indexOf('\r\n\r\n') + 4) };
}

describe('paths', () => {
  it('are decoded once, part by part', async () => {
    const path = `/vault/${encodeURIComponent('Straße')}/${encodeURIComponent('Grüße & more #1.md')}`;
    expect(await (await served.get(path)).text()).toBe('# Grüße\n');
    expect(await (await served.get('/vault/100%25%20sure.md')).text()).toBe('# Sure\n');
  });

  it.each([
    '/vault/../vault/Note.md',
    '/vault/x/../Note.md',
    '/vault/%2e%2e/etc/passwd',
    '/vault/..%2f..%2fetc%2fpasswd',
    '/vault/%2e%2e%2fetc%2fpasswd',
    '/vault/a%2fb.md',
    '/vault/a%5cb.md',
    '/vault/a%00b.md',
    '/vault/%252e%252e/etc/passwd',
    '/vault//etc/passwd',
    '/vault/Note.md//',
    '/vault/%zz.md',
    '/vault/%ff.md',
    '/vault/.obsidian/secret.md',
    '/vault/.obsidian/',
    '/vault/linked/passwd',
    '/vault/./Note.md',
    'http://localhost/vault/../etc/passwd',
    '/%76ault/Note.md',
  ])('that lead elsewhere are refused: %s', async (target) => {
    const { status, body } = await rawRequest(target, [`Authorization: Bearer ${API_KEY}`]);
    const { code } = JSON.parse(body) as { code: string };
    expect([target, status, code]).toEqual([
      target,
      expect.any(Number),
      expect.stringMatching(/^(invalid_path|not_found|not_a_directory)$/),
    ]);
    expect(body).not.toMatch(/root:|Secret|Kept byte/);
  });

  it('in absolute form are read like any other', async () => {
    const { status, body } = await rawRequest('http://localhost/vault/Note.md', [`Authorization: Bearer ${API_KEY}`]);
    expect([status, body]).toEqual([200, FILES['Note.md']]);
  });

  it.each([
    '/vault/Note.md',
    '/vault/',
    '/search?q=a',
    '/readyz',
    '/metrics',
    '/mcp',
    '/',
    '/nothing',
    '/healthz/../vault/Note.md',
    '//healthz',
  ])('are answered with 401 without a key: %s', async (target) => {
    const { status, body } = await rawRequest(target);
    expect([target, status, JSON.parse(body).code]).toEqual([target, 401, 'unauthorized']);
  });

  it('of OAuth are answered with a JSON 404 and no key', async () => {
    for (const path of ['/.well-known/oauth-authorization-server', '/.well-known/oauth-protected-resource/mcp']) {
      const answer = await fetch(served.url + path);
      expect([answer.status, await codeOf(answer)]).toEqual([404, 'not_found']);
    }
    const registration = await fetch(`${served.url}/register`, { method: 'POST', body: '{}' });
    expect([registration.status, await codeOf(registration)]).toEqual([404, 'not_found']);
  });

  it('of other hosts are refused by name of the setting', async () => {
    const { port } = new URL(served.url);
    const socket = connect(Number(port), '127.0.0.1').setEncoding('utf8');
    let answer = '';
    socket.on('data', (text: string) => {
      answer += text;
    });
    socket.write(`GET /vault/ HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n`);
    await once(socket, 'close');
    expect(answer).toMatch(/^HTTP\/1\.1 403 /);
    expect(answer).toContain('server.allowed_hosts');
  });
});

describe('keys', () => {
  it('for metrics open nothing else', async () => {
    const headers = { authorization: `Bearer ${METRICS_KEY}` };
    const metrics = await fetch(`${served.url}/metrics`, { headers });
    expect(metrics.status).toBe(200);
    expect(await metrics.text()).toContain('vault_mcp_index_notes');
    expect((await fetch(`${served.url}/readyz`, { headers })).status).toBe(401);
  });
});

describe('bytes', () => {
  it('of a note are the file, line endings and all', async () => {
    const answer = await served.get('/vault/Note.md');
    expect(answer.headers.get('content-type')).toBe('text/markdown; charset=utf-8');
    expect(await answer.text()).toBe(FILES['Note.md']);
  });

  it('of an attachment come whole, with type and length', async () => {
    const answer = await served.get('/vault/picture.png');
    expect(answer.headers.get('content-type')).toBe('image/png');
    expect(answer.headers.get('content-length')).toBe(String(PICTURE.length));
    expect(answer.headers.get('accept-ranges')).toBe('bytes');
    expect(new Uint8Array(await answer.arrayBuffer())).toEqual(PICTURE);
  });

  it('of a document come by ?raw, its text without, or why there is none', async () => {
    expect(await (await served.get('/vault/Files/scan.pdf?raw')).text()).toBe('not a PDF');
    const text = await served.get('/vault/Files/scan.pdf');
    expect([text.status, text.headers.get('etag')]).toEqual([400, null]);
    expect(await text.json()).toEqual({ code: 'extraction_failed', error: expect.stringMatching(/scan\.pdf.*\?raw/) });
    const json = await served.get('/vault/Files/scan.pdf', { headers: { accept: 'application/json' } });
    expect([json.status, await json.json()]).toEqual([
      200,
      expect.objectContaining({ extraction: 'failed', content: '', detail: expect.any(String) }),
    ]);
  });

  it.each([
    ['bytes=0-9', 0, 10],
    ['bytes=299990-', 299_990, 300_000],
    ['bytes=-5', 299_995, 300_000],
    ['bytes=299990-999999999', 299_990, 300_000],
  ])('come in part: %s', async (range, from, to) => {
    const answer = await served.get('/vault/picture.png', { headers: { range } });
    expect(answer.status).toBe(206);
    expect(answer.headers.get('content-range')).toBe(`bytes ${from}-${to - 1}/300000`);
    expect(new Uint8Array(await answer.arrayBuffer())).toEqual(PICTURE.slice(from, to));
  });

  it('outside the file are 416 with its size', async () => {
    const answer = await served.get('/vault/picture.png', { headers: { range: 'bytes=300000-' } });
    expect([answer.status, answer.headers.get('content-range')]).toEqual([416, 'bytes */300000']);
    expect(await codeOf(answer)).toBe('range_not_satisfiable');
  });

  it('come whole when the part held is of another version', async () => {
    const etag = (await served.get('/vault/picture.png', { method: 'HEAD' })).headers.get('etag') ?? '';
    const partly = async (condition: string) =>
      (await served.get('/vault/picture.png', { headers: { range: 'bytes=0-1', 'if-range': condition } })).status;
    expect(await partly(etag)).toBe(206);
    expect(await partly('"other"')).toBe(200);
  });

  it('are announced but not sent to HEAD', async () => {
    const answer = await served.get('/vault/picture.png', { method: 'HEAD' });
    expect(answer.headers.get('content-length')).toBe('300000');
    expect(await answer.text()).toBe('');
  });

  it('of an empty file are none', async () => {
    const answer = await served.get('/vault/empty.bin');
    expect([answer.status, answer.headers.get('content-length'), await answer.text()]).toEqual([200, '0', '']);
  });

  it.each(['page.html', 'vector.svg'])('that a browser could run are a sandboxed download: %s', async (name) => {
    const { headers } = await served.get(`/vault/${name}?raw`);
    expect(headers.get('content-disposition')).toMatch(/^attachment; /);
    expect(headers.get('content-security-policy')).toMatch(/sandbox/);
    expect(headers.get('x-content-type-options')).toBe('nosniff');
  });

  it('may stop in the middle without harm to the server', async () => {
    const stop = new AbortController();
    const answer = await served.get('/vault/picture.png', { signal: stop.signal });
    await answer.body?.getReader().read();
    stop.abort();
    expect((await served.get('/vault/Note.md')).status).toBe(200);
  });
});

describe('versions', () => {
  it('held by the caller are not sent again', async () => {
    for (const path of ['/vault/Note.md', '/vault/Note.md?map', '/vault/picture.png', '/vault/Note.md?raw']) {
      const etag = (await served.get(path)).headers.get('etag') ?? '';
      expect(etag).toMatch(/^"[0-9a-f]{64}"$/);
      const again = await served.get(path, { headers: { 'if-none-match': `"x", W/${etag}` } });
      expect([path, again.status, await again.text()]).toEqual([path, 304, '']);
      expect(again.headers.get('etag')).toBe(etag);
      const other = await served.get(path, { headers: { 'if-none-match': '"other"' } });
      expect([path, other.status]).toEqual([path, 200]);
    }
  });

  it('held by the caller do not stand for an answer that says what holds now, which changes beside them', async () => {
    const asked = async (accept: string) => {
      const etag = (await served.get('/vault/Was.md')).headers.get('etag') ?? '';
      return served.get('/vault/Was.md', { headers: { accept, 'if-none-match': etag } });
    };
    const plain = await asked('text/markdown');
    expect([plain.status, plain.headers.get('x-vault-superseded-by')]).toEqual([200, 'Note.md']);
    expect(await plain.text()).toBe(FILES['Was.md']);
    expect(await (await asked('application/json')).json()).toMatchObject({ superseded_by: { head: 'Note.md' } });
  });

  it('say where what a note names leads to none that holds', async () => {
    const answer = await served.get('/vault/Lost.md', { headers: { accept: 'text/markdown' } });
    expect(answer.headers.get('x-vault-superseded-by')).toBe('(dangling)');
    expect((await served.get('/vault/Note.md')).headers.get('x-vault-superseded-by')).toBeNull();
  });

  it('are bare in JSON and quoted in the header', async () => {
    const answer = await served.get('/vault/Note.md', { headers: { accept: 'application/json' } });
    const { etag, content, body } = (await answer.json()) as Record<string, string>;
    expect(answer.headers.get('etag')).toBe(`"${etag}"`);
    expect([content, body]).toEqual([FILES['Note.md'], FILES['Note.md']]);
    expect(answer.headers.get('vary')).toBe('Accept');
  });
});

describe('what contradicts itself', () => {
  it.each(['?map&raw', '?section=Note&map', '?recursive&section=a'])('is refused: %s', async (query) => {
    const answer = await served.get(`/vault/Note.md${query}`);
    expect([answer.status, await codeOf(answer)]).toEqual([400, 'invalid_request']);
  });

  it.each([
    ['/vault/Note.md/', 'not_a_directory'],
    ['/vault/Note.md?recursive', 'not_a_directory'],
    ['/vault/Files?raw', 'is_directory'],
    ['/vault/Files?map', 'is_directory'],
    ['/vault/Files/scan.pdf?section=a', 'extraction_failed'],
    ['/vault/picture.png?map', 'unsupported_suffix'],
    ['/vault/Note', 'not_found'],
    ['/vault/note.md', 'not_found'],
  ])('%s is %s', async (path, code) => {
    expect(await codeOf(await served.get(path))).toBe(code);
  });
});
