import { lexicalMatch, ONCE, queryFrequencies } from '@vault-mcp/api/search/lexical';
import { phrasesOf } from '@vault-mcp/shared/analysis/match-expression';
import type { VaultPath } from '@vault-mcp/shared/vault/path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type GateVault, gateVault } from '../../../../../test/support/gate-vault.ts';
import type { Candidate } from '../types.ts';
import { candidateChunks } from './candidate-chunks.ts';
import { composeNote } from './compose-note.ts';
import { selfRank } from './self-rank.ts';

let vault: GateVault;
beforeEach(async () => {
  vault = await gateVault();
});
afterEach(() => vault.remove());

const candidate = (body: string): Candidate => ({
  ...{ title: 'Ada and the engine', type: 'fact', namespace: 'Facts' as VaultPath, frontmatter: {}, body },
});
const chunking = { targetTokens: 60, maxTokens: 80, overlapTokens: 10, minTokens: 5 };

function askedOf({ title, body }: Candidate): string {
  const { reader, analyzer } = vault.context;
  const terms = queryFrequencies(reader, analyzer, `${title}\n${body}`, null);
  return lexicalMatch(terms, reader.chunkCount(), ONCE) ?? '';
}

const ranked = (proposed: Candidate) =>
  selfRank(vault.context, phrasesOf(askedOf(proposed)), candidateChunks(proposed, chunking)).rank;

describe('the rank that a candidate would have for its own words', () => {
  test.each([
    ['one sentence', 'Ada Lovelace wrote a program, and Nobody knows of it.'],
    ['one that says a word again', 'Rivers, rivers and again rivers are what Ada painted in winter.'],
  ])('of %s is the one that FTS5 gives it once it is filed', async (_what, body) => {
    const proposed = candidate(body);
    const match = askedOf(proposed);
    const own = ranked(proposed);
    const note = composeNote(proposed, { supersedes: [], provenance: [], stamp: null });
    vault.put('Facts/ada-and-the-engine.md', note);
    await vault.context.queue.add('sync-path', { path: 'Facts/ada-and-the-engine.md', source: 'news' });
    await vault.indexed.settled();
    const filter = { kind: 'note', excludeDirs: [], includeSuperseded: false, readable: null } as const;
    const [best] = vault.context.reader.lexicalCandidates(
      match,
      { ...filter, prefix: 'Facts/ada-and-the-engine.md' },
      1,
    );
    expect(own).toBeLessThan(-5);
    expect(own).toBeCloseTo(best?.bm25 ?? 0, 6);
  });

  const ofRivers = (body: string) => selfRank(vault.context, [['river']], candidateChunks(candidate(body), chunking));
  const filler = Array.from({ length: 8 }, (_, n) => `Sentence ${n} is of gardens.`).join(' ');

  test('of a long one is that of the best of its chunks, wherever that stands', () => {
    const own = (body: string) => ofRivers(body).rank;
    const filed = own(`${filler}\n\nAda painted rivers.\n\n${filler}`);
    expect(filed).toBeLessThan(0);
    expect(filed).toBeGreaterThan(own('Ada painted rivers.'));
    expect(own(`${filler.repeat(20)}\n\nAda painted rivers.`)).toBeLessThan(0);
  });

  test('is nearer to 0 in a text that says more', () => {
    const { rank, inTextOf } = ofRivers('Ada painted rivers.');
    expect(inTextOf(300)).toBeGreaterThan(rank * 0.9);
    expect(inTextOf(300)).toBeLessThan(0);
    expect(inTextOf(1)).toBeLessThan(rank);
  });

  test('is nothing where none of the words is asked for', () => {
    const own = (phrases: string[][]) =>
      selfRank(vault.context, phrases, candidateChunks(candidate('Ada'), chunking)).rank;
    expect([own([]), own([['quince']])]).toEqual([0, 0]);
  });
});
