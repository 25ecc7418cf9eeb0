import type { VaultPath } from '@vault-mcp/shared/vault/path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type GateVault, gateVault } from '../../../../../test/support/gate-vault.ts';
import { candidateChunks } from './candidate-chunks.ts';
import { wordHits } from './word-hits.ts';

/** Of no word that the note or the proposal has. */
const NAME = Array.from({ length: 24 }, (_, n) => `part${n}`).join(' ');
const filler = (words: number) => Array.from({ length: words }, (_, n) => `filler${n}`).join(' ');
/** With more and more beside what they say. */
const LENGTHS = [20, 40, 60, 80];
const LONG = LENGTHS.map((words) => `Long/${words} ${NAME}.md`);
const FILES = {
  ...Object.fromEntries(
    Array.from({ length: 40 }, (_, n) => [`Days/${n}.md`, `# Day ${n}\n\nChapter ${n} was read.\n`]),
  ),
  ...Object.fromEntries(
    LENGTHS.map((words, at) => [LONG[at], `# Jonas\n\nJonas is allergic to penicillin. ${filler(words)}\n`]),
  ),
};
const CANDIDATE = { title: 'Penicillin Jonas', body: 'Jonas is allergic to penicillin.' };

let vault: GateVault;
beforeAll(async () => {
  vault = await gateVault(FILES);
});
afterAll(() => vault.remove());

describe('a note that says a memory among other things', () => {
  it('is found whatever its file is called, since it was indexed under that name too', () => {
    const candidate = { ...CANDIDATE, type: 'fact', namespace: 'Memory' as VaultPath, frontmatter: {} };
    const parts = candidateChunks(candidate, { targetTokens: 400, maxTokens: 500, overlapTokens: 10, minTokens: 5 });
    const filter = { kind: 'note', excludeDirs: [], includeSuperseded: false, readable: null } as const;
    // Nothing comes within the ceiling: a note is let in by what it reaches of what the candidate would in a text as long.
    const hits = wordHits(vault.context, { candidate, parts, filter, ceiling: -1_000 });
    expect([...hits.values()].map(({ path }) => path)).toEqual(LONG);
  });
});
