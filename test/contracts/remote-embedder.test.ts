// What a remote embedder does when the other side is slow, broken, dead, wrong or curious, against a real HTTP server.
import { describe, expect, test } from 'vitest';
import type { Misbehaviour } from '../support/fake-ollama.ts';
import { embedderSuite, rows, status, texts } from '../support/remote-embedder.ts';

const suite = embedderSuite();
const documents = (count: number) => texts(count).map((text) => `search_document: ${text}`);

describe('requests', () => {
  test('carry at most batch_size texts, with the document prefix, in order', async () => {
    const embedder = await suite.embedderWith({ batch_size: 4 });
    await embedder.embedDocuments(texts(10));
    expect(suite.server.requests.map((request) => request.texts.length)).toEqual([4, 4, 2]);
    expect(suite.server.requests.flatMap((request) => request.texts)).toEqual(documents(10));
  });

  test('are also limited by their total of characters', async () => {
    suite.server.show = { parameters: 'num_ctx 100000' };
    const embedder = await suite.embedderWith();
    await embedder.embedDocuments(new Array(4).fill('x'.repeat(60_000)));
    expect(suite.server.requests.map((request) => request.texts.length)).toEqual([2, 2]);
  });

  test('cut each text to the context that /api/show tells, at a word', async () => {
    suite.server.show = { model_info: { 'x.context_length': 8192 }, parameters: 'num_ctx 100' };
    const embedder = await suite.embedderWith();
    await embedder.embedDocuments(['word '.repeat(1000), 'short']);
    const [long, short] = suite.server.requests[0]?.texts ?? [];
    expect(long?.length).toBeLessThanOrEqual(360);
    expect(long).toMatch(/word$/);
    expect(short).toBe('search_document: short');
  });

  test('match rows to texts by their index, not by their order', async () => {
    const embedder = await suite.embedderWith();
    const straight = await embedder.embedDocuments(texts(5));
    suite.server.misbehave = () => rows((all) => all.toReversed());
    expect(await embedder.embedDocuments(texts(5))).toEqual(straight);
  });

  test('bring every vector to length 1, whatever length it came with', async () => {
    const embedder = await suite.embedderWith();
    const straight = await embedder.embedDocuments(texts(2));
    suite.server.misbehave = () =>
      rows((all) => all.map((row) => ({ ...row, embedding: (row.embedding as number[]).map((x) => x * 40) })));
    const scaled = await embedder.embedDocuments(texts(2));
    for (const [i, outcome] of scaled.entries()) {
      const other = straight[i];
      if (other === undefined || !('vector' in outcome) || !('vector' in other)) throw new Error('no vector');
      for (const [k, value] of outcome.vector.entries()) expect(value).toBeCloseTo(other.vector[k] ?? Number.NaN, 5);
    }
  });
});

describe('a passing failure is tried again', () => {
  test.each<[string, Misbehaviour]>([
    ['408', status(408)],
    ['425', status(425)],
    ['429', status(429)],
    ['500', status(500)],
    ['503 with a body that is no JSON', status(503, { body: '<html>' })],
    ['a reset connection', { kind: 'reset' }],
    ['half a body, then a reset', { kind: 'half-then-reset' }],
    ['malformed JSON', { kind: 'text', text: '{"data": [' }],
    ['JSON that is something else', { kind: 'text', text: 'null' }],
    ['rows without vectors', rows((all) => all.map(({ index }) => ({ index })))],
    ['rows with the same index twice', rows((all) => all.map((row) => ({ ...row, index: 0 })))],
  ])('%s', async (_, bad) => {
    suite.server.misbehave = (_texts, earlier) => (earlier === 0 ? bad : null);
    const embedder = await suite.embedderWith();
    const outcomes = await embedder.embedDocuments(texts(3));
    expect(outcomes.every((outcome) => 'vector' in outcome)).toBe(true);
    expect(suite.server.requests).toHaveLength(2);
    expect(embedder.health().ok).toBe(true);
  });

  test('after a timeout', async () => {
    suite.server.misbehave = (_texts, earlier) => (earlier === 0 ? { kind: 'hang' } : null);
    const embedder = await suite.embedderWith({ timeout_seconds: 0.2 });
    expect(await embedder.embedDocuments(['a'])).toHaveLength(1);
    expect(suite.server.requests).toHaveLength(2);
  });

  test('not sooner than Retry-After asks', async () => {
    suite.server.misbehave = (_texts, earlier) =>
      earlier === 0 ? status(429, { headers: { 'retry-after': '1' } }) : null;
    const embedder = await suite.embedderWith({ backoff_max_seconds: 5 });
    await embedder.embedDocuments(['a']);
    const [first, second] = suite.server.requests;
    expect((second?.at ?? 0) - (first?.at ?? 0)).toBeGreaterThanOrEqual(990);
  });

  test('not at all where Retry-After asks for longer than backoff_max_seconds', async () => {
    suite.server.misbehave = () => status(429, { headers: { 'retry-after': '3600' } });
    const embedder = await suite.embedderWith();
    await expect(embedder.embedDocuments(['a'])).rejects.toMatchObject({ kind: 'unreachable' });
    expect(suite.server.requests).toHaveLength(1);
  });

  test('max_attempts times in all; then it is unreachable, and health says so until it works again', async () => {
    suite.server.misbehave = () => status(503);
    const embedder = await suite.embedderWith({ max_attempts: 4 });
    await expect(embedder.embedDocuments(['a'])).rejects.toMatchObject({
      kind: 'unreachable',
      message: expect.stringContaining('503'),
    });
    expect(suite.server.requests).toHaveLength(4);
    expect(embedder.health()).toMatchObject({ ok: false, error: expect.stringContaining('OLLAMA_URL') });
    suite.server.misbehave = () => null;
    await embedder.embedDocuments(['a']);
    expect(embedder.health().ok).toBe(true);
  });

  test('a dead server is unreachable by name of its setting', async () => {
    const embedder = await suite.embedderWith();
    await suite.server.close();
    await expect(embedder.embedDocuments(['a'])).rejects.toMatchObject({
      kind: 'unreachable',
      message: expect.stringMatching(/ECONNREFUSED.*OLLAMA_URL/),
    });
  });
});

describe('what trying again cannot help is said at once, with what to set', () => {
  test.each<[string, Misbehaviour, RegExp]>([
    ['401', status(401), /EMBED_API_KEY/],
    ['403', status(403), /EMBED_API_KEY/],
    [
      'a model that was never pulled',
      status(404, { body: { error: 'model not found' } }),
      /ollama pull nomic-embed-text/,
    ],
    ['a redirect', status(307, { headers: { location: 'http://127.0.0.1:1/elsewhere' } }), /OLLAMA_URL/],
    ['other dims', rows((all) => all.map((row) => ({ ...row, embedding: [1, 2, 3] }))), /EMBED_DIMS.* to 3/],
    ['fewer vectors than texts', rows((all) => all.slice(1)), /EMBED_DIMS/],
    ['more vectors than texts', rows((all) => [...all, ...all]), /EMBED_DIMS/],
    [
      'a refusal of every text',
      status(400, { body: { error: 'this model does not support embeddings' } }),
      /EMBED_MODEL/,
    ],
  ])('%s', async (_, bad, message) => {
    suite.server.misbehave = () => bad;
    const embedder = await suite.embedderWith();
    await expect(embedder.embedDocuments(texts(3))).rejects.toMatchObject({
      kind: 'configuration',
      message: expect.stringMatching(message),
    });
    expect(suite.server.requests.length).toBeLessThanOrEqual(2);
    expect(embedder.health().ok).toBe(false);
  });

  test('health tells of a missing model from the start, before any note', async () => {
    suite.server.show = null;
    const embedder = await suite.embedderWith();
    await expect
      .poll(() => embedder.health())
      .toMatchObject({ ok: false, error: expect.stringContaining('ollama pull') });
  });
});

describe('a query', () => {
  test('gets its prefix and one try', async () => {
    const embedder = await suite.embedderWith();
    await embedder.embedQuery('boiler');
    expect(suite.server.requests.map((request) => request.texts)).toEqual([['search_query: boiler']]);
    suite.server.misbehave = () => status(503);
    await expect(embedder.embedQuery('boiler')).rejects.toMatchObject({ kind: 'unreachable' });
    expect(suite.server.requests).toHaveLength(2);
  });

  test('does not wait longer than its own limit', async () => {
    suite.server.misbehave = () => ({ kind: 'hang' });
    const embedder = await suite.embedderWith({}, { queryTimeoutSeconds: 0.1 });
    await expect(embedder.embedQuery('boiler')).rejects.toMatchObject({ kind: 'unreachable' });
  });

  test('does not wait behind a batch', async () => {
    suite.server.misbehave = (all) =>
      all.some((text) => text.startsWith('search_document')) ? { kind: 'hang' } : null;
    const embedder = await suite.embedderWith();
    const controller = new AbortController();
    const batch = embedder.embedDocuments(['a'], controller.signal);
    const ended = expect(batch).rejects.toMatchObject({ kind: 'aborted' });
    expect(await embedder.embedQuery('boiler')).toHaveLength(768);
    controller.abort();
    await ended;
  });
});

describe('cancelling', () => {
  test('ends a request under way', async () => {
    suite.server.misbehave = () => ({ kind: 'hang' });
    const embedder = await suite.embedderWith();
    const ended = expect(embedder.embedDocuments(['a'], AbortSignal.timeout(100))).rejects.toMatchObject({
      kind: 'aborted',
    });
    await ended;
    expect(suite.server.requests).toHaveLength(1);
  });

  test('ends a pause between two tries', async () => {
    suite.server.misbehave = () => status(503);
    const embedder = await suite.embedderWith({ backoff_seconds: 3600, backoff_max_seconds: 3600 });
    await expect(embedder.embedDocuments(['a'], AbortSignal.timeout(200))).rejects.toMatchObject({ kind: 'aborted' });
  });

  test('happens to all work under way when the embedder is closed', async () => {
    suite.server.misbehave = () => ({ kind: 'hang' });
    const embedder = await suite.embedderWith();
    const ended = expect(embedder.embedDocuments(['a'])).rejects.toMatchObject({ kind: 'aborted' });
    await embedder.close();
    await ended;
    await expect(embedder.embedQuery('a')).rejects.toMatchObject({ kind: 'aborted' });
  });
});
