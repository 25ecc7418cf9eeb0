import type { OperationContext } from '@vault-mcp/api/context';
import { createAccess } from '@vault-mcp/shared/vault/access';
import { viewOf } from '@vault-mcp/shared/vault/view';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type IndexedVault, indexVault } from '../../../../test/support/indexed-vault.ts';
import { operationContext } from '../../../../test/support/reading-context.ts';
import { search, searchInput } from './search.ts';

const VISIBLE = {
  'Car/Insurance.md': '# Insurance\n\nThe policy number is KFZ-4711 and the car is insured.\n',
  'Car/Tyres.md': '# Tyres\n\nWinter tyres are in the cellar.\n',
  'Car/Log/2026.md': '# Log\n\nThe brakes were changed.\n',
};
const HIDDEN = {
  'Car/Shut/Secret.md': '# Secret\n\nKFZ-4711 KFZ-4711 zebra: the policy number and the car, insured elsewhere.\n',
  ...Object.fromEntries(
    Array.from({ length: 60 }, (_, n) => [`Health/${n}.md`, `# Doctor ${n}\n\nWinter tyres, brakes, policy number.\n`]),
  ),
};
const ACCESS = createAccess([
  { prefix: 'Car', read: true },
  { prefix: 'Car/Shut', read: false },
]);

let whole: IndexedVault;
let twin: IndexedVault;
let all: OperationContext;
let part: OperationContext;
let alone: OperationContext;
beforeAll(async () => {
  [whole, twin] = await Promise.all([indexVault({ files: { ...VISIBLE, ...HIDDEN } }), indexVault({ files: VISIBLE })]);
  for (const each of [whole, twin]) {
    await each.settled();
    // Said a moment after the last job; until then a search answers that the index is being built.
    await vi.waitFor(() => expect(each.reader.indexerStatus()?.state).toBe('ready'), { timeout: 20_000, interval: 20 });
  }
  all = await operationContext(whole);
  part = { ...all, vault: viewOf(all.vault, ACCESS) };
  alone = await operationContext(twin);
});
afterAll(async () => {
  await whole.remove();
  await twin.remove();
});

/** What is found and said, without what the index counts of itself. */
async function found(context: OperationContext, input: Record<string, unknown>): Promise<unknown> {
  try {
    const { index_generation: _generation, ...answer } = await search(context, searchInput.parse(input));
    return answer;
  } catch (error) {
    const { code, message } = error as { code: string; message: string };
    return { code, message };
  }
}

describe('a search of who may read a part of the vault', () => {
  it.each([
    ['words', { query: 'winter tyres' }],
    ['an identifier', { query: 'KFZ-4711' }],
    ['an identifier beside a word that only hidden notes hold', { query: 'KFZ-4711 zebra' }],
    ['a word that only hidden notes hold', { query: 'zebra' }],
    ['a word that many hidden notes hold', { query: 'brakes' }],
    ['a folder', { query: 'brakes', prefix: 'Car/Log' }],
    ['a hidden folder', { query: 'brakes', prefix: 'Health' }],
    ['a hidden folder in one that is not', { query: 'policy', prefix: 'Car/Shut' }],
    ['a hidden note', { query: 'policy', prefix: 'Car/Shut/Secret.md' }],
    ['no folder at all', { query: 'policy', prefix: 'Nowhere' }],
    ['one result', { query: 'policy number', k: 1 }],
  ])('answers as if there were no others: %s', async (_what, input) => {
    expect(await found(part, input)).toEqual(await found(alone, input));
  });

  it('finds in it though everything nearer is hidden', async () => {
    const answer = await search(part, { query: 'winter tyres brakes policy number', k: 3 });
    expect(answer.results.map(({ path }) => path).sort()).toEqual(Object.keys(VISIBLE).sort());
    const unhidden = await search(all, { query: 'winter tyres brakes policy number', k: 3 });
    expect(unhidden.results.some(({ path }) => path.startsWith('Health/'))).toBe(true);
  });

  it('takes no ceiling of ranks, which would tell how often a word stands in what is hidden', async () => {
    expect(await found(part, { query: 'policy', bm25_ceiling: -1 })).toMatchObject({ code: 'out_of_scope' });
    expect(await found(all, { query: 'policy', bm25_ceiling: -1 })).toHaveProperty('results');
  });

  it('keeps what it says of folders apart from what others are told', async () => {
    const missed = { query: 'policy', prefix: 'Nowhere' };
    expect(JSON.stringify(await found(all, missed))).toContain('Health');
    expect(JSON.stringify(await found(part, missed))).not.toContain('Health');
    expect(JSON.stringify(await found(all, missed))).toContain('Health');
  });

  it('of who may read nothing finds nothing', async () => {
    const nothing = { ...all, vault: viewOf(all.vault, createAccess([])) };
    expect(await found(nothing, { query: 'policy' })).toMatchObject({ results: [] });
  });
});
