import { type Access, createAccess, EVERYTHING } from '@vault-mcp/shared/vault/access';
import { gatherVaultNames } from '@vault-mcp/shared/vault/note/vault-names';
import type { VaultPath } from '@vault-mcp/shared/vault/path';
import { describe, expect, it } from 'vitest';
import { type CurrentGraph, KeptScopes } from './kept-scopes.ts';
import { LinkGraph } from './link-graph.ts';

const FILES = new Set(['Open/plan.md', 'Open/other.md', 'Shut/plan.md', 'a.md'] as VaultPath[]);
const OPEN = createAccess([{ prefix: 'Open', read: true }]);

async function wholeGraph(parts: Partial<CurrentGraph> = {}): Promise<CurrentGraph> {
  const graph = new LinkGraph();
  graph.setNames(await gatherVaultNames(FILES), null);
  const links = { 'Open/plan.md': ['a', 'Open/other'], 'Open/other.md': ['plan'], 'a.md': ['Open/plan'] };
  for (const [path, targets] of Object.entries(links)) {
    graph.setLinks(
      path as VaultPath,
      targets.map((target) => ({ form: 'wikilink', target, line: 1 })),
    );
  }
  return { graph, generation: 1, unread: [], leftOut: [], isExcluded: () => false, ...parts };
}

const seen = async (scopes: KeptScopes, whole: CurrentGraph, access: Access) =>
  (await scopes.follow(whole, FILES, [access])).of(access);

describe('the link graph of who may read a part of the vault', () => {
  it('has the links of that part alone, and leads nowhere else', async () => {
    const whole = await wholeGraph();
    const { graph } = await seen(new KeptScopes(), whole, OPEN);
    expect([...graph.sources()].sort()).toEqual(['Open/other.md', 'Open/plan.md']);
    expect([...graph.outOf('Open/plan.md' as VaultPath)]).toEqual(['Open/other.md']);
    expect([...graph.into('Open/plan.md' as VaultPath)]).toEqual(['Open/other.md']);
  });

  it('takes no link for ambiguous because of a file that is hidden', async () => {
    const whole = await wholeGraph();
    const stateIn = ({ graph }: CurrentGraph) => graph.linksOf('Open/other.md' as VaultPath)[0]?.resolution.state;
    expect(stateIn(whole)).toBe('ambiguous');
    expect(stateIn(await seen(new KeptScopes(), whole, OPEN))).toBe('resolved');
  });

  it('names nothing hidden among what could not be read', async () => {
    const leftOut = ['Shut', 'Open', 'a.md', 'Open/bad.md', ''].map((path) => ({ path, reason: 'damaged' }));
    const whole = await wholeGraph({ unread: ['Shut', 'Open'] as VaultPath[], leftOut });
    const told = await seen(new KeptScopes(), whole, OPEN);
    expect(told.unread).toEqual(['Open']);
    expect(told.leftOut.map(({ path }) => path)).toEqual(['Open', 'Open/bad.md', '']);
  });

  it('keeps the list of what could not be read the same as long as it is', async () => {
    const [scopes, whole] = [new KeptScopes(), await wholeGraph({ unread: ['Shut', 'Open'] as VaultPath[] })];
    const first = await seen(scopes, whole, OPEN);
    expect((await seen(scopes, { ...whole, leftOut: [] }, OPEN)).unread).toBe(first.unread);
  });

  it('is the whole one for who may read everything', async () => {
    const whole = await wholeGraph();
    expect(await seen(new KeptScopes(), whole, EVERYTHING)).toBe(whole);
    expect(await seen(new KeptScopes(), whole, createAccess([{ prefix: '', read: true }]))).toBe(whole);
  });

  it('is kept for the last few that asked, and made anew for others', async () => {
    const [scopes, whole] = [new KeptScopes(), await wholeGraph()];
    const { graph } = await seen(scopes, whole, OPEN);
    expect((await seen(scopes, whole, OPEN)).graph).toBe(graph);
    for (let n = 0; n < 8; n++) await seen(scopes, whole, createAccess([{ prefix: `Folder ${n}`, read: true }]));
    expect((await seen(scopes, whole, OPEN)).graph).not.toBe(graph);
  });

  it('of more callers at once than are kept is there for each of them', async () => {
    const [scopes, whole] = [new KeptScopes(), await wholeGraph()];
    const others = Array.from({ length: 12 }, (_, n) => createAccess([{ prefix: `Folder ${n}`, read: true }]));
    const graphs = await scopes.follow(whole, FILES, [OPEN, ...others]);
    expect([...graphs.of(OPEN).graph.sources()]).toHaveLength(2);
    for (const access of others) expect([...graphs.of(access).graph.sources()]).toEqual([]);
  });
});
