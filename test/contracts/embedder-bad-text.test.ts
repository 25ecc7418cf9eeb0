// What happens to a batch when one of its texts is at fault, against a real HTTP server.
import type { EmbedderDeps } from '@vault-mcp/shared/embedding/choose';
import type { Embedder } from '@vault-mcp/shared/embedding/embedder';
import type { EmbeddingSettings } from '@vault-mcp/shared/embedding/settings';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type FakeOllama, type Misbehaviour, type Row, startFakeOllama } from '../support/fake-ollama.ts';
import { remoteEmbedder, remoteSettings, status } from '../support/remote-embedder.ts';

const rows = (change: (all: Row[]) => unknown): Misbehaviour => ({ kind: 'rows', change });

let server: FakeOllama;
let open: Embedder[];

beforeEach(async () => {
  server = await startFakeOllama();
  open = [];
});
afterEach(async () => {
  for (const embedder of open) await embedder.close();
  await server.close();
});

async function embedderWith(
  change: Partial<EmbeddingSettings> = {},
  deps: Partial<EmbedderDeps> = {},
): Promise<Embedder> {
  const embedder = await remoteEmbedder(remoteSettings(server, change), deps);
  open.push(embedder);
  return embedder;
}

const texts = (count: number) => Array.from({ length: count }, (_, i) => `note ${i}`);

describe('one bad text among many', () => {
  const refuse = (isBad: (text: string) => boolean, answer: Misbehaviour) => {
    server.misbehave = (all) => (all.some(isBad) ? answer : null);
  };

  test('is found by halving and marked, while all others are embedded', async () => {
    refuse((text) => text.includes('note 11'), status(400, { body: { error: { message: 'invalid input' } } }));
    const embedder = await embedderWith();
    const outcomes = await embedder.embedDocuments(texts(20));
    const failed = outcomes.flatMap((outcome, i) => ('error' in outcome ? [[i, outcome.error]] : []));
    expect(failed).toEqual([[11, expect.stringContaining('invalid input')]]);
    expect(server.requests.length).toBeLessThan(20);
    expect(embedder.health().ok).toBe(true);
  });

  test.each<[string, Misbehaviour]>([
    ['400 that says so', status(400, { body: { error: { message: 'the input length exceeds the context length' } } })],
    ['413', status(413)],
    ['422', status(422)],
    ['500 EOF of a runner that died', status(500, { body: { error: { message: 'do embedding request: EOF' } } })],
  ])('is shortened at a word where it may be too long: %s', async (_, answer) => {
    server.show = {};
    refuse((text) => text.length > 1000, answer);
    const embedder = await embedderWith();
    const outcomes = await embedder.embedDocuments(['short', 'word '.repeat(1500), 'also short']);
    expect(outcomes.every((outcome) => 'vector' in outcome)).toBe(true);
    const accepted = server.requests.flatMap((request) => request.texts).filter((text) => text.length <= 1000);
    expect(accepted.some((text) => text.startsWith('search_document: word') && text.endsWith('word'))).toBe(true);
  });

  test('is given up after a bounded number of calls where nothing helps', async () => {
    refuse((text) => text.includes('word'), status(413));
    const embedder = await embedderWith();
    const [outcome] = await embedder.embedDocuments(['word '.repeat(5000)]);
    expect(outcome).toEqual({ error: expect.stringContaining('413') });
    expect(server.requests.length).toBeLessThanOrEqual(9);
  });

  test.each<[string, unknown[]]>([
    ['zeros', new Array(768).fill(0)],
    ['nulls, as JSON writes NaN', new Array(768).fill(null)],
  ])('that comes back as %s is marked alone', async (_, embedding) => {
    server.misbehave = () => rows((all) => all.map((row) => (row.index === 1 ? { ...row, embedding } : row)));
    const embedder = await embedderWith();
    const outcomes = await embedder.embedDocuments(texts(3));
    expect(outcomes.map((outcome) => 'error' in outcome)).toEqual([false, true, false]);
  });

  test('whatever set of texts is refused, exactly those are marked', async () => {
    const embedder = await embedderWith();
    await fc.assert(
      fc.asyncProperty(fc.uniqueArray(fc.nat(15), { maxLength: 6 }), async (bad) => {
        refuse((text) => bad.some((i) => text.endsWith(`note ${i}`)), status(400, { body: { error: 'no' } }));
        const outcomes = await embedder.embedDocuments(texts(16));
        const failed = outcomes.flatMap((outcome, i) => ('error' in outcome ? [i] : []));
        expect(failed).toEqual(bad.toSorted((a, b) => a - b));
      }),
      { numRuns: 20 },
    );
  });
});
