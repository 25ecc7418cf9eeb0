/** `/metrics` over HTTP: what it tells of a real vault, and that docs/docker.md names all of it. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type FakeOllama, startFakeOllama } from '../support/fake-ollama.ts';
import { METRICS_KEY, type ServedVault, serveVault } from '../support/served-vault.ts';

const DOC = readFileSync(join(import.meta.dirname, '../../docs/docker.md'), 'utf8');

let ollama: FakeOllama;
let served: ServedVault;
beforeAll(async () => {
  ollama = await startFakeOllama();
  const embedder = { 'embedding.provider': 'ollama', 'embedding.ollama_url': ollama.url };
  served = await serveVault({ 'Home.md': '# Home\n\nThe chimney.\n', 'Shed.md': 'The rake.\n' }, embedder);
});
afterAll(async () => {
  await served?.close();
  await ollama?.close();
});

const scrape = async () =>
  (await served.get('/metrics', { headers: { authorization: `Bearer ${METRICS_KEY}` } })).text();
/** Of the one line that begins so. */
const figure = (exposition: string, line: string) =>
  Number(
    exposition
      .split('\n')
      .find((each) => each.startsWith(`${line} `))
      ?.slice(line.length + 1),
  );

describe('the metrics', () => {
  it('tell how long the indexer’s embedder took, which is another process’s or thread’s', async () => {
    const told = async () => {
      const text = await scrape();
      expect(figure(text, 'vault_mcp_document_embedding_texts_total')).toBe(2);
      return text;
    };
    // With the indexer's next report.
    const text = await vi.waitFor(told, { timeout: 20_000, interval: 100 });
    const name = 'vault_mcp_document_embedding_duration_seconds';
    const calls = figure(text, `${name}_count{outcome="ok"}`);
    expect(calls).toBe(ollama.requests.filter(({ texts }) => texts.length > 0).length);
    expect(figure(text, `${name}_bucket{le="+Inf",outcome="ok"}`)).toBe(calls);
    expect(figure(text, `${name}_sum{outcome="ok"}`)).toBeGreaterThan(0);
    expect(figure(text, `${name}_count{outcome="failed"}`)).toBe(0);
  });

  it('tell of searches, routes, tools, errors, queues and chunks', async () => {
    await served.get('/search?q=chimney');
    await served.get('/vault/Nowhere.md');
    const text = await scrape();
    expect(figure(text, 'vault_mcp_query_embedding_duration_seconds_count{outcome="ok"}')).toBe(1);
    expect(
      figure(text, 'vault_mcp_http_request_duration_seconds_count{route="/search",method="GET",status="200"}'),
    ).toBe(1);
    expect(figure(text, 'vault_mcp_errors_total{surface="http",code="not_found"}')).toBe(1);
    for (const queue of ['index', 'embed', 'extract']) {
      expect(figure(text, `vault_mcp_queue_depth{queue="${queue}"}`)).toBe(0);
      expect(figure(text, `vault_mcp_queue_failed{queue="${queue}"}`)).toBe(0);
    }
    expect(figure(text, 'vault_mcp_index_chunks')).toBe(2);
  });

  it('are all in the documentation, and no others', async () => {
    const ours = [...(await scrape()).matchAll(/^# TYPE (vault_mcp_\w+) /gm)].map(([, name]) => name);
    const documented = [...DOC.matchAll(/`(vault_mcp_\w+?)(?:\{\w+(?:, \w+)*\})?`/g)].map(([, name]) => name);
    expect(ours.length).toBeGreaterThan(10);
    expect(new Set(documented)).toEqual(new Set(ours));
  });
});
