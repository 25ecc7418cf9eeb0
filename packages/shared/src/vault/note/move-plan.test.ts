import { describe, expect, it } from 'vitest';
import type { VaultPath } from '../path.ts';
import { followMove, planMove } from './move-plan.ts';
import { relocate } from './relocation.ts';
import { createVaultNames } from './vault-names.ts';

const asPath = (path: string) => path as VaultPath;

describe('the plan of a move', () => {
  const files = {
    'p/Old.md': '[x](Other.md) [[Old]]',
    'p/Other.md': '[[Old]] and [[Old#h|o]]\n\n[y](Old.md)',
    'Free.md': 'no links',
    'Twin.md': '[[Twins]]',
    'a/Twins.md': '',
    'p/Twins.md': '',
    'Board.canvas': '{"nodes":[{"type":"file","file":"p/Old.md"}]}',
    'Tasks.base': 'filters: file.hasLink("Old")\n',
  };
  const names = createVaultNames(Object.keys(files).map(asPath));
  const linking = Object.entries(files).map(([path, text]) => ({ path: asPath(path), text }));
  const plan = (source: string, destination: string) =>
    planMove(linking, relocate(names, asPath(source), asPath(destination)));

  it('holds each changed text, honest counts, and what is left at its place after the move', () => {
    expect(plan('p/Old.md', 'q/New.md')).toEqual({
      changes: [
        { path: 'p/Old.md', pathAfter: 'q/New.md', text: '[x](../p/Other.md) [[New]]', links: 2 },
        { path: 'p/Other.md', pathAfter: 'p/Other.md', text: '[[New]] and [[New#h|o]]\n\n[y](../q/New.md)', links: 3 },
        {
          path: 'Board.canvas',
          pathAfter: 'Board.canvas',
          text: '{"nodes":[{"type":"file","file":"q/New.md"}]}',
          links: 1,
        },
      ],
      linksUpdated: 6,
      notesUpdated: 3,
      linksBreaking: 6,
      left: [{ path: 'Tasks.base', line: 1, reason: expect.stringContaining('"Old"') }],
    });
  });

  it('changes nothing where a whole folder moves that only names itself', () => {
    expect(plan('p', 'q/p')).toMatchObject({
      changes: [{ path: 'Board.canvas', text: '{"nodes":[{"type":"file","file":"q/p/Old.md"}]}' }],
      linksUpdated: 1,
    });
  });

  it('says where a file stands afterwards whose links are left', () => {
    const twins = createVaultNames(['p/Linker.md', 'p/Twin.md', 'a/Twin.md'].map(asPath));
    const file = { path: asPath('p/Linker.md'), text: '\n[[p/Twin]] [[Twin]] [[Twin 2]]' };
    const { left, linksUpdated } = planMove([file], relocate(twins, asPath('p'), asPath('q/Twin 2')));
    expect({ left, linksUpdated }).toEqual({ left: [], linksUpdated: 1 });
    const renamed = planMove([file], relocate(twins, asPath('p/Twin.md'), asPath('p/Twin 2.md')));
    expect(renamed.left.map(({ path, line }) => [path, line])).toEqual([
      ['p/Linker.md', 2],
      ['p/Linker.md', 2],
    ]);
    const moved = planMove([file], relocate(twins, asPath('p/Linker.md'), asPath('Twin 2.md')));
    expect(moved.left).toMatchObject([{ path: 'Twin 2.md', line: 2, reason: expect.stringContaining('led nowhere') }]);
  });

  it('reports the links of a file that may not be edited, and leaves its text', () => {
    const relocation = relocate(names, asPath('p/Old.md'), asPath('q/New.md'));
    const file = { path: asPath('p/Other.md'), text: files['p/Other.md'], readOnly: 'is not valid UTF-8' };
    expect(followMove(file, relocation)).toEqual({
      text: file.text,
      changedLines: [],
      breaking: 3,
      left: [1, 1, 3].map((line) => ({ line, reason: 'is not valid UTF-8' })),
    });
  });
});
