import type { OperationContext } from '@vault-mcp/api/context';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type IndexedVault, indexVault } from '../../../../test/support/indexed-vault.ts';
import { operationContext } from '../../../../test/support/reading-context.ts';
import { searchText } from '../rendering/search-text.ts';
import { search } from './search.ts';

const DAYS = Array.from({ length: 12 }, (_, n) => `Days/${String(n).padStart(2, '0')}.md`);

let vault: IndexedVault;
let context: OperationContext;
beforeAll(async () => {
  const files = {
    ...Object.fromEntries(DAYS.map((path) => [path, 'See [[Boiler]].\n'])),
    'Boiler.md': '# Boiler\n\nThe valve sticks. [[Plumber]] [[Nowhere]] ![[valve.png]]\n',
    'Plumber.md': '# Plumber\n',
    'valve.png': 'PNG',
  };
  vault = await indexVault({ files });
  await vault.settled();
  context = await operationContext(vault);
});
afterAll(() => vault.remove());

describe('a search that is asked to', () => {
  it('names the files that a result links to, and the first of those that link to it', async () => {
    const found = await search(context, { query: 'valve sticks', k: 1, expand_links: true });
    const links = { out: ['Plumber.md', 'valve.png'], back: DAYS.slice(0, 10) };
    expect(found.results).toMatchObject([{ path: 'Boiler.md', links }]);
    const lines = ['Links to: Plumber.md | valve.png', `Linked from: ${links.back.join(' | ')}`];
    expect(searchText(found)).toContain(`\n${lines.join('\n')}\n`);
  });

  it('finds what it finds otherwise', async () => {
    const plain = await search(context, { query: 'valve sticks' });
    const expanded = await search(context, { query: 'valve sticks', expand_links: true });
    expect(plain.results[0]).not.toHaveProperty('links');
    expect(expanded.results.map(({ links: _links, ...hit }) => hit)).toEqual(plain.results);
  });

  it('finds it without links, and says so, when they cannot be looked up', async () => {
    const reader = new Proxy(context.reader, {
      get(real, name) {
        if (name === 'noteChanges') throw new Error('disk I/O error');
        return real[name as keyof typeof real].bind(real);
      },
    });
    const plain = await search(context, { query: 'valve sticks' });
    const found = await search({ ...context, reader }, { query: 'valve sticks', expand_links: true });
    expect(found.results).toEqual(plain.results);
    expect(found.degraded).toEqual([...plain.degraded, 'links_unavailable']);
    expect(searchText(found)).toContain('links_unavailable: the links could not be looked up');
  });
});
