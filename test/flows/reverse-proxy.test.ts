/**
 * The shipped proxy configurations in front of the real server: what a client gets through a proxy is what it would get
 * without one. nginx and Caddy run for real where they are installed; Traefik's files are only read.
 */
import { existsSync, readFileSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { KEYS } from '@vault-mcp/shared/config/key-table';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { HTTP_CLIENTS, textOf } from '../support/mcp-clients.ts';
import { ask, type CallTarget, fetchThrough, open } from '../support/proxied-calls.ts';
import { hasProxy, PROXY_HOST, type ReverseProxy, startProxy } from '../support/reverse-proxy.ts';
import { API_KEY, type ServedVault, serveVault } from '../support/served-vault.ts';

const FILES = join(import.meta.dirname, '../../examples/reverse-proxy');
const PUBLIC_URL = `https://${PROXY_HOST}`;
const KEY = { authorization: `Bearer ${API_KEY}` };
const NOTE_MAX_BYTES = Number(KEYS.get('vault.note_max_bytes')?.setting.default);

/** As a vault in the wild has them. */
const NAMES = [
  'Garden/Plain.md',
  'A folder with spaces/and (brackets) [x] {y}.md',
  '100% sure.md',
  'a%2Fb is one name.md',
  'C# and F#.md',
  'semi;colon, plus+plus & and=equals.md',
  "it's ~tilde, $dollar, @at, !bang.md",
  'Ünïcode/東京 🌱/Ελλάδα.md',
];
const encoded = (path: string) => path.split('/').map(encodeURIComponent).join('/');
/** 9 000 characters as they are sent. */
const DEEP = `${Array.from({ length: 12 }, () => '京'.repeat(83)).join('/')}.md`;

/** As a client sends them: each has to be answered as it is without a proxy. */
const READS = [
  '/healthz',
  '/vault/',
  ...NAMES.flatMap((name) => [`/vault/${encoded(name)}`, `/vault/${encoded(name)}?map`]),
  '/vault/A%20folder%20with%20spaces/and%20(brackets)%20[x]%20{y}.md',
  '/vault/%47arden/Plain.md',
  '/vault/Garden%2FPlain.md',
  '/vault/Garden%2fPlain.md',
  '/vault/Garden%5CPlain.md',
  '/vault/Garden//Plain.md',
  '/vault//Garden/Plain.md',
  '/vault/Garden/Plain.md/',
  '/vault/Garden/%2e%2e%2fPlain.md',
  '/vault/Garden/Plain.md?section=Where%20it%20stands%3F',
  '/vault/Garden/Plain.md?nosuch=1',
  `/vault/${encoded(DEEP)}`,
  '/nowhere',
];
/** What is no path at all: a proxy may say so itself. */
const NO_PATHS = ['/vault/%zz', '/vault/..%2f..%2fetc/passwd', '/vault/../../etc/passwd', '/vault/Garden%00.md'];

describe.each(['nginx', 'caddy'] as const)('%s with the shipped configuration', (name) => {
  describe.skipIf(!hasProxy(name))('(skipped where it is not installed)', () => {
    let served: ServedVault;
    let proxy: ReverseProxy;
    let through: CallTarget;
    let direct: CallTarget;
    beforeAll(async () => {
      const notes = Object.fromEntries(NAMES.map((path) => [path, `# Title\n\nThe text of ${path}.\n`]));
      const plain = '# Plain\n\nA quince.\n\n## Where it stands?\n\nBy the shed.\n';
      served = await serveVault({ ...notes, 'Garden/Plain.md': plain }, { 'server.public_url': PUBLIC_URL });
      const upstreamPort = Number(new URL(served.url).port);
      proxy = await startProxy(name, upstreamPort);
      through = { port: proxy.port, host: PROXY_HOST, certificate: proxy.certificate, headers: KEY };
      direct = { port: upstreamPort, host: PROXY_HOST, headers: KEY };
    });
    afterAll(async () => {
      await proxy?.stop();
      await served?.close();
    });

    it.each(READS.map((path) => [path.slice(0, 80), path]))(
      'answers %s as the server does',
      async (_start, path = '') => {
        const [proxied, plain] = await Promise.all([ask(through, 'GET', path), ask(direct, 'GET', path)]);
        // Found and refused ones alike: what the server says of a path is said of the path that was sent.
        expect([proxied.status, proxied.body.toString()]).toEqual([plain.status, plain.body.toString()]);
        for (const header of ['content-type', 'etag', 'vary', 'cache-control', 'www-authenticate']) {
          expect([header, proxied.headers[header]]).toEqual([header, plain.headers[header]]);
        }
      },
    );

    it.each(NO_PATHS)('refuses %s, whoever of the two does', async (path) => {
      const { status, body } = await ask(through, 'GET', path);
      expect([status, body.includes('root:')]).toEqual([expect.toBeOneOf([400, 404]), false]);
    });

    it.each(NAMES)('writes %s under its own name', async (path) => {
      const body = `# Written\n\nThrough a proxy: ${path}.\n`;
      const written = await ask(through, 'PUT', `/vault/${encoded(`New/${path}`)}`, { body });
      expect([written.status, JSON.parse(written.body.toString()).path]).toEqual([200, `New/${path}`]);
      expect(readFileSync(join(served.vaultPath, 'New', path), 'utf8')).toBe(body);
    });

    it('refuses an encoded slash with the sentence of the server, and writes nothing', async () => {
      const { status, body } = await ask(through, 'PUT', '/vault/New%2FEscaped.md', { body: 'x' });
      expect([status, JSON.parse(body.toString()).code]).toEqual([400, 'invalid_path']);
    });

    it('passes conditions, ranges and strong etags on', async () => {
      const path = '/vault/Garden/Plain.md';
      const { headers } = await ask(through, 'GET', path, { headers: { 'accept-encoding': 'gzip, br, zstd' } });
      const etag = String(headers.etag);
      expect([etag, headers['content-encoding']]).toEqual([expect.stringMatching(/^"[0-9a-f]+"$/), undefined]);
      expect((await ask(through, 'GET', path, { headers: { 'if-none-match': etag } })).status).toBe(304);
      const part = await ask(through, 'GET', `${path}?raw`, { headers: { range: 'bytes=2-6' } });
      expect([part.status, part.body.toString()]).toEqual([206, 'Plain']);

      const changed = await ask(through, 'POST', path, { headers: { 'if-match': etag }, body: '- pruned' });
      expect(changed.status).toBe(200);
      const stale = await ask(through, 'POST', path, { headers: { 'if-match': etag }, body: '- pruned twice' });
      expect([stale.status, JSON.parse(stale.body.toString()).code]).toEqual([412, 'precondition_failed']);
      const made = await ask(through, 'PUT', path, { headers: { 'if-none-match': '*' }, body: 'x' });
      expect([made.status, JSON.parse(made.body.toString()).code]).toEqual([412, 'precondition_failed']);
    });

    it('passes the largest note there may be, and the refusal of a larger one', async () => {
      const largest = Buffer.alloc(NOTE_MAX_BYTES, 'A line of a long note.\n');
      const written = await ask(through, 'PUT', '/vault/Long.md', { body: largest });
      expect(written.status).toBe(200);
      const { body } = await ask(through, 'GET', '/vault/Long.md');
      expect(body.equals(largest)).toBe(true);

      const refused = await ask(through, 'PUT', '/vault/Longer.md', { body: Buffer.alloc(NOTE_MAX_BYTES + 1, 'x') });
      expect([refused.status, JSON.parse(refused.body.toString()).code]).toEqual([400, 'note_too_large']);
      expect(existsSync(join(served.vaultPath, 'Longer.md'))).toBe(false);
    });

    it.each(HTTP_CLIENTS)('carries MCP for %s', async (_client, connectClient, version) => {
      const client = await connectClient({ url: new URL('/mcp', PUBLIC_URL), fetch: fetchThrough(through) });
      expect(client.protocolVersion()).toMatch(version);
      expect(textOf(await client.call('vault_read', { path: 'Garden/Plain.md' }))).toContain('A quince.');
      const written = await client.call('vault_append', { path: 'Garden/Plain.md', content: '- over MCP' });
      expect(written.structuredContent).toMatchObject({ path: 'Garden/Plain.md', changed: true });
      await client.close();

      const only = new URL('/mcp/only/A%20folder%20with%20spaces', PUBLIC_URL);
      const confined = await connectClient({ url: only, fetch: fetchThrough(through) });
      const refused = await confined.call('vault_append', { path: 'Journal/Today.md', content: '- elsewhere' });
      expect(textOf(refused)).toContain('out_of_scope');
      await confined.close();
    });

    it('lets its own origin in and refuses a foreign one', async () => {
      const from = (origin: string) => ask(through, 'GET', '/vault/', { headers: { origin } });
      expect((await from(PUBLIC_URL)).status).toBe(200);
      const foreign = await from('https://pages.example.com');
      expect([foreign.status, JSON.parse(foreign.body.toString()).code]).toEqual([403, 'forbidden']);
    });

    it('serves nothing under an unknown name', async () => {
      const { status, body } = await ask(through, 'GET', '/vault/', { headers: { host: 'rebound.example.com' } });
      // nginx hands it on and the server refuses; Caddy knows no such site and answers nothing itself.
      const refusal = name === 'nginx' ? JSON.parse(body.toString()).code : body.toString();
      expect([status, refusal]).toEqual(name === 'nginx' ? [403, 'forbidden'] : [200, '']);
    });

    it('refuses who has no key, and says how to authenticate', async () => {
      const { status, headers } = await ask({ ...through, headers: {} }, 'GET', '/vault/');
      expect([status, headers['www-authenticate']]).toEqual([401, expect.stringMatching(/^Bearer/)]);
    });
  });

  it.skipIf(!hasProxy(name))('hands each event of a stream on at once', async () => {
    let stream: ServerResponse | undefined;
    const upstream = createServer((_request, response) => {
      stream = response;
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write('data: first\n\n');
    });
    await new Promise<void>((resolve) => upstream.listen(0, '127.0.0.1', resolve));
    const proxy = await startProxy(name, (upstream.address() as AddressInfo).port);
    const target = { port: proxy.port, host: PROXY_HOST, certificate: proxy.certificate };
    const answer = await open(target, 'POST', '/mcp', { body: '{}' });
    // The stream ends only when its first event has come through: kept back, nothing would ever end.
    const first = await new Promise((resolve) => answer.once('data', (data) => resolve(String(data))));
    expect(first).toBe('data: first\n\n');
    stream?.end('data: last\n\n');
    expect(await text(answer)).toBe('data: last\n\n');
    await proxy.stop();
    upstream.close();
  });
});

describe('every proxy example', () => {
  const files = ['nginx.conf', 'Caddyfile', 'traefik.yml', 'traefik-routes.yml'];
  const read = (file: string) => readFileSync(join(FILES, file), 'utf8');
  const everything = files.map(read).join('\n');

  it('points at the port that is listened on by default, and at no path behind it', () => {
    const addresses = [...everything.matchAll(/127\.0\.0\.1:(\d+)(\S*)/g)].map(([, port, rest]) => [port, rest]);
    const port = String(KEYS.get('server.port')?.setting.default);
    expect(addresses.length).toBeGreaterThan(3);
    expect(addresses.filter(([named, rest]) => named !== port || !/^;?$/.test(rest ?? ''))).toEqual([]);
  });

  it('lets bodies through that the server takes', () => {
    const limits = [...everything.matchAll(/(?:client_max_body_size|max_size) (\d+)m/gi)].map(([, limit]) => limit);
    const largest = Number(KEYS.get('vault.doc_max_bytes')?.setting.default);
    expect(limits).toHaveLength(2);
    for (const limit of limits) expect(Number(limit) * 1_000_000).toBeGreaterThan(largest);
  });

  it('of Traefik names a router, a service and a transport that are there', () => {
    const { entryPoints, certificatesResolvers } = parse(read('traefik.yml'));
    const { http } = parse(read('traefik-routes.yml'));
    const { entryPoints: entered, service, tls, rule } = http.routers['vault-mcp'];
    expect(Object.keys(entryPoints)).toEqual(expect.arrayContaining(entered));
    expect(Object.keys(certificatesResolvers)).toContain(tls.certResolver);
    expect(rule).toBe(`Host(\`${PROXY_HOST}\`)`);
    const { loadBalancer } = http.services[service];
    expect(loadBalancer.passHostHeader).toBe(true);
    expect(Object.keys(http.serversTransports)).toContain(loadBalancer.serversTransport);
  });

  it('of Traefik lets through what may stand in the name of a note, and nothing that parts it', () => {
    const { websecure } = parse(read('traefik.yml')).entryPoints;
    const allowed = Object.entries(websecure.http.encodedCharacters).filter(([, value]) => value === true);
    expect(allowed.map(([key]) => key).toSorted()).toEqual([
      'allowEncodedHash',
      'allowEncodedPercent',
      'allowEncodedQuestionMark',
      'allowEncodedSemicolon',
    ]);
  });
});
