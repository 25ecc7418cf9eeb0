import { type Embedder, EmbedderError, type EmbedOutcome } from '@vault-mcp/shared/embedding/embedder';
import { silentLogger } from '@vault-mcp/shared/log';
import type { JobPayload } from '@vault-mcp/shared/queue/jobs';
import { beforeEach, describe, expect, it } from 'vitest';
import { axis } from '../../../../test/support/index-records.ts';
import { embedChunks, MISFIT_REST_MS } from './embed-chunks.ts';
import { encodeVector } from './vector-codec.ts';

type Stored = JobPayload<'store-vectors'>;

const job = {
  space: 'space',
  items: [
    { key: 'a', text: 'one' },
    { key: 'b', text: 'two' },
  ],
};
let answers: Stored[];
let rests: number[];
/** What the outage is told. */
let said: string[];
beforeEach(() => {
  said = [];
  answers = [];
  rests = [];
});

function embed(embedDocuments: (texts: readonly string[]) => Promise<EmbedOutcome[]>, space = 'space'): Promise<void> {
  const embedder = { provider: 'ollama', model: 'm', dims: 4, space, embedDocuments } as unknown as Embedder;
  const producer = { add: async (_name: string, payload: unknown) => void answers.push(payload as Stored) };
  const context = { signal: new AbortController().signal, rest: (ms: number) => void rests.push(ms) };
  let clock = 0;
  const outage = { away: (reason: string) => void said.push(reason), back: () => void said.push('answered') };
  const now = () => (clock += 250);
  return embedChunks(job, { embedder, producer, logger: silentLogger(), restMs: 7_000, outage, now }, context);
}

describe('a batch of texts', () => {
  it('comes back as vectors, each under its key, and as the reason where one has none', async () => {
    await embed(async () => [{ vector: axis(1) }, { error: 'too odd' }]);
    expect(answers).toEqual([
      {
        space: 'space',
        vectors: [
          { key: 'a', vector: encodeVector(axis(1)) },
          { key: 'b', error: 'too odd' },
        ],
        seconds: 0.25,
      },
    ]);
    expect([rests, said]).toEqual([[], ['answered']]);
  });

  it('comes back without a vector from a worker of another space, which says what to set and rests', async () => {
    await embed(() => Promise.reject(new Error('must not be asked')), 'another');
    expect(answers[0]).toMatchObject({ space: 'space', misfit: true });
    for (const item of answers[0]?.vectors ?? []) {
      expect(item).toEqual({ key: expect.any(String), retry: expect.stringContaining('EMBED_MODEL') });
    }
    // It was not asked, so there is no time it took.
    expect(answers[0]).not.toHaveProperty('seconds');
    expect([rests, said]).toEqual([[MISFIT_REST_MS], []]);
  });

  it('comes back for a later try when the embedder fails as a whole, and leaves the next to others', async () => {
    await embed(() => Promise.reject(new EmbedderError('unreachable', 'nobody answers')));
    expect(answers[0]?.vectors).toEqual([
      { key: 'a', retry: 'nobody answers' },
      { key: 'b', retry: 'nobody answers' },
    ]);
    expect(answers[0]?.misfit).toBeUndefined();
    expect(rests).toEqual([7_000]);
  });

  it('is left to another worker when this one is stopped', async () => {
    await expect(embed(() => Promise.reject(new EmbedderError('aborted', 'stopped')))).rejects.toThrow('stopped');
    expect(answers).toEqual([]);
  });
});
