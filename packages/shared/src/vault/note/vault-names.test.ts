import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { pathKey, type VaultPath } from '../path.ts';
import { relocate } from './relocation.ts';
import { createVaultNames, gatherVaultNames, type VaultNames } from './vault-names.ts';

const segment = fc.constantFrom('a', 'A', 'b', 'é', 'e\u0301', 'n.md', 'N.md', 'x.png');
const path = fc.array(segment, { minLength: 1, maxLength: 4 }).map((parts) => parts.join('/') as VaultPath);
/** Enough namesakes to leave the comparison one by one. */
const paths = fc.uniqueArray(path, { maxLength: 120 });

const sorted = (found: readonly string[]) => [...found].sort();
const ends = (one: string, ending: string) => `/${pathKey(one)}`.endsWith(`/${pathKey(ending)}`);

function expectAsListed(names: VaultNames, listed: readonly VaultPath[], asked: string): void {
  expect(sorted([...names.paths()])).toEqual(sorted(listed));
  expect(sorted(names.byPath(asked))).toEqual(sorted(listed.filter((one) => pathKey(one) === pathKey(asked))));
  expect(sorted(names.bySuffix(asked))).toEqual(sorted(listed.filter((one) => ends(one, asked))));
}

describe('the names of a vault', () => {
  it('find what a search through the whole list would find', () => {
    fc.assert(fc.property(paths, path, (listed, asked) => expectAsListed(createVaultNames(listed), listed, asked)));
  });

  it('are gathered with turns for others in between', async () => {
    const listed = Array.from({ length: 10_000 }, (_, i) => `${i % 7}/${i}.md` as VaultPath);
    let turns = 0;
    const count = () => {
      turns++;
      ticking = setImmediate(count);
    };
    let ticking = setImmediate(count);
    const names = await gatherVaultNames(listed);
    clearImmediate(ticking);
    expect(turns).toBeGreaterThanOrEqual(4);
    expectAsListed(names, listed, '3/3.md');
  });

  it('find the same after a move as names listed anew', () => {
    fc.assert(
      fc.property(paths, path, fc.nat(), (listed, asked, at) => {
        const source = (listed[at % Math.max(1, listed.length)] ?? 'gone')
          .split('/')
          .slice(0, 2)
          .join('/') as VaultPath;
        const { after, movedTo } = relocate(createVaultNames(listed), source, 'new/Place' as VaultPath, null);
        const moved = listed.map(movedTo);
        expectAsListed(after, moved, asked);
        expectAsListed(after, moved, movedTo(asked));
      }),
    );
  });

  it('find notes by their stem', () => {
    const names = createVaultNames(['Note.md', 'a/NOTE.MD', 'Note.png', 'Note', 'My Note.md'] as VaultPath[]);
    expect(names.byStem('note')).toEqual(['Note.md', 'a/NOTE.MD']);
    expect(names.byStem('no')).toEqual([]);
  });

  it('count a path given twice once', () => {
    const names = createVaultNames(['a.md', 'a.md'] as VaultPath[]);
    expect(names.byPath('a.md')).toEqual(['a.md']);
    expect(names.byStem('a')).toEqual(['a.md']);
  });
});
