import { createLexicalEmbedder } from '@vault-mcp/shared/embedding/lexical';
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

describe('an embedder that failed a query', () => {
  it('is not asked again for a while, then once, and in full when it answers', async () => {
    let now = 0;
    const { embedder, state } = flaky();
    const resting = restingEmbedder(embedder, () => now);
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
});
