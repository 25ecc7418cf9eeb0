// What happens to a batch when one of its texts is at fault, against a real HTTP server.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Misbehaviour } from '../support/fake-ollama.ts';
import { embedderSuite, rows, status, texts } from '../support/remote-embedder.ts';

const suite = embedderSuite();

describe('one bad text among many', () => {
  const refuse = (isBad: (text: string) => boolean, answer: Misbehaviour) => {
    suite.server.misbehave = (all) => (all.some(isBad) ? answer : null);
  };

  test('is found by halving and marked, while all others are embedded', async () => {
    refuse((text) => text.includes('note 11'), status(400, { body: { error: { message: 'invalid input' } } }));
    const embedder = await suite.embedderWith();
    const outcomes = await embedder.embedDocuments(texts(20));
    const failed = outcomes.flatMap((outcome, i) => ('error' in outcome ? [[i, outcome.error]] : []));
    expect(failed).toEqual([[11, expect.stringContaining('invalid input')]]);
    expect(suite.server.requests.length).toBeLessThan(20);
    expect(embedder.health().ok).toBe(true);
  });

  test.each<[string, Misbehaviour]>([
    ['400 that says so', status(400, { body: { error: { message: 'the input length exceeds the context length' } } })],
    ['413', status(413)],
    ['422', status(422)],
    ['500 EOF of a runner that died', status(500, { body: { error: { message: 'do embedding request: EOF' } } })],
  ])('is shortened at a word where it may be too long: %s', async (_, answer) => {
    suite.server.show = {};
    refuse((text) => text.length > 1000, answer);
    const embedder = await suite.embedderWith();
    const outcomes = await embedder.embedDocuments(['short', 'word '.repeat(1500), 'also short']);
    expect(outcomes.every((outcome) => 'vector' in outcome)).toBe(true);
    const accepted = suite.server.requests.flatMap((request) => request.texts).filter((text) => text.length <= 1000);
    expect(accepted.some((text) => text.startsWith('search_document: word') && text.endsWith('word'))).toBe(true);
  });

  test('is given up after a bounded number of calls where nothing helps', async () => {
    refuse((text) => text.includes('word'), status(413));
    const embedder = await suite.embedderWith();
    const [outcome] = await embedder.embedDocuments(['word '.repeat(5000)]);
    expect(outcome).toEqual({ error: expect.stringContaining('413') });
    expect(suite.server.requests.length).toBeLessThanOrEqual(9);
  });

  test.each<[string, unknown[]]>([
    ['zeros', new Array(768).fill(0)],
    ['nulls, as JSON writes NaN', new Array(768).fill(null)],
  ])('that comes back as %s is marked alone', async (_, embedding) => {
    suite.server.misbehave = () => rows((all) => all.map((row) => (row.index === 1 ? { ...row, embedding } : row)));
    const embedder = await suite.embedderWith();
    const outcomes = await embedder.embedDocuments(texts(3));
    expect(outcomes.map((outcome) => 'error' in outcome)).toEqual([false, true, false]);
  });

  test('whatever set of texts is refused, exactly those are marked', async () => {
    const embedder = await suite.embedderWith();
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
