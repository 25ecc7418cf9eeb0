import { describe, expect, it } from 'vitest';
import type { VaultPath } from '../path.ts';
import { baseReferences } from './base-references.ts';
import { relocate } from './relocation.ts';
import { createVaultNames } from './vault-names.ts';

const names = createVaultNames([
  'Projects/House.md',
  'Projects/deep/Roof.md',
  'Status.md',
  'Tasks.base',
] as VaultPath[]);
const lines = (text: string, source: string, destination: string) =>
  baseReferences(
    text,
    'Tasks.base' as VaultPath,
    relocate(names, source as VaultPath, destination as VaultPath, null),
  ).map(({ line }) => line);

const BASE = `filters:
  and:
    - file.inFolder("Projects/deep")
    - 'file.hasLink("House")'
    - file.path == "Projects/House.md"
    - link("Projects/deep/Roof", "Roof")
    - note.up == link("[[Roof|x]]")
    - file.hasTag("projects-old")
views:
  - type: table
    source: Projects/House.md
    order:
      - file.name
      - Status
`;

describe('a base', () => {
  it('is reported line by line where it names a folder that moves, or something in it', () => {
    expect(lines(BASE, 'Projects', 'Archive/Projects')).toEqual([3, 5, 6, 11]);
    expect(lines(BASE, 'Projects/deep', 'Projects/shallow')).toEqual([3, 6]);
  });

  it('is reported where it names a note that moves, by path, name or link', () => {
    expect(lines(BASE, 'Projects/House.md', 'Projects/Home.md')).toEqual([4, 5, 11]);
    expect(lines(BASE, 'Projects/deep/Roof.md', 'Projects/deep/Top.md')).toEqual([6, 7]);
  });

  it('is not reported for a bare name that still leads there, nor for a property called like a note', () => {
    expect(lines(BASE, 'Projects/House.md', 'House.md')).toEqual([5, 11]);
    expect(lines(BASE, 'Status.md', 'State.md')).toEqual([]);
  });

  it.each([
    ['slashes', `${'/'.repeat(250_000)}x${'/'.repeat(250_000)}x`],
    ['blanks and dashes', ' -'.repeat(125_000)],
    ['colons', 'a: '.repeat(80_000)],
    ['quotes', `"a/`.repeat(80_000)],
    ['brackets', '[[a|'.repeat(60_000)],
    ['dots', './'.repeat(125_000)],
  ])('is looked through to its end when a line of it is made of nothing but %s', (_name, line) => {
    expect(lines(`${line}\n"${line}"\nProjects/House.md\n`, 'Projects/House.md', 'House.md')).toEqual([3]);
  });
});
