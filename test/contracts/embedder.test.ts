// One suite over every embedder: whatever provider is configured, the rest of the program may rely on exactly this.
import { createEmbedder } from '@vault-mcp/shared/embedding/choose';
import type { Embedder, EmbedderProvider } from '@vault-mcp/shared/embedding/embedder';
import type { EmbeddingSettings } from '@vault-mcp/shared/embedding/settings';
import { silentLogger } from '@vault-mcp/shared/log';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type FakeOllama, startFakeOllama } from '../support/fake-ollama.ts';

const TEXTS = [
  'The boiler was serviced in May.',
  'x',
  '',
  '日本語のメモ',
  '👩‍🔬',
  'DEC-0054',
  'long text '.repeat(3000),
];

describe.each<EmbedderProvider>(['ollama', 'openai', 'builtin', 'lexical'])('the %s embedder', (provider) => {
  let server: FakeOllama;
  let embedder: Embedder;

  function settings(): EmbeddingSettings {
    const openai = provider === 'openai' ? { model: 'test-model', dims: 768 } : {};
    return {
      provider,
      ollama_url: server.url,
      batch_size: 3,
      timeout_seconds: 30,
      max_attempts: 2,
      backoff_seconds: 0.001,
      backoff_max_seconds: 0.01,
      ...openai,
    };
  }

  beforeAll(async () => {
    server = await startFakeOllama();
    embedder = await createEmbedder(settings(), { logger: silentLogger() });
  });
  afterAll(async () => {
    await embedder.close();
    await server.close();
  });

  test('names itself, its model and its space', () => {
    expect(embedder.provider).toBe(provider);
    expect(embedder.model).not.toBe('');
    expect(embedder.space).toMatch(/^[0-9a-f]{64}$/);
  });

  test('gives every text a unit vector of its dims, in order, over several batches', async () => {
    const outcomes = await embedder.embedDocuments(TEXTS);
    expect(outcomes).toHaveLength(TEXTS.length);
    for (const outcome of outcomes) {
      if ('error' in outcome) throw new Error(outcome.error);
      expect(outcome.vector).toHaveLength(embedder.dims);
      const length = Math.sqrt(outcome.vector.reduce((sum, value) => sum + value * value, 0));
      expect(length).toBeCloseTo(1, 4);
    }
    const last = TEXTS.at(-2) ?? '';
    expect(await embedder.embedDocuments([last])).toEqual([outcomes.at(-2)]);
  });

  test('gives the same vectors whatever they were batched with', async () => {
    const together = await embedder.embedDocuments(['one', 'two', 'three', 'four']);
    const alone = await Promise.all(['one', 'two', 'three', 'four'].map((text) => embedder.embedDocuments([text])));
    expect(alone.flat()).toEqual(together);
  });

  test('finds the text a query was taken from among others', async () => {
    const documents = [
      'The boiler was serviced in May.',
      'Train tickets to Zurich.',
      'Passport renewal needs two photos.',
    ];
    const query = await embedder.embedQuery('boiler serviced in May');
    const scores = (await embedder.embedDocuments(documents)).map((outcome) =>
      'vector' in outcome ? outcome.vector.reduce((sum, value, i) => sum + value * (query[i] ?? 0), 0) : -1,
    );
    expect(scores.indexOf(Math.max(...scores))).toBe(0);
  });

  test('embeds a query ahead of a batch that is under way', async () => {
    const controller = new AbortController();
    let batchDone = false;
    const batch = embedder
      .embedDocuments(new Array(300).fill('a rather long text '.repeat(40)), controller.signal)
      .then(
        () => {
          batchDone = true;
        },
        () => undefined,
      );
    const query = await embedder.embedQuery('quick');
    expect(query).toHaveLength(embedder.dims);
    // `lexical` has nothing to wait for: its batches are done within the call.
    if (provider !== 'lexical') expect(batchDone).toBe(false);
    controller.abort();
    await batch;
  });

  test('is healthy after it has worked', async () => {
    await embedder.embedQuery('fine');
    expect(embedder.health()).toEqual({ ok: true, provider, model: embedder.model });
  });

  test('refuses work whose signal has fired, and stays healthy', async () => {
    const refused = { name: 'EmbedderError', kind: 'aborted' };
    await expect(embedder.embedDocuments(['a'], AbortSignal.abort())).rejects.toMatchObject(refused);
    await expect(embedder.embedQuery('a', AbortSignal.abort())).rejects.toMatchObject(refused);
    expect(embedder.health().ok).toBe(true);
  });

  test('puts another prefix into another space', async () => {
    const other = await createEmbedder({ ...settings(), document_prefix: 'note: ' }, { logger: silentLogger() });
    expect(other.space).not.toBe(embedder.space);
    expect(await other.embedDocuments(['boiler'])).not.toEqual(await embedder.embedDocuments(['boiler']));
    await other.close();
  });

  test('may be closed twice', async () => {
    const other = await createEmbedder(settings(), { logger: silentLogger() });
    await other.close();
    await other.close();
  });
});
