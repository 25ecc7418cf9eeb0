import { silentLogger } from '@vault-mcp/shared/log';
import { Hono } from 'hono';
import { describe, expect, it } from 'vitest';
import type { HttpEnv } from './env.ts';
import { respondWithError } from './errors.ts';
import { hostAllowed, hostAndOrigin, originAllowed, parseHost } from './host-origin.ts';

const ALLOWED = ['localhost', '[::1]', 'vault.lan:8080'];

describe('a Host name', () => {
  it('is allowed with any port when its entry names none', () => {
    expect(hostAllowed('localhost', ALLOWED)).toBe(true);
    expect(hostAllowed('localhost:9999', ALLOWED)).toBe(true);
    expect(hostAllowed('LOCALHOST.:1', ALLOWED)).toBe(true);
    expect(hostAllowed('[::1]:8080', ALLOWED)).toBe(true);
  });

  it('is allowed with its own port only when the entry names one', () => {
    expect(hostAllowed('vault.lan:8080', ALLOWED)).toBe(true);
    expect(hostAllowed('vault.lan', ALLOWED)).toBe(false);
    expect(hostAllowed('vault.lan:8081', ALLOWED)).toBe(false);
  });

  it.each(['evil.example', 'localhost.evil.example', 'localhost@evil.example', 'localhost:80:80', '', 'a b', '::1'])(
    'is refused when it is %j',
    (host) => {
      expect(hostAllowed(host, ALLOWED)).toBe(false);
    },
  );

  it('is taken apart into name and port', () => {
    expect(parseHost('Vault.Lan:80')).toEqual({ name: 'vault.lan', port: '80' });
    expect(parseHost('[::1]')).toEqual({ name: '[::1]', port: undefined });
  });
});

describe('an Origin', () => {
  it('is ours on an allowed host', () => {
    expect(originAllowed('http://localhost:8080', ALLOWED, undefined)).toBe(true);
    expect(originAllowed('https://vault.lan:8080', ALLOWED, undefined)).toBe(true);
  });

  it('is ours when it is the public one', () => {
    expect(originAllowed('https://notes.example', [], 'https://notes.example')).toBe(true);
    expect(originAllowed('http://notes.example', [], 'https://notes.example')).toBe(false);
  });

  it.each(['null', '', 'http://evil.example', 'file://', 'localhost', 'http://localhost/x', 'ftp://localhost'])(
    'is foreign when it is %j',
    (origin) => {
      expect(originAllowed(origin, ALLOWED, 'https://notes.example')).toBe(false);
    },
  );
});

describe('the fence', () => {
  const app = new Hono<HttpEnv>();
  app.onError(respondWithError);
  app.use(async (c, next) => {
    c.set('log', silentLogger());
    await next();
  });
  app.use(hostAndOrigin({ allowedHosts: ['localhost'], publicUrl: 'https://notes.example/base' }));
  app.all('*', (c) => c.text('in'));
  const get = (path: string, headers: Record<string, string>) => app.request(path, { headers });

  it('names the setting to change when it refuses a host', async () => {
    const answer = await get('/search', { host: 'evil.example' });
    expect(answer.status).toBe(403);
    const body = (await answer.json()) as { code: string; error: string };
    expect(body.code).toBe('forbidden');
    expect(body.error).toContain('server.allowed_hosts (MCP_ALLOWED_HOSTS)');
  });

  it('lets any host ask whether the process is alive', async () => {
    expect((await get('/healthz', { host: '10.0.0.7:8080' })).status).toBe(200);
  });

  it('allows the host and the origin of the public URL', async () => {
    expect((await get('/search', { host: 'notes.example' })).status).toBe(200);
    expect((await get('/search', { host: 'localhost', origin: 'https://notes.example' })).status).toBe(200);
  });

  it('refuses pages of other sites, sandboxed ones included', async () => {
    for (const origin of ['http://evil.example', 'null']) {
      expect((await get('/search', { host: 'localhost', origin })).status).toBe(403);
    }
  });
});
