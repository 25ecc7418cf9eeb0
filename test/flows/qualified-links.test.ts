/** Links after a second note took a name, over a real folder and a real index. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type OutsideChanges, type RenamedVault, renamedVault } from '../support/renamed-vault.ts';

let vault: RenamedVault;
beforeEach(async () => {
  vault = await renamedVault();
});
afterEach(() => vault.close());

describe('when a second note takes a name', () => {
  it('links that meant the first say so, with what else stands in them', async () => {
    const text = '[[Note]] [[note#Part|named]] ![[Note]] [x](Note.md) [[a/Note]]';
    await vault.pass({ 'a/Note.md': '# Part\n', 'a/beside.md': '[x](Note.md) [[Note]]', 'x.md': text });
    await vault.pass({ 'b/Note.md': 'second' });
    await vault.mend('qualify');
    expect(vault.read('x.md')).toBe('[[a/Note]] [[a/Note#Part|named]] ![[a/Note]] [x](a/Note.md) [[a/Note]]');
    expect(vault.read('a/beside.md')).toBe('[x](Note.md) [[a/Note]]');
  });

  it('links that meant one in a folder say so when one at the root takes them over', async () => {
    await vault.pass({ 'a/Note.md': 'first', 'x.md': '[[Note]]' });
    await vault.pass({ 'Note.md': 'second' });
    await vault.mend('qualify');
    expect(vault.read('x.md')).toBe('[[a/Note]]');
  });

  it('a third changes no more, and a link written in between means what it meant then', async () => {
    await vault.pass({ 'a/Note.md': 'first', 'x.md': '[[Note]]' });
    await vault.pass({ 'b/Note.md': 'second' });
    await vault.pass({ 'y.md': '[[Note]]', 'z.md': '[[b/Note]]' });
    await vault.pass({ 'c/Note.md': 'third', 'd/b/Note.md': 'fourth' });
    await vault.mend('qualify');
    expect(['x.md', 'y.md', 'z.md'].map((path) => vault.read(path))).toEqual(['[[a/Note]]', '[[Note]]', '[[b/Note]]']);
  });

  const exceptions: [string, { first: OutsideChanges; later: OutsideChanges; left: string[] }][] = [
    [
      'the first stands at the root: its name is its whole path',
      {
        first: { 'Note.md': 'first', 'x.md': '[[Note]]' },
        later: { 'b/Note.md': 'second' },
        left: [
          'x.md:1 leads to "Note.md" at the root, whose name has no longer form; a note beside "b/Note.md" may open that one in Obsidian',
        ],
      },
    ],
    [
      'no wikilink can carry the path of the first',
      {
        first: { 'a [1]/Note.md': 'first', 'x.md': '[[Note]]' },
        later: { 'b/Note.md': 'second' },
        left: ['x.md:1 "a [1]/Note.md" holds a character that no wikilink can carry ([ ] | # ^): link to it by hand'],
      },
    ],
    [
      'the first went as the second came',
      {
        first: { 'a/Note.md': 'first', 'x.md': '[[Note]]' },
        later: { 'b/Note.md': 'second', 'a/Note.md': null },
        left: ['x.md:1 led to "a/Note.md", which is gone'],
      },
    ],
    [
      'both came in one pass',
      { first: { 'x.md': '[[Note]]' }, later: { 'a/Note.md': 'first', 'b/Note.md': 'second' }, left: [] },
    ],
    [
      'the linking note was written when both were there',
      {
        first: { 'a/Note.md': 'first', 'x.md': '[[Note]]' },
        later: { 'b/Note.md': 'second', 'x.md': 'Now: [[Note]]' },
        left: [],
      },
    ],
  ];
  it.each(exceptions)('a link is left where %s', async (_name, { first, later, left: reasons }) => {
    await vault.pass(first);
    await vault.pass(later);
    const before = vault.read('x.md');
    expect(await vault.left()).toEqual(reasons);
    expect(vault.read('x.md')).toBe(before);
  });

  it('nothing is written where only renamed files are to be followed', async () => {
    await vault.pass({ 'a/Note.md': 'first', 'x.md': '[[Note]]' });
    await vault.pass({ 'b/Note.md': 'second' });
    await vault.mend('rename');
    expect(vault.read('x.md')).toBe('[[Note]]');
  });
});
