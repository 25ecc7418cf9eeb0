import { describe, expect, it } from 'vitest';
import type { VaultPath } from '../path.ts';
import { parseNote } from './parse.ts';
import { resolveLink } from './resolve-link.ts';
import { createVaultNames } from './vault-names.ts';

const VAULT = [
  'Home.md',
  'Twin.md',
  'LICENSE',
  'LICENSE.md',
  'logo.png',
  'Projects/House.md',
  'Projects/House 1.2.md',
  'Projects/plan.canvas',
  'Projects/deep/Roof.md',
  'Archive/Twin.md',
  'Archive/Old.MD',
  'Archive/deep/Roof.md',
  'Archive/deep/Cellar.md',
  'Files/scan.pdf',
  'Café/Menü.md',
  'case/Name.md',
  'case/name.md',
  'c#/a|b.md',
];
const names = createVaultNames(VAULT as VaultPath[]);

/** Where the only link of a text leads: a path, all candidates, or nothing. */
function leads(text: string, from = 'Projects/deep/Note.md'): string | string[] | null {
  const [link] = parseNote(text).links;
  if (link === undefined) throw new Error('no link in the text');
  const resolution = resolveLink(link, from as VaultPath, names);
  if (resolution.state === 'broken') return null;
  return resolution.state === 'resolved' ? resolution.path : [...resolution.candidates];
}

describe('a wikilink', () => {
  it.each([
    ['an exact path', '[[Projects/House]]', 'Projects/House.md'],
    ['an exact path with its suffix', '[[Projects/House.md]]', 'Projects/House.md'],
    ['a path that ends with it', '[[deep/Cellar]]', 'Archive/deep/Cellar.md'],
    ['the one note of a name', '[[House]]', 'Projects/House.md'],
    ['a name with a dot', '[[House 1.2]]', 'Projects/House 1.2.md'],
    ['a note whose suffix is in capitals', '[[Old]]', 'Archive/Old.MD'],
    ['a name in another case', '[[HOUSE]]', 'Projects/House.md'],
    ['a path in another case', '[[projects/house|x]]', 'Projects/House.md'],
    ['a name in another normal form', '[[Cafe\u0301/Menu\u0308]]', 'Café/Menü.md'],
    ['a note at the root before its namesakes', '[[Twin]]', 'Twin.md'],
    ['the file spelled exactly before the note', '[[LICENSE]]', 'LICENSE'],
    ['the note by its whole name', '[[license.md]]', 'LICENSE.md'],
    ['the spelling asked for', '[[case/name]]', 'case/name.md'],
    ['an attachment by its name', '![[logo.png]]', 'logo.png'],
    ['a document by its name', '[[scan.pdf]]', 'Files/scan.pdf'],
    ['a canvas', '[[plan.canvas]]', 'Projects/plan.canvas'],
    ['a path from the root', '[[/Home]]', 'Home.md'],
    ['a path from the folder', '[[./Roof]]', 'Projects/deep/Roof.md'],
    ['a path that leads up', '[[../House#Roof]]', 'Projects/House.md'],
    ['the note itself', '[[#Heading]]', 'Projects/deep/Note.md'],
    ['the note itself, at a block', '[[#^id]]', 'Projects/deep/Note.md'],
  ])('finds %s: %s', (_, text, path) => {
    expect(leads(text)).toBe(path);
  });

  it.each([
    ['a name that is not there', '[[Nothing]]'],
    ['a stem behind the wrong folder', '[[Wrong/House]]'],
    ['a path that ends in the middle of a name', '[[ouse]]'],
    ['segments that are not whole', '[[rchive/Twin]]'],
    ['percent-encoding', '[[House%201.2]]'],
    ['a document without its suffix', '[[scan]]'],
    ['a canvas without its suffix', '[[plan]]'],
    ['a folder', '[[Projects]]'],
    ['a folder with its slash', '[[Projects/]]'],
    ['a path out of the vault', '[[../../../Home]]'],
    ['a path from the root that is not whole', '[[/House]]'],
    ['a path from the folder, looked for elsewhere', '[[./House]]'],
  ])('is broken by %s: %s', (_, text) => {
    expect(leads(text)).toBeNull();
  });

  it('is ambiguous where several would do, and names them', () => {
    expect(leads('[[Roof]]')).toEqual(['Projects/deep/Roof.md', 'Archive/deep/Roof.md']);
    expect(leads('[[deep/Roof]]')).toEqual(['Projects/deep/Roof.md', 'Archive/deep/Roof.md']);
    expect(leads('[[Name]]')).toEqual(['case/Name.md', 'case/name.md']);
    expect(leads('[[case/NAME]]')).toEqual(['case/Name.md', 'case/name.md']);
  });
});

describe('a markdown link', () => {
  it.each([
    ['from the note’s folder', '[x](Roof.md)', 'Projects/deep/Roof.md'],
    ['from the note’s folder, marked', '[x](./Roof.md "t")', 'Projects/deep/Roof.md'],
    ['upwards', '[x](../House.md#h)', 'Projects/House.md'],
    ['else from the root', '[x](Projects/House.md)', 'Projects/House.md'],
    ['from the root by its slash', '[x](/Home.md)', 'Home.md'],
    ['percent-encoded', '[x](../House%201.2.md)', 'Projects/House 1.2.md'],
    ['in angle brackets', '[x](<../House 1.2.md>)', 'Projects/House 1.2.md'],
    ['without the suffix', '[x](../House)', 'Projects/House.md'],
    ['to an attachment', '![x](../../logo.png)', 'logo.png'],
    ['with what would be a fragment, encoded', '[x](/c%23/a%7Cb.md)', 'c#/a|b.md'],
    ['in a reference definition', '[x]: ../House.md', 'Projects/House.md'],
    ['in frontmatter', '---\nup: "[x](../House.md)"\n---\n', 'Projects/House.md'],
  ])('leads %s: %j', (_, text, path) => {
    expect(leads(text)).toBe(path);
  });

  it('prefers the note’s folder to the root', () => {
    expect(leads('[x](Twin.md)', 'Archive/Note.md')).toBe('Archive/Twin.md');
    expect(leads('[x](Twin.md)', 'Projects/Note.md')).toBe('Twin.md');
  });

  it.each([
    ['by its name', '[x](Cellar.md)', 'Archive/deep/Cellar.md'],
    ['by its name, percent-encoded', '[x](House%201.2.md)', 'Projects/House 1.2.md'],
    ['by its name without the suffix', '[x](Cellar)', 'Archive/deep/Cellar.md'],
    ['by the end of its path', '[x](deep/Cellar.md)', 'Archive/deep/Cellar.md'],
    ['as an attachment, by its name', '![x](scan.pdf)', 'Files/scan.pdf'],
  ])('else leads where Obsidian finds it, %s: %s', (_, text, path) => {
    expect(leads(text, 'Home.md')).toBe(path);
  });

  it('is ambiguous where several files have its name and none stands where it says', () => {
    expect(leads('[x](Roof.md)', 'Home.md')).toEqual(['Projects/deep/Roof.md', 'Archive/deep/Roof.md']);
  });

  it.each(['[x](./Cellar.md)', '[x](../../../Home.md)', '[x](/House.md)', '[x](../deep/)', '[x](Wrong/House.md)'])(
    'that says where it starts, or names a wrong folder, is never looked for elsewhere: %s',
    (text) => {
      expect(leads(text)).toBeNull();
    },
  );
});
