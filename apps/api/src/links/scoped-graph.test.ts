import { createAccess } from '@vault-mcp/shared/vault/access';
import { gatherVaultNames } from '@vault-mcp/shared/vault/note/vault-names';
import { nameOf, type VaultPath } from '@vault-mcp/shared/vault/path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LinkGraph, type PlacedLink } from './link-graph.ts';
import { ScopedGraph } from './scoped-graph.ts';

type Files = ReadonlyMap<string, readonly string[]>;

const placed = (targets: readonly string[]): PlacedLink[] =>
  targets.map((target, at) => ({ form: 'wikilink', target, line: at + 1 }));

/** A graph that follows files which come, change and go, as the one of a vault does. */
class Whole {
  readonly graph = new LinkGraph();
  paths: ReadonlySet<VaultPath> = new Set();
  #links = new Map<string, string>();

  async take(files: Files): Promise<void> {
    const paths = new Set([...files.keys()] as VaultPath[]);
    const touched = [...new Set([...paths, ...this.paths])].filter((path) => paths.has(path) !== this.paths.has(path));
    if (touched.length > 0) {
      this.graph.setNames(await gatherVaultNames(paths), new Set(touched.map(nameOf)));
      this.paths = paths;
    }
    for (const path of this.#links.keys()) if (!files.has(path)) this.#forget(path);
    for (const [path, targets] of files) {
      const written = JSON.stringify(targets);
      if (this.#links.get(path) === written) continue;
      this.#links.set(path, written);
      this.graph.setLinks(path as VaultPath, placed(targets));
    }
  }

  #forget(path: string): void {
    this.#links.delete(path);
    this.graph.remove(path as VaultPath);
  }
}

function told(graph: LinkGraph): unknown {
  return Object.fromEntries(
    [...graph.sources()]
      .sort()
      .map((path) => [path, { links: graph.linksOf(path), into: [...graph.into(path)].sort() }]),
  );
}

const PATHS = ['a.md', 'A/a.md', 'A/b.md', 'B/a.md', 'B/b.md', 'B/C/c.md', 'index.md', 'A/x.png'];
const TARGETS = ['a', 'b', 'c', 'A/a', 'B/b', './b', '../a', 'x.png', 'nowhere', 'index'];
const files = fc
  .array(fc.tuple(fc.constantFrom(...PATHS), fc.array(fc.constantFrom(...TARGETS), { maxLength: 4 })), { maxLength: 8 })
  .map((entries): Files => new Map(entries));
const rules = fc.uniqueArray(
  fc.record({ prefix: fc.constantFrom('', 'A', 'B', 'B/C', 'a.md', 'index.md'), read: fc.boolean() }),
  { selector: ({ prefix }) => prefix, maxLength: 4 },
);

describe('the graph of who may read a part', () => {
  it('is that of a vault which holds the part alone, after each of any changes', async () => {
    await fc.assert(
      fc.asyncProperty(rules, fc.array(files, { minLength: 1, maxLength: 4 }), async (some, states) => {
        const access = createAccess(some);
        const [whole, scoped, alone] = [new Whole(), new ScopedGraph(access), new Whole()];
        for (const state of states) {
          await whole.take(state);
          await scoped.follow(whole.graph, whole.paths);
          await alone.take(new Map([...state].filter(([path]) => access.mayRead(path))));
          expect(told(scoped.graph)).toEqual(told(alone.graph));
        }
      }),
      { numRuns: 150 },
    );
  });

  it('takes nothing in again that did not change', async () => {
    const access = createAccess([{ prefix: 'A', read: true }]);
    const [whole, scoped] = [new Whole(), new ScopedGraph(access)];
    await whole.take(
      new Map([
        ['A/a.md', ['b']],
        ['B/b.md', []],
      ]),
    );
    await scoped.follow(whole.graph, whole.paths);
    const { version } = scoped.graph;
    await whole.take(
      new Map([
        ['A/a.md', ['b']],
        ['B/b.md', ['a']],
      ]),
    );
    await scoped.follow(whole.graph, whole.paths);
    expect(scoped.graph.version).toBe(version);
    await whole.take(
      new Map([
        ['A/a.md', ['c']],
        ['B/b.md', ['a']],
      ]),
    );
    await scoped.follow(whole.graph, whole.paths);
    expect(scoped.graph.version).not.toBe(version);
  });
});
