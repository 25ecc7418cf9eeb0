import { silentLogger } from '@vault-mcp/shared/log';
import { Hono } from 'hono';
import { describe, expect, it } from 'vitest';
import { createCallers, NO_AGENT_KEYS } from '../callers.ts';
import type { ServedContext } from '../context.ts';
import { bearerAuth, isOpenPath } from './auth.ts';
import type { HttpEnv } from './env.ts';
import { respondWithError } from './errors.ts';

function appWith(keys: { apiKey: string; metricsKey?: string }) {
  const app = new Hono<HttpEnv>();
  app.onError(respondWithError);
  app.use(async (c, next) => {
    c.set('log', silentLogger());
    await next();
  });
  app.use(bearerAuth(createCallers({} as ServedContext, { ...keys, agents: NO_AGENT_KEYS }, null)));
  app.all('*', (c) => c.text('in'));
  return app;
}

const app = appWith({ apiKey: 'right-key', metricsKey: 'scrape-key' });
const get = (path: string, authorization?: string, method = 'GET') =>
  app.request(path, { method, headers: authorization === undefined ? {} : { authorization } });

describe('bearer authentication', () => {
  it('refuses a call without a key and names the scheme', async () => {
    const answer = await get('/vault/a.md');
    expect(answer.status).toBe(401);
    expect(answer.headers.get('www-authenticate')).toMatch(/^Bearer /);
    expect(await answer.json()).toEqual({ code: 'unauthorized', error: expect.stringContaining('Authorization') });
  });

  it.each(['Bearer wrong', 'Bearer right-key-and-more', 'Bearer right', 'Basic right-key', 'Bearer', 'right-key'])(
    'refuses %s',
    async (authorization) => {
      expect((await get('/vault/a.md', authorization)).status).toBe(401);
    },
  );

  it.each(['Bearer right-key', 'bearer right-key', 'BEARER   right-key'])('lets %s in', async (authorization) => {
    expect((await get('/vault/a.md', authorization)).status).toBe(200);
  });

  it('opens the liveness probe to reading methods only', async () => {
    expect((await get('/healthz')).status).toBe(200);
    expect((await get('/healthz', undefined, 'HEAD')).status).toBe(200);
    expect((await get('/healthz', undefined, 'POST')).status).toBe(401);
  });

  it('does not open what merely looks like the liveness probe', async () => {
    for (const path of ['/healthz/', '/healthzz', '/%68ealthz', '/HEALTHZ', '/x/healthz', '/healthz%2f..%2fvault']) {
      expect([path, (await get(path)).status]).toEqual([path, 401]);
    }
  });

  it('opens /metrics, and nothing else, to the metrics key', async () => {
    expect((await get('/metrics', 'Bearer scrape-key')).status).toBe(200);
    expect((await get('/metrics', 'Bearer right-key')).status).toBe(200);
    expect((await get('/vault/a.md', 'Bearer scrape-key')).status).toBe(401);
    expect((await get('/metrics/', 'Bearer scrape-key')).status).toBe(401);
  });

  it('lets clients find out without a key that there is no OAuth here', () => {
    expect(isOpenPath('GET', '/.well-known/oauth-protected-resource')).toBe(true);
    expect(isOpenPath('GET', '/.well-known/oauth-protected-resource/mcp')).toBe(true);
    expect(isOpenPath('POST', '/register')).toBe(true);
    expect(isOpenPath('GET', '/.well-known/other')).toBe(false);
    expect(isOpenPath('GET', '/vault/.well-known/oauth-x')).toBe(false);
  });

  it('refuses to start with an empty key', () => {
    expect(() => appWith({ apiKey: '' })).toThrow(/empty/);
    expect(() => appWith({ apiKey: '  ' })).toThrow(/empty/);
  });
});
