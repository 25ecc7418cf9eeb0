import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DEFAULT_OLLAMA_URL, isDefaultOllamaUrl, isHeaderKey, missingForOpenAi } from './remote-endpoint.ts';

const whole = { ollama_url: 'https://models.example/v1', model: 'm', dims: 8, api_key: 'key' };

it.each([DEFAULT_OLLAMA_URL, `${DEFAULT_OLLAMA_URL}/`, 'HTTP://OLLAMA:11434/v1', `${DEFAULT_OLLAMA_URL}?a=b`])(
  '%s is the default address',
  (url) => {
    expect(isDefaultOllamaUrl(new URL(url))).toBe(true);
  },
);

it.each(['https://ollama:11434/v1', 'http://ollama/v1', 'http://ollama:11434', 'http://ollama.example:11434/v1'])(
  '%s is an address somebody set',
  (url) => {
    expect(isDefaultOllamaUrl(new URL(url))).toBe(false);
  },
);

it('lets only such keys through as a header carries unchanged', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.string({ unit: 'binary' })), (key) => {
      fc.pre(isHeaderKey(key));
      expect(new Headers({ 'x-key': key }).get('x-key')).toBe(key);
    }),
  );
  expect(isHeaderKey('sk-0~9!')).toBe(true);
  expect(['', ' ', 'a b', 'a\n', 'ключ'].filter(isHeaderKey)).toEqual([]);
});

describe('an openai endpoint', () => {
  it('needs an address, a model and its dims, each named with its variable', () => {
    const missing = missingForOpenAi({ ollama_url: DEFAULT_OLLAMA_URL, model: null, dims: null });
    expect(missing).toEqual([
      expect.stringMatching(/embedding\.ollama_url .*OLLAMA_URL/),
      expect.stringMatching(/embedding\.model .*EMBED_MODEL/),
      expect.stringMatching(/embedding\.dims .*EMBED_DIMS/),
    ]);
  });

  it('needs a key unless it runs on this machine', () => {
    expect(missingForOpenAi(whole)).toEqual([]);
    expect(missingForOpenAi({ ...whole, api_key: null })).toEqual([expect.stringContaining('EMBED_API_KEY')]);
    for (const host of ['localhost', '127.0.0.1', '[::1]', 'models.localhost']) {
      expect(missingForOpenAi({ ...whole, api_key: null, ollama_url: `http://${host}:1/v1` })).toEqual([]);
    }
  });
});
