import { readFileSync } from 'node:fs';
import { type EmbeddingSettings, resolveSpace } from '@vault-mcp/shared/embedding/settings';
import { spaceDigest } from '@vault-mcp/shared/embedding/space';
import { describe, expect, it } from 'vitest';
import { SHIPPED_CEILINGS } from './shipped-ceilings.ts';

function shippedFor(provider: EmbeddingSettings['provider'], change: Partial<EmbeddingSettings> = {}) {
  const rest = { batch_size: 1, timeout_seconds: 1, max_attempts: 1, backoff_seconds: 1, backoff_max_seconds: 1 };
  const space = spaceDigest(resolveSpace({ provider, ollama_url: 'http://ollama:11434/v1', ...rest, ...change }));
  return SHIPPED_CEILINGS.find((one) => one.space === space);
}

describe('ceilings that are shipped', () => {
  it('are there for the embedders that need no network', () => {
    expect(shippedFor('builtin')?.model).toBe('universal-sentence-encoder-lite');
    expect(shippedFor('lexical')?.model).toBe('lexical-hash-1');
  });

  it('are not there for a model nobody measured, nor for a prefix that moves its vectors', () => {
    expect(shippedFor('ollama')).toBeUndefined();
    expect(shippedFor('builtin', { document_prefix: 'note: ' })).toBeUndefined();
  });

  it('are the ones that bench/RESULTS.md shows the measures of', () => {
    const results = readFileSync(new URL('../../../../../bench/RESULTS.md', import.meta.url), 'utf8');
    const shown = [...results.matchAll(/^`(builtin|lexical)`: distance (\S+), rank (\S+)\.$/gm)];
    const settings = { builtin: shippedFor('builtin'), lexical: shippedFor('lexical') };
    expect(shown.map(([, provider]) => provider)).toEqual(['builtin', 'lexical']);
    for (const [, provider, distance, bm25] of shown) {
      expect(settings[provider as keyof typeof settings]).toMatchObject({
        distance: Number(distance),
        bm25: Number(bm25),
      });
    }
  });
});

it('are the ones that docs/memory.md names', () => {
  const page = readFileSync(new URL('../../../../../docs/memory.md', import.meta.url), 'utf8');
  const rows = [...page.matchAll(/^\| `(builtin|lexical)` \| (\S+) \| (\S+) \|$/gm)];
  expect(rows.map(([, provider, distance, bm25]) => [provider, Number(distance), Number(bm25)])).toEqual(
    (['builtin', 'lexical'] as const).map((provider) => {
      const shipped = shippedFor(provider);
      return [provider, shipped?.distance, shipped?.bm25];
    }),
  );
});
