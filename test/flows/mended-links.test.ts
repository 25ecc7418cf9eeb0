/** Links after other programs renamed files, over a real folder and a real index. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type OutsideChanges, type RenamedVault, renamedVault } from '../support/renamed-vault.ts';

let vault: RenamedVault;
beforeEach(async () => {
  vault = await renamedVault();
});
afterEach(() => vault.close());

const BOTH = ['qualify', 'rename'] as const;

describe('after a file was renamed by another program', () => {
  const forms = ['[[Old]]', '[[a/Old|named]]', '![[Old#Part]]', '[x](../a/Old.md)', '<!-- [[Old]] -->', '`[[Old]]`'];
  const followed = ['[[New]]', '[[b/New|named]]', '![[New#Part]]', '[x](../b/New.md)', '<!-- [[Old]] -->', '`[[Old]]`'];

  it('the links to it lead to it again, each in its own style, and nothing else changes', async () => {
    await vault.pass({ 'a/Old.md': '# Part\n', 'n/x.md': `---\nup: "[[Old]]"\n---\n${forms.join('\n')}\r\nend` });
    await vault.pass({ 'b/New.md': { from: 'a/Old.md' } });
    const mended = await vault.mend('rename');
    expect(vault.read('n/x.md')).toBe(`---\nup: "[[New]]"\n---\n${followed.join('\n')}\r\nend`);
    expect(mended['n/x.md']?.mended).toEqual([
      { line: 2, before: '[[Old]]', after: '[[New]]' },
      ...[0, 1, 2, 3].map((at) => ({ line: at + 4, before: forms[at], after: followed[at] })),
    ]);
  });

  const cases: [string, { first: OutsideChanges; later: OutsideChanges[]; file: string; becomes: string }][] = [
    [
      'whatever else is in the folder that was renamed',
      {
        first: { 'a/b/Old.md': 'old', 'a/c.md': 'see [[a/b/Old]] and [up](b/Old.md)', 'x.md': '[[b/Old]] [[a/c]]' },
        later: [{ d: { from: 'a' } }],
        file: 'x.md',
        becomes: '[[b/Old]] [[d/c]]',
      },
    ],
    [
      'from a note that was renamed itself',
      {
        first: { 'a/Old.md': 'old', 'm/x.md': '[one](../a/Old.md) [[Old]]' },
        later: [{ 'n/o/y.md': { from: 'm/x.md' } }],
        file: 'n/o/y.md',
        becomes: '[one](../../a/Old.md) [[Old]]',
      },
    ],
    [
      'when both were renamed',
      {
        first: { 'a/Old.md': 'old', 'x.md': '[one](a/Old.md) [[Old]]' },
        later: [{ 'n/y.md': { from: 'x.md' }, 'b/New.md': { from: 'a/Old.md' } }],
        file: 'n/y.md',
        becomes: '[one](../b/New.md) [[New]]',
      },
    ],
    [
      'when it was renamed twice before anybody looked',
      {
        first: { 'a/Old.md': 'old', 'x.md': '[[Old]]' },
        later: [{ 'a/Mid.md': { from: 'a/Old.md' } }, { 'b/New.md': { from: 'a/Mid.md' } }],
        file: 'x.md',
        becomes: '[[New]]',
      },
    ],
    [
      'when it came to its new place later than it left the old one',
      {
        first: { 'a/Old.md': 'old', 'x.md': '[[Old]]' },
        later: [{ 'a/Old.md': null }, { 'b/New.md': 'old' }],
        file: 'x.md',
        becomes: '[[New]]',
      },
    ],
    [
      'when it is a document',
      {
        first: { 'a/Old.pdf': '%PDF-1.4 something', 'x.md': '![[Old.pdf#page=2]] [it](a/Old.pdf)' },
        later: [{ 'b/New (1).pdf': { from: 'a/Old.pdf' } }],
        file: 'x.md',
        becomes: '![[New (1).pdf#page=2]] [it](b/New%20(1).pdf)',
      },
    ],
    [
      'when its text was changed after it came to its new place',
      {
        first: { 'a/Old.md': 'old', 'x.md': '[[Old]]' },
        later: [{ 'b/New.md': { from: 'a/Old.md' } }, { 'b/New.md': 'old, and more' }],
        file: 'x.md',
        becomes: '[[New]]',
      },
    ],
    [
      'from a note that was renamed twice, or was away in between',
      {
        first: { 'a/Old.md': 'old', 'm/x.md': '[one](../a/Old.md)' },
        later: [
          { 'p/x.md': { from: 'm/x.md' } },
          { 'p/x.md': null },
          { 'p/x.md': '[one](../a/Old.md)' },
          { 'n/o/y.md': { from: 'p/x.md' } },
        ],
        file: 'n/o/y.md',
        becomes: '[one](../../a/Old.md)',
      },
    ],
    [
      'where a name that no link can hold stands in the vault',
      {
        first: { 'a/Old.md': 'old', 'x.md': '[[Old]]', 'a/odd\\name.png': 'x' },
        later: [{ 'b/New.md': { from: 'a/Old.md' } }],
        file: 'x.md',
        becomes: '[[New]]',
      },
    ],
    [
      'where another file took its name meanwhile, since its text is elsewhere',
      {
        first: { 'a/Old.md': 'old', 'x.md': '[[Old]]' },
        later: [{ 'b/New.md': { from: 'a/Old.md' }, 'c/Old.md': 'another' }],
        file: 'x.md',
        becomes: '[[New]]',
      },
    ],
  ];
  it.each(cases)('the links follow %s', async (_name, { first, later, file, becomes }) => {
    await vault.pass(first);
    for (const changes of later) await vault.pass(changes);
    await vault.mend('rename');
    expect(vault.read(file)).toBe(becomes);
    const again = await vault.mend(...BOTH);
    expect(Object.values(again).flatMap(({ mended }) => mended)).toEqual([]);
  });

  it('a canvas follows by its paths, and the texts on its cards are left', async () => {
    const card = (file: string) =>
      `{"nodes":[{"id":"1","type":"file","file":"${file}"},{"id":"2","type":"text","text":"[[Old]]"}]}`;
    await vault.pass({ 'a/Old.md': 'old', 'map.canvas': card('a/Old.md') });
    await vault.pass({ 'b/New.md': { from: 'a/Old.md' } });
    const mended = await vault.mend('rename');
    expect(vault.read('map.canvas')).toBe(card('b/New.md'));
    expect(mended['map.canvas']?.mended).toEqual([
      { line: null, before: '"file": "a/Old.md"', after: '"file": "b/New.md"' },
    ]);
  });

  const uncertain: [string, { first: OutsideChanges; later: OutsideChanges[]; left: string[] }][] = [
    [
      'two files hold what it held',
      {
        first: { 'a/Old.md': 'old', 'x.md': '[[Old]]' },
        later: [{ 'a/Old.md': null, 'b/New.md': 'old', 'c/Copy.md': 'old' }],
        left: ['x.md:1 led to "a/Old.md", which is gone; the same was in "b/New.md" and "c/Copy.md"'],
      },
    ],
    [
      'two held what it held, also when one of them has become another',
      {
        first: { 'a/Old.md': 'old', 'x.md': '[[Old]]' },
        later: [{ 'a/Old.md': null, 'b/New.md': 'old', 'c/Copy.md': 'old' }, { 'b/New.md': 'other' }],
        left: ['x.md:1 led to "a/Old.md", which is gone; the same was in "b/New.md" and "c/Copy.md"'],
      },
    ],
    [
      'two that were alike went, and one came',
      {
        first: { 'a/Old.md': 'old', 'a/Twin.md': 'old', 'x.md': '[[Old]]' },
        later: [{ 'a/Old.md': null, 'b/New.md': { from: 'a/Twin.md' } }],
        left: ['x.md:1 led to "a/Old.md", which is gone; the same was in "a/Twin.md" and "b/New.md"'],
      },
    ],
    [
      'one that was alike took another name before it went',
      {
        first: { 'a/Old.md': 'old', 'a/Twin.md': 'old', 'x.md': '[[Old]]' },
        later: [{ 'b/New.md': { from: 'a/Twin.md' } }, { 'a/Old.md': null }],
        left: ['x.md:1 led to "a/Old.md", which is gone'],
      },
    ],
    [
      'the same text comes back long after',
      {
        first: { 'a/Old.md': 'old', 'x.md': '[[Old]]' },
        later: [{ 'a/Old.md': null }, { 'y.md': 'y' }, { 'b/New.md': 'old' }],
        left: ['x.md:1 led to "a/Old.md", which is gone'],
      },
    ],
    [
      'its name changed in nothing but case',
      {
        first: { 'a/Old.md': '', 'x.md': '[[Old]]' },
        later: [{ 'b/c.md': { from: 'a/Old.md' } }, { 'a/old.md': { from: 'b/c.md' } }],
        left: [],
      },
    ],
    [
      'its text changed on the way',
      {
        first: { 'a/Old.md': 'old', 'x.md': '[[Old]]' },
        later: [{ 'a/Old.md': null, 'b/New.md': 'old, and more' }],
        left: ['x.md:1 led to "a/Old.md", which is gone'],
      },
    ],
    [
      'it was empty, as many are',
      {
        first: { 'a/Old.md': '', 'x.md': '[[Old]]' },
        later: [{ 'b/New.md': { from: 'a/Old.md' } }],
        left: ['x.md:1 led to "a/Old.md", which is gone'],
      },
    ],
    [
      'a copy of it stood there before',
      {
        first: { 'a/Old.md': 'old', 'x.md': '[[Old]]' },
        later: [{ 'b/Copy.md': 'old' }, { 'a/Old.md': null }],
        left: ['x.md:1 led to "a/Old.md", which is gone'],
      },
    ],
    [
      'the linking note was written at the same time: who knows what was meant',
      {
        first: { 'a/Old.md': 'old', 'x.md': '[[Old]]' },
        later: [{ 'b/New.md': { from: 'a/Old.md' }, 'x.md': 'Now: [[Old]]' }],
        left: [],
      },
    ],
    ['the link led nowhere before', { first: { 'x.md': '[[Old]]' }, later: [{ 'b/New.md': 'new' }], left: [] }],
    [
      'the link could have meant several before',
      {
        first: { 'a/Old.md': 'one', 'b/Old.md': 'two', 'x.md': '[[Old]]' },
        later: [{ 'a/New.md': { from: 'a/Old.md' } }],
        left: [],
      },
    ],
  ];
  it.each(uncertain)('a link is left where %s', async (_name, { first, later, left: reasons }) => {
    await vault.pass(first);
    for (const changes of later) await vault.pass(changes);
    const before = vault.read('x.md');
    expect(await vault.left()).toEqual(reasons);
    expect(vault.read('x.md')).toBe(before);
  });

  it('nothing is written where only namesakes are to be told apart', async () => {
    await vault.pass({ 'a/Old.md': 'old', 'x.md': '[[Old]]' });
    await vault.pass({ 'b/New.md': { from: 'a/Old.md' } });
    await vault.mend('qualify');
    expect(vault.read('x.md')).toBe('[[Old]]');
  });

  it('links that are left are still known when those beside them have been mended', async () => {
    await vault.pass({ 'a/O1.md': 'one', 'a/O2.md': 'two', 'a/Note.md': 'first', 'x.md': '[[O1]] [[O2]] [[Note]]' });
    await vault.pass({ 'a/O1.md': null, 'a/O2.md': null, 'b/N1.md': 'one', 'b/Note.md': 'second' });
    await vault.mend('rename');
    expect(vault.read('x.md')).toBe('[[N1]] [[O2]] [[Note]]');
    await vault.pass({ 'b/N2.md': 'two' });
    await vault.pass({ 'c/N1.md': 'another' });
    await vault.mend(...BOTH);
    expect(vault.read('x.md')).toBe('[[b/N1]] [[N2]] [[a/Note]]');
  });

  it('what is gone and not yet told of was there all the same', async () => {
    await vault.pass({ 'a/Note.md': 'first', 'b/Note.md': 'second', 'x.md': '[[Note]]' });
    await vault.pass({ 'b/Plan.md': { from: 'b/Note.md' } });
    vault.outside({ 'a/Note.md': null });
    await vault.mend(...BOTH);
    expect(vault.read('x.md')).toBe('[[Note]]');
  });

  it('nothing is known of before other rules of what is indexed, nor of before an index that is not whole', async () => {
    await vault.pass({ 'a/Note.md': 'first', 'x.md': '[[Note]]' });
    vault.vault.writer.passes.follow('others');
    await vault.pass({ 'b/Note.md': 'second' });
    await vault.mend(...BOTH);
    expect(vault.read('x.md')).toBe('[[Note]]');
  });

  it('a note that has changed since it was indexed is refused, and nothing of it changes', async () => {
    await vault.pass({ 'a/Old.md': 'old', 'x.md': '[[Old]]' });
    await vault.pass({ 'b/New.md': { from: 'a/Old.md' } });
    vault.outside({ 'x.md': 'Now: [[Old]]' });
    await expect(vault.mend('rename')).rejects.toMatchObject({ code: 'locked' });
    expect(vault.read('x.md')).toBe('Now: [[Old]]');
  });
});
