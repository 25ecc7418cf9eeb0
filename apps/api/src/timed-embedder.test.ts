import type { Embedder } from '@vault-mcp/shared/embedding/embedder';
import { describe, expect, it } from 'vitest';
import { timedEmbedder } from './timed-embedder.ts';

function embedderThat(embedQuery: Embedder['embedQuery']): Embedder {
  return {
    provider: 'lexical',
    model: 'm',
    dims: 2,
    space: 's',
    embedDocuments: async (texts) => texts.map(() => ({ error: 'not here' })),
    embedQuery,
    health: () => ({ ok: true, provider: 'lexical', model: 'm' }),
    close: async () => {},
  };
}

describe('a timed embedder', () => {
  it('answers as its embedder does, and tells the time of each query', async () => {
    const samples: { seconds: number; outcome: string }[] = [];
    const vector = new Float32Array([1, 0]);
    const timed = timedEmbedder(
      embedderThat(async () => vector),
      (sample) => samples.push(sample),
    );
    expect(await timed.embedQuery('pear')).toBe(vector);
    expect(samples).toEqual([{ seconds: expect.any(Number), outcome: 'ok' }]);
    expect(timed).toMatchObject({ provider: 'lexical', model: 'm', dims: 2, space: 's' });
    expect(timed.health().ok).toBe(true);
    expect(await timed.embedDocuments(['a'])).toEqual([{ error: 'not here' }]);
    expect(samples).toHaveLength(1);
  });

  it('passes a failure on, and the signal down', async () => {
    const samples: { outcome: string }[] = [];
    const stop = AbortSignal.abort();
    let seen: AbortSignal | undefined;
    const embedder = embedderThat(async (_text, signal) => {
      seen = signal;
      throw new Error('down');
    });
    const timed = timedEmbedder(embedder, (sample) => samples.push(sample));
    await expect(timed.embedQuery('pear', stop)).rejects.toThrow('down');
    expect(seen).toBe(stop);
    expect(samples).toMatchObject([{ outcome: 'failed' }]);
  });
});
