import type { VaultPath } from '@vault-mcp/shared/vault/path';
import fc from 'fast-check';
import { distance } from 'fastest-levenshtein';
import { describe, expect, it } from 'vitest';
import { NearNames } from './near-names.ts';

const gather = (...paths: string[]) => NearNames.gather(paths as VaultPath[]);
const HOME = 'Home.md' as VaultPath;

describe('the files of one name', () => {
  it.each([
    ['in another folder', 'Garden/Pear tree'],
    ['in another case and normal form', 'PEAR TREE'],
    ['with other marks between its words', 'pear-tree'],
    ['with its suffix', 'Pear tree.md'],
    ['encoded where nothing is', 'Pear%20tree'],
    ['as if it were a folder', 'Pear tree/'],
  ])('are found %s', async (_how, target) => {
    expect((await gather('Plants/Pear tree.md', 'Plants/Pear.md')).namesakes(target, HOME, 50)).toEqual([
      'Plants/Pear tree.md',
    ]);
  });

  it('are found without the suffix that a link to them needs', async () => {
    expect((await gather('Files/scan.pdf')).namesakes('scan', HOME, 50)).toEqual(['Files/scan.pdf']);
  });

  it('come with those first that stand in a folder of the target, then beside the link, then the shortest', async () => {
    const near = await gather('Attic/Plan.md', 'B/Plan.md', 'House/2025/Plan.md', 'Garden/Plan.md');
    expect(near.namesakes('House/Plan', 'Garden/Pear.md' as VaultPath, 50)).toEqual([
      ...['House/2025/Plan.md', 'Garden/Plan.md', 'B/Plan.md', 'Attic/Plan.md'],
    ]);
  });
});

describe('the files of a similar name', () => {
  it('are those that differ in a few letters, the nearest first', async () => {
    const near = await gather('Heating plan.md', 'Hearing plans.md', 'Heating plant costs.md', 'Other.md');
    expect(near.similar('Heatin plan', HOME, 50)).toEqual(['Heating plan.md']);
    expect(near.similar('Heating plans', HOME, 50)).toEqual(['Heating plan.md', 'Hearing plans.md']);
  });

  it.each([
    ['a short name', 'Elm', 'Elk.md'],
    ['another day', '2026-03-04', '2026-03-05.md'],
    ['another version', 'Release v1.2 notes', 'Release v1.3 notes.md'],
  ])('are not looked for in %s', async (_what, target, path) => {
    expect((await gather(path)).similar(target, HOME, 50)).toEqual([]);
  });

  it('are all of them, and no other', async () => {
    const name = fc.stringMatching(/^[abcàé]{4,14}$/);
    await fc.assert(
      fc.asyncProperty(fc.uniqueArray(name, { minLength: 1, maxLength: 30 }), name, async (names, target) => {
        const slips = Math.min(3, Math.floor(target.length / 4));
        const wanted = names.filter((one) => distance(one, target) <= slips).map((one) => `${one}.md`);
        const found = (await gather(...names.map((one) => `${one}.md`))).similar(target, HOME, 50);
        expect(found.toSorted()).toEqual(wanted.toSorted());
      }),
    );
  });

  it('are never the linking note itself', async () => {
    expect((await gather('Heating plan.md')).similar('Heating plam', 'Heating plan.md' as VaultPath, 50)).toEqual([]);
  });
});

it('tells a folder, from the root and from where the link stands', async () => {
  const near = await gather('House/Plans/a.md');
  const isFolder = (target: string, from: string) => near.isFolder({ form: 'wikilink', target }, from as VaultPath);
  expect(['House', 'house/plans/', '/House/Plans'].map((target) => isFolder(target, 'Home.md'))).toEqual([
    ...[true, true, true],
  ]);
  expect([isFolder('./Plans', 'House/b.md'), isFolder('Plans', 'Home.md'), isFolder('a', 'Home.md')]).toEqual([
    ...[true, false, false],
  ]);
});
