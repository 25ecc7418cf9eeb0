import { describe, expect, test } from 'vitest';
import { DEFAULT_OLLAMA_URL } from '../config/remote-endpoint.ts';
import { EmbedderError } from './embedder.ts';
import { resolveEndpoint } from './endpoint.ts';
import type { EmbeddingSettings } from './settings.ts';

const settings = (ollama_url: string, api_key: string | null = null): EmbeddingSettings => ({
  provider: 'openai',
  ollama_url,
  api_key,
  batch_size: 64,
  timeout_seconds: 120,
  max_attempts: 5,
  backoff_seconds: 1,
  backoff_max_seconds: 30,
});

describe('addresses', () => {
  test('embeddings lie under /v1, /api/show beside it, whatever slashes the user wrote', () => {
    for (const url of ['http://h:1/v1', 'http://h:1/v1/', ' http://h:1/v1// ']) {
      const endpoint = resolveEndpoint(settings(url));
      expect(endpoint.embeddingsUrl.href).toBe('http://h:1/v1/embeddings');
      expect(endpoint.showUrl.href).toBe('http://h:1/api/show');
    }
  });

  test('a query, which some services need, is sent but not shown', () => {
    const endpoint = resolveEndpoint(settings('https://h/openai/v1?api-version=2024&code=secret'));
    expect(endpoint.embeddingsUrl.href).toBe('https://h/openai/v1/embeddings?api-version=2024&code=secret');
    expect(endpoint.shown).toBe('https://h/openai/v1');
  });

  test.each([
    ['not a URL', 'ollama'],
    ['neither http nor https', 'ftp://h/v1'],
    ['user name or password', 'http://me:hunter2@h/v1'],
  ])('%s is refused without being repeated', (why, url) => {
    const attempt = () => resolveEndpoint(settings(url));
    expect(attempt).toThrow(EmbedderError);
    expect(attempt).toThrow(why);
    expect(attempt).not.toThrow(/hunter2/);
  });
});

describe('the key', () => {
  test('goes only to an address the user set', () => {
    expect(resolveEndpoint(settings(DEFAULT_OLLAMA_URL, 'key')).key).toBeNull();
    expect(resolveEndpoint(settings('http://h/v1', 'key')).key).toBe('key');
    expect(resolveEndpoint(settings('http://h/v1', '')).key).toBeNull();
  });

  test('that no header can carry is refused without being repeated', () => {
    const attempt = () => resolveEndpoint(settings('http://h/v1', 'hunter2\n'));
    expect(attempt).toThrow('EMBED_API_KEY');
    expect(attempt).not.toThrow(/hunter2/);
  });
});
