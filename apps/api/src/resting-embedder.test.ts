import { createLexicalEmbedder } from '@vault-mcp/shared/embedding/lexical';
import { createLogger } from '@vault-mcp/shared/log';
import { describe, expect, it } from 'vitest';
import { restingEmbedder } from './resting-embedder.ts';

function flaky() {
  const lexical = createLexicalEmbedder({ model: 'test', dims: 8, queryPrefix: '', documentPrefix: '' });
  const state = { away: true, asked: 0 };
  const embedder = {
    ...lexical,
    embedDocuments: lexical.embedDocuments.bind(lexical),
    health: lexical.health.bind(lexical),
    close: lexical.close.bind(lexical),
    async embedQuery(text: string) {
      state.asked++;
      if (state.away) throw new Error('away');
      return lexical.embedQuery(text);
    },
  };
  return { embedder, state };
}

/** A log that keeps level and text of its lines. */
function recorded() {
  const lines: { level: number; msg: string; reason?: string; model?: string; err?: unknown }[] = [];
  const log = createLogger({ name: 'test', destination: { write: (line) => lines.push(JSON.parse(line)) } });
  return { log, lines };
}

describe('an embedder that failed a query', () => {
  it('is not asked again for a while, then once, and in full when it answers', async () => {
    let now = 0;
    const { embedder, state } = flaky();
    const resting = restingEmbedder(embedder, recorded().log, () => now);
    await expect(resting.embedQuery('a')).rejects.toThrow('away');
    await expect(resting.embedQuery('a')).rejects.toThrow('a moment ago');
    expect(state.asked).toBe(1);
    now = 10_001;
    await expect(resting.embedQuery('a')).rejects.toThrow('away');
    await expect(resting.embedQuery('a')).rejects.toThrow('a moment ago');
    expect(state.asked).toBe(2);
    now = 30_000;
    state.away = false;
    expect(await resting.embedQuery('a')).toHaveLength(8);
    expect(await resting.embedQuery('b')).toHaveLength(8);
    expect(state.asked).toBe(4);
  });

  it('is told of once, with the reason and no stack, and once when it is back', async () => {
    let now = 0;
    const { embedder, state } = flaky();
    const { log, lines } = recorded();
    const resting = restingEmbedder(embedder, log, () => now);
    for (const _search of [1, 2, 3]) {
      await expect(resting.embedQuery('a')).rejects.toThrow();
      now += 6_000;
    }
    expect(state.asked).toBe(2);
    expect(lines).toMatchObject([{ level: 40, reason: 'away', model: 'test' }]);
    state.away = false;
    now += 20_000;
    for (const _search of [1, 2]) await resting.embedQuery('a');
    expect(lines.map(({ level }) => level)).toEqual([40, 30]);
    expect(lines[0]).not.toHaveProperty('err');
  });

  it('is said to be too slow when it was cut off', async () => {
    const { embedder } = flaky();
    const { log, lines } = recorded();
    await expect(restingEmbedder(embedder, log).embedQuery('a', AbortSignal.abort())).rejects.toThrow();
    expect(lines).toMatchObject([{ reason: expect.stringContaining('search.embed_timeout_seconds') }]);
  });
});
