import { describe, expect, it } from 'vitest';
import type { VaultPath } from '../path.ts';
import { followMove, type LinkingFile } from './follow-move.ts';
import { type Relocation, relocate } from './relocation.ts';
import { createVaultNames } from './vault-names.ts';

const asPath = (path: string) => path as VaultPath;

/** What becomes of each file in which something changes or is left. */
const followAll = (files: readonly LinkingFile[], relocation: Relocation) =>
  files
    .map((file) => ({ path: relocation.movedTo(file.path), ...followMove(file, relocation) }))
    .filter(({ changedLines, left }) => changedLines.length + left.length > 0);

describe('a move followed by the links of a vault', () => {
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
    followAll(linking, relocate(names, asPath(source), asPath(destination), null));

  it('keeps a Markdown link by name one by name, and a path one that every program follows', () => {
    const vault = createVaultNames(['deep/Old.md', 'Home.md'].map(asPath));
    const home = [{ path: asPath('Home.md'), text: '[a](Old.md) [b](Old) [c](deep/Old.md)' }];
    const moved = (to: string) => followAll(home, relocate(vault, asPath('deep/Old.md'), asPath(to), null))[0]?.text;
    expect(moved('deep/New.md')).toBe('[a](New.md) [b](New) [c](deep/New.md)');
    expect(moved('far/deep/Old.md')).toBe('[a](Old.md) [b](Old) [c](far/deep/Old.md)');
  });

  it('gives each changed text, its lines, and what is left', () => {
    expect(plan('p/Old.md', 'q/New.md')).toEqual([
      { path: 'q/New.md', text: '[x](../p/Other.md) [[New]]', changedLines: [1, 1], breaking: 2, left: [] },
      {
        path: 'p/Other.md',
        text: '[[New]] and [[New#h|o]]\n\n[y](../q/New.md)',
        changedLines: [1, 1, 3],
        breaking: 3,
        left: [],
      },
      {
        path: 'Board.canvas',
        text: '{"nodes":[{"type":"file","file":"q/New.md"}]}',
        changedLines: [1],
        breaking: 1,
        left: [],
      },
      {
        path: 'Tasks.base',
        text: files['Tasks.base'],
        changedLines: [],
        breaking: 0,
        left: [{ line: 1, reason: expect.stringContaining('"Old"') }],
      },
    ]);
  });

  it('changes nothing where a whole folder moves that only names itself', () => {
    expect(plan('p', 'q/p').filter(({ changedLines }) => changedLines.length > 0)).toMatchObject([
      { path: 'Board.canvas', text: '{"nodes":[{"type":"file","file":"q/p/Old.md"}]}', changedLines: [1] },
    ]);
  });

  it('says where a file stands afterwards whose links are left', () => {
    const twins = createVaultNames(['p/Linker.md', 'p/Twin.md', 'a/Twin.md'].map(asPath));
    const file = { path: asPath('p/Linker.md'), text: '\n[[p/Twin]] [[Twin]] [[Twin 2]]' };
    const follow = (source: string, destination: string) =>
      followAll([file], relocate(twins, asPath(source), asPath(destination), null));
    expect(follow('p', 'q/Twin 2')).toMatchObject([{ path: 'q/Twin 2/Linker.md', changedLines: [2], left: [] }]);
    expect(follow('p/Twin.md', 'p/Twin 2.md')).toMatchObject([
      { path: 'p/Linker.md', left: [{ line: 2 }, { line: 2 }] },
    ]);
    expect(follow('p/Linker.md', 'Twin 2.md')).toMatchObject([
      { path: 'Twin 2.md', left: [{ line: 2, reason: expect.stringContaining('led nowhere') }] },
    ]);
  });

  it('reports the links of a file that may not be edited, and leaves its text', () => {
    const relocation = relocate(names, asPath('p/Old.md'), asPath('q/New.md'), null);
    const file = { path: asPath('p/Other.md'), text: files['p/Other.md'], readOnly: 'is not valid UTF-8' };
    expect(followMove(file, relocation)).toEqual({
      text: file.text,
      changedLines: [],
      breaking: 3,
      left: [1, 1, 3].map((line) => ({ line, reason: 'is not valid UTF-8' })),
    });
  });
});
