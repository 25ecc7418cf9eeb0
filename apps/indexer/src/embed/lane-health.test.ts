import type { EmbedderHealth } from '@vault-mcp/shared/embedding/embedder';
import { describe, expect, it } from 'vitest';
import { laneHealth } from './lane-health.ts';

const identity = { provider: 'ollama', model: 'nomic-embed-text', dims: 768, space: 's' } as const;
const lane = (problem: string | null, waiting = true) => ({ problem: () => problem, isWaiting: () => waiting });
const own = (error?: string) => ({
  health: (): EmbedderHealth => {
    const state = { provider: 'ollama', model: 'nomic-embed-text' } as const;
    return error === undefined ? { ok: true, ...state } : { ok: false, ...state, error };
  },
});

describe('how embedding fares', () => {
  it("is told by the writer's own embedder first, then by what comes back from the lane", () => {
    expect(laneHealth({ identity, embedder: own('dead'), lane: lane('misfit') }, 2)).toMatchObject({ error: 'dead' });
    expect(laneHealth({ identity, embedder: own(), lane: lane('misfit') }, 2)).toMatchObject({
      ok: false,
      error: 'misfit',
    });
    expect(laneHealth({ identity, embedder: own(), lane: lane(null) }, 2)).toMatchObject({ ok: true });
  });

  it('names the model of the index where this process does not embed', () => {
    expect(laneHealth({ identity, embedder: null, lane: lane(null) }, 1)).toEqual({
      ok: true,
      provider: 'ollama',
      model: 'nomic-embed-text',
    });
  });

  it('is bad when texts wait and nobody is there to embed them, and only then', () => {
    const sources = { identity, embedder: null, lane: lane(null) };
    expect(laneHealth(sources, 0)).toMatchObject({ ok: false, error: expect.stringContaining('INDEXER_ROLES=embed') });
    expect(laneHealth(sources, undefined).ok).toBe(true);
    expect(laneHealth({ ...sources, lane: lane(null, false) }, 0).ok).toBe(true);
  });
});
