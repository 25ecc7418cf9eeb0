import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createLexicalEmbedder, hashText } from './lexical.ts';

const dot = (a: Float32Array, b: Float32Array) => a.reduce((sum, value, i) => sum + value * (b[i] ?? 0), 0);

describe('hashing a text', () => {
  test('gives the same unit vector every time, whatever the text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 400 }), fc.integer({ min: 256, max: 512 }), (text, dims) => {
        const vector = hashText(text, dims);
        expect(vector).toHaveLength(dims);
        expect(dot(vector, vector)).toBeCloseTo(1, 4);
        expect(hashText(text, dims)).toEqual(vector);
      }),
    );
  });

  test('brings texts that share words near each other, in any script and case', () => {
    const near = dot(hashText('The boiler was SERVICED in May', 384), hashText('boiler serviced', 384));
    expect(near).toBeGreaterThan(dot(hashText('Tax return for the flat', 384), hashText('boiler serviced', 384)) + 0.3);
    expect(dot(hashText('東京の天気', 384), hashText('東京の天気予報', 384))).toBeGreaterThan(0.4);
  });

  test('tells texts without any word apart', () => {
    expect(dot(hashText('!!!', 384), hashText('???', 384))).toBe(0);
  });

  test('reads a word of a million characters as its head', () => {
    const long = 'x'.repeat(1_000_000);
    expect(hashText(long, 384)).toEqual(hashText(long.slice(0, 64), 384));
  });
});

test('prefixes move queries and documents apart', async () => {
  const embedder = createLexicalEmbedder({
    model: 'm',
    dims: 384,
    queryPrefix: 'query: ',
    documentPrefix: 'passage: ',
  });
  const [document] = await embedder.embedDocuments(['boiler']);
  const query = await embedder.embedQuery('boiler');
  expect(document).not.toEqual({ vector: query });
});
