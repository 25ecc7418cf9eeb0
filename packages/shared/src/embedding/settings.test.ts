import { describe, expect, test } from 'vitest';
import { EmbedderError } from './embedder.ts';
import { type EmbeddingSettings, resolveSpace } from './settings.ts';
import { spaceDigest } from './space.ts';

const base: EmbeddingSettings = {
  provider: 'ollama',
  ollama_url: 'http://ollama:11434/v1',
  batch_size: 64,
  timeout_seconds: 120,
  max_attempts: 5,
  backoff_seconds: 1,
  backoff_max_seconds: 30,
};

describe('the model in force', () => {
  test('is nomic with its prefixes for ollama when nothing is set', () => {
    expect(resolveSpace({ ...base, model: null, dims: null, query_prefix: null })).toEqual({
      model: 'nomic-embed-text',
      dims: 768,
      queryPrefix: 'search_query: ',
      documentPrefix: 'search_document: ',
    });
  });

  test.each(['nomic-embed-text', 'nomic-embed-text:latest', 'nomic-embed-text:v1.5', 'nomic-ai/nomic-embed-text-v1.5'])(
    '%s gets the prefixes of nomic',
    (model) => {
      expect(resolveSpace({ ...base, model }).queryPrefix).toBe('search_query: ');
    },
  );

  test('keeps prefixes the user set, empty ones included', () => {
    const space = resolveSpace({ ...base, query_prefix: '', document_prefix: 'note: ' });
    expect(space).toMatchObject({ queryPrefix: '', documentPrefix: 'note: ' });
  });

  test('adds no prefix for a model it does not know', () => {
    expect(resolveSpace({ ...base, model: 'own', dims: 5 })).toEqual({
      model: 'own',
      dims: 5,
      queryPrefix: '',
      documentPrefix: '',
    });
  });
});

describe('what cannot work is refused by the name of its setting', () => {
  test.each<[string, Partial<EmbeddingSettings>, string]>([
    ['an unknown model without dims', { model: 'own' }, 'EMBED_DIMS'],
    ['openai without a model', { provider: 'openai', dims: 8 }, 'EMBED_MODEL'],
    ['openai without dims, even for a model we know', { provider: 'openai', model: 'nomic-embed-text' }, 'EMBED_DIMS'],
    ['another model for the built-in one', { provider: 'builtin', model: 'nomic-embed-text' }, 'EMBED_MODEL'],
    ['other dims for the built-in one', { provider: 'builtin', dims: 768 }, 'EMBED_DIMS'],
  ])('%s', (_, change, variable) => {
    const attempt = () => resolveSpace({ ...base, ...change });
    expect(attempt).toThrow(EmbedderError);
    expect(attempt).toThrow(variable);
  });
});

test('the space changes with each thing that moves a vector, and with nothing else', () => {
  const space = { model: 'm', dims: 3, queryPrefix: 'q', documentPrefix: 'd' };
  const digests = [
    space,
    { ...space, model: 'n' },
    { ...space, dims: 4 },
    { ...space, queryPrefix: 'd', documentPrefix: 'q' },
    { ...space, queryPrefix: '', documentPrefix: 'qd' },
  ].map(spaceDigest);
  expect(new Set(digests).size).toBe(digests.length);
  expect(spaceDigest({ ...space })).toBe(digests[0]);
  expect(digests[0]).toMatch(/^[0-9a-f]{64}$/);
});
