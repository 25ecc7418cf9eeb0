/** The one promise of a graph that is kept current: it says what one made anew would say. */
import { createVaultNames } from '@vault-mcp/shared/vault/note/vault-names';
import { nameOf, type VaultPath } from '@vault-mcp/shared/vault/path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LinkGraph, type PlacedLink } from './link-graph.ts';
import { neighboursOf } from './neighbours.ts';

const folder = fc.constantFrom('', 'a/', 'b/', 'a/b/');
const name = fc.constantFrom('n.md', 'N.md', 'm.md', 'é.md', 'n', 'x.png');
const file = fc.tuple(folder, name).map(([above, own]) => `${above}${own}` as VaultPath);
const target = fc.constantFrom('n', 'N.md', 'm', 'b/n', './m', '../n', '/m', 'é', 'x.png', 'gone', '', 'a/b/n.md');
const link: fc.Arbitrary<PlacedLink> = fc.record({
  form: fc.constantFrom('wikilink', 'markdown'),
  target,
  line: fc.integer({ min: 0, max: 5 }),
});

/** What a vault may look like at one moment: its files, each with its links. */
const moment = fc.dictionary(file, fc.array(link, { maxLength: 4 }), { maxKeys: 10 });

type Moment = Readonly<Record<string, readonly PlacedLink[]>>;

function graphOf(state: Moment): LinkGraph {
  const graph = new LinkGraph();
  graph.setNames(createVaultNames(Object.keys(state) as VaultPath[]), null);
  for (const [path, links] of Object.entries(state)) graph.setLinks(path as VaultPath, links);
  return graph;
}

/** Goes from one moment to the next as the product does: names first, then what changed of the links. */
function bring(graph: LinkGraph, from: Moment, to: Moment): void {
  const touched = [...Object.keys(from), ...Object.keys(to)].filter((path) => path in from !== path in to);
  graph.setNames(createVaultNames(Object.keys(to) as VaultPath[]), new Set(touched.map(nameOf)));
  for (const path of Object.keys(from)) if (!(path in to)) graph.remove(path as VaultPath);
  for (const [path, links] of Object.entries(to)) {
    if (JSON.stringify(from[path]) !== JSON.stringify(links)) graph.setLinks(path as VaultPath, links);
  }
}

/** A vault at several moments: mostly the same files with the same links, some of them gone and back. */
const moments = fc
  .tuple(moment, fc.array(fc.tuple(fc.array(file), moment), { minLength: 1, maxLength: 3 }))
  .map(([all, later]): Moment[] => [
    all,
    ...later.map(([gone, changed]) => ({
      ...Object.fromEntries(Object.entries(all).filter(([path]) => !gone.includes(path as VaultPath))),
      ...Object.fromEntries(Object.entries(changed).slice(0, 1)),
    })),
  ]);

/** All that can be asked of it; candidates in no order, since names come in none. */
function said(graph: LinkGraph, paths: readonly string[]) {
  return (paths as VaultPath[]).map((path) => ({
    path,
    links: graph.linksOf(path).map(({ resolution, ...rest }) => ({
      ...rest,
      resolution: 'candidates' in resolution ? [...resolution.candidates].sort() : resolution,
    })),
    out: [...graph.outOf(path)].sort(),
    into: [...graph.into(path)].sort().map((from) => graph.backlink(from, path)),
    near: neighboursOf(graph, path, () => true, 100),
  }));
}

describe('a link graph', () => {
  it('that follows a vault says what one made anew says', () => {
    fc.assert(
      fc.property(moments, (states) => {
        const [first = {}, ...later] = states;
        const graph = graphOf(first);
        let before: Moment = first;
        for (const now of later) {
          bring(graph, before, now);
          before = now;
        }
        const paths = [...new Set(states.flatMap((one) => Object.keys(one)))].sort();
        expect(said(graph, paths)).toEqual(said(graphOf(before), paths));
      }),
    );
  });

  it('knows both ends of every link that leads to another file', () => {
    fc.assert(
      fc.property(moment, (state) => {
        const graph = graphOf(state);
        const paths = Object.keys(state) as VaultPath[];
        for (const from of paths) {
          for (const to of paths) expect(graph.outOf(from).has(to)).toBe(graph.into(to).has(from));
          expect(graph.outOf(from).has(from)).toBe(false);
        }
      }),
    );
  });

  it('has another version after every change, and only then', () => {
    const graph = graphOf({ 'a.md': [] });
    const { version } = graph;
    graph.linksOf('a.md' as VaultPath);
    expect(graph.version).toBe(version);
    graph.setLinks('a.md' as VaultPath, []);
    expect(graph.version).not.toBe(version);
  });
});

describe('what is kept of targets', () => {
  const wiki = (...targets: string[]): PlacedLink[] => targets.map((target) => ({ form: 'wikilink', target, line: 1 }));

  it('goes with the last file that writes one', () => {
    const graph = graphOf({ 'a.md': wiki('x', 'y', 'x'), 'b.md': wiki('x') });
    expect(graph.targets).toBe(2);
    graph.setLinks('a.md' as VaultPath, wiki('x'));
    expect(graph.targets).toBe(1);
    graph.remove('a.md' as VaultPath);
    expect(graph.targets).toBe(1);
    graph.remove('b.md' as VaultPath);
    expect(graph.targets).toBe(0);
  });
});

describe('the files linked with one', () => {
  const wiki = (...targets: string[]): PlacedLink[] => targets.map((target) => ({ form: 'wikilink', target, line: 1 }));

  it('are those of both ways, each once, unless they are more than asked for', () => {
    const graph = graphOf({ 'a.md': wiki('b', 'c', 'a'), 'b.md': wiki('a'), 'c.md': [], 'd.md': wiki('a') });
    const linked = (atMost?: number) => graph.linkedWith('a.md' as VaultPath, atMost);
    expect(linked()).toEqual(new Set(['b.md', 'c.md', 'd.md']));
    expect(linked(3)).toEqual(linked());
    expect(linked(2)).toBeNull();
    expect(graph.linkedWith('c.md' as VaultPath, 0)).toBeNull();
    expect(graph.linkedWith('nobody.md' as VaultPath, 0)).toEqual(new Set());
  });
});

describe('neighbours', () => {
  const wiki = (...targets: string[]): PlacedLink[] =>
    targets.map((one, line) => ({ form: 'wikilink', target: one, line: line + 1 }));

  it('do not come by way of what most of the vault links to', () => {
    const many = Array.from({ length: 300 }, (_, i): [string, PlacedLink[]] => [`day ${i}.md`, wiki('Hub')]);
    const graph = graphOf({
      ...Object.fromEntries(many),
      'Hub.md': [],
      'n.md': wiki('Hub', 'm'),
      'm.md': [],
      'o.md': wiki('m'),
    });
    const near = neighboursOf(graph, 'n.md' as VaultPath, () => true, 100);
    expect(near.map(({ path }) => path)).toEqual(['Hub.md', 'm.md', 'o.md']);
  });

  it('are looked for past a file of many links without gathering these', () => {
    const asked: [string, number | undefined][] = [];
    const linked: Record<string, string[]> = { 'n.md': ['Hub.md', 'm.md'], 'm.md': ['n.md', 'o.md'] };
    const graph = {
      linkedWith(path: VaultPath, atMost?: number) {
        asked.push([path, atMost]);
        return path === 'Hub.md' ? null : new Set((linked[path] ?? []) as VaultPath[]);
      },
    };
    const near = neighboursOf(graph, 'n.md' as VaultPath, () => true, 100);
    expect(near.map(({ path }) => path)).toEqual(['Hub.md', 'm.md', 'o.md']);
    expect(asked).toEqual([
      ['n.md', undefined],
      ['Hub.md', 200],
      ['m.md', 200],
    ]);
  });

  it('are no more than asked for, the nearest first, and only those that may be named', () => {
    const graph = graphOf({ 'n.md': wiki('x.png', 'm', 'k'), 'x.png': [], 'm.md': [], 'k.md': wiki('m') });
    const near = neighboursOf(graph, 'n.md' as VaultPath, (path) => path.endsWith('.md'), 1);
    expect(near).toEqual([{ path: 'k.md', distance: 1, shared: 1 }]);
  });
});
