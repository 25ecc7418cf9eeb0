import { createLogger } from '@vault-mcp/shared/log';
import { Hono } from 'hono';
import { describe, expect, it } from 'vitest';
import type { Callers } from '../callers.ts';
import { createMetrics } from '../metrics.ts';
import type { HttpEnv } from './env.ts';
import { respondWithError, routeNotFound } from './errors.ts';
import { resource } from './methods.ts';
import { requestContext } from './request-context.ts';

function build() {
  const lines: Record<string, unknown>[] = [];
  const log = createLogger({
    name: 'test',
    level: 'info',
    destination: { write: (line: string) => lines.push(JSON.parse(line)) },
  });
  const metrics = createMetrics();
  const app = new Hono<HttpEnv>();
  app.onError(respondWithError);
  app.notFound(routeNotFound);
  app.use(requestContext({ log, metrics }));
  const routes = { hono: app, callers: {} as Callers, classes: new Map() };
  resource(routes, '/vault/*', 'anyone', { GET: (c) => c.text('body') });
  resource(routes, '/broken', 'anyone', {
    GET: () => {
      throw new Error('SQLITE_IOERR at /home/me/secret/index.db');
    },
  });
  return { app, lines, metrics };
}

const NO_READINGS = {
  status: 'ready' as const,
  index: { notes: 1, documents: 0, quarantined: 0, chunks: 3, embedded: 2, pending: 1, failed: 0 },
  queue: { queues: { index: { depth: 4, failed: 0 }, embed: { depth: 2, failed: 1 } } },
  extraction: { pending: 6, needs_ocr: 3, failed: 1, reading: [{ step: 'ocr', page: 3, pages: 12 }, {}] },
  embedding: null,
};

describe('every answer', () => {
  it('carries an id of its own, which the log line has too', async () => {
    const { app, lines } = build();
    const answer = await app.request('/vault/a.md');
    const id = answer.headers.get('x-request-id');
    expect(id).toMatch(/^[0-9a-f-]{36}$/);
    expect(lines).toMatchObject([{ request_id: id, route: '/vault/*', method: 'GET', status: 200 }]);
  });

  it("takes over a caller's id when it is plain, and not when it is not", async () => {
    const { app } = build();
    const idFor = async (given: string) =>
      (await app.request('/vault/a.md', { headers: { 'x-request-id': given } })).headers.get('x-request-id');
    expect(await idFor('n8n-42')).toBe('n8n-42');
    expect(await idFor('has blank')).not.toBe('has blank');
    expect(await idFor('x'.repeat(65))).not.toBe('x'.repeat(65));
  });

  it('is private, revalidated, never sniffed, framed or scripted', async () => {
    const { app } = build();
    const { headers } = await app.request('/vault/a.md');
    expect(headers.get('vary')).toBe('Accept');
    expect(headers.get('cache-control')).toBe('private, no-cache');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(headers.has('access-control-allow-origin')).toBe(false);
  });
});

describe('the log', () => {
  it('names neither the note nor the query', async () => {
    const { app, lines } = build();
    await app.request('/vault/Diary/Secret%20love.md?section=Heading%20words');
    await app.request('/Secret-route?q=words');
    expect(JSON.stringify(lines)).not.toMatch(/Secret|words|Diary/);
    expect(lines).toHaveLength(2);
  });

  it('has the cause of a failure that the answer hides', async () => {
    const { app, lines } = build();
    const answer = await app.request('/broken');
    expect(answer.status).toBe(500);
    const body = await answer.text();
    expect(JSON.parse(body)).toEqual({ code: 'internal_error', error: expect.any(String) });
    expect(body).not.toMatch(/SQLITE|secret/);
    expect(JSON.stringify(lines)).toContain('SQLITE_IOERR');
  });
});

describe('methods and routes that are not served', () => {
  it('are answered with 405 and Allow, HEAD included where GET works', async () => {
    const { app } = build();
    for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS', 'PATCH', 'PROPFIND']) {
      const answer = await app.request('/vault/a.md', { method });
      expect([method, answer.status, answer.headers.get('allow')]).toEqual([method, 405, 'GET, HEAD']);
      expect(await answer.json()).toMatchObject({ code: 'method_not_allowed' });
    }
    const head = await app.request('/vault/a.md', { method: 'HEAD' });
    expect([head.status, await head.text()]).toEqual([200, '']);
  });

  it('are answered with a JSON 404 that names those there are', async () => {
    const { app } = build();
    const answer = await app.request('/nothing');
    expect(answer.status).toBe(404);
    expect(await answer.json()).toEqual({ code: 'not_found', error: expect.stringContaining('/vault/') });
  });
});

describe('the metrics', () => {
  it('count by route and by error code, with no path as a label', async () => {
    const { app, metrics } = build();
    await app.request('/vault/Secret.md');
    await app.request('/elsewhere');
    await app.request('/vault/Secret.md', { method: 'PROPFIND' });
    const { body } = await metrics.render(NO_READINGS);
    expect(body).toContain(
      'vault_mcp_http_request_duration_seconds_count{route="/vault/*",method="GET",status="200"} 1',
    );
    expect(body).toContain('vault_mcp_errors_total{surface="http",code="not_found"} 1');
    expect(body).toContain('vault_mcp_errors_total{surface="http",code="method_not_allowed"} 1');
    expect(body).toContain('method="other"');
    expect(body).not.toContain('Secret');
  });

  it('show the index and the queue as they are at the scrape', async () => {
    const { metrics } = build();
    const { body } = await metrics.render(NO_READINGS);
    expect(body).toContain('vault_mcp_ready 1');
    expect(body).toContain('vault_mcp_index_chunks 3');
    expect(body).toContain('vault_mcp_index_chunk_embeddings{state="pending"} 1');
    expect(body).toContain('vault_mcp_queue_depth{queue="index"} 4');
    expect(body).toContain('vault_mcp_queue_failed{queue="embed"} 1');
    const without = await metrics.render({ ...NO_READINGS, queue: {} });
    expect(without.body).not.toContain('vault_mcp_queue_depth{');
  });

  it('show how many documents have no text yet, by why, and how many are being read, as they are at the scrape', async () => {
    const { metrics } = build();
    const documents = async (extraction: typeof NO_READINGS.extraction) =>
      (await metrics.render({ ...NO_READINGS, extraction })).body
        .split('\n')
        .filter((line) => line.startsWith('vault_mcp_extraction_'));
    expect(await documents(NO_READINGS.extraction)).toEqual([
      'vault_mcp_extraction_documents{state="pending"} 6',
      'vault_mcp_extraction_documents{state="needs_ocr"} 3',
      'vault_mcp_extraction_documents{state="failed"} 1',
      'vault_mcp_extraction_reading 2',
    ]);
    expect(await documents({ pending: 0, needs_ocr: 3, failed: 1, reading: [] })).toEqual([
      'vault_mcp_extraction_documents{state="pending"} 0',
      'vault_mcp_extraction_documents{state="needs_ocr"} 3',
      'vault_mcp_extraction_documents{state="failed"} 1',
      'vault_mcp_extraction_reading 0',
    ]);
  });

  it('are kept apart between two apps in one process', async () => {
    const [one, other] = [build(), build()];
    await one.app.request('/vault/a.md');
    expect((await other.metrics.render(NO_READINGS)).body).not.toContain('duration_seconds_count{');
  });
});
