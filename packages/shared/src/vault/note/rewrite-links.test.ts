import { describe, expect, it } from 'vitest';
import type { VaultPath } from '../path.ts';
import { relocate } from './relocation.ts';
import { rewriteLinks } from './rewrite-links.ts';
import { createVaultNames } from './vault-names.ts';

interface Move {
  readonly vault: readonly string[];
  readonly source: string;
  readonly destination: string;
  /** The linking note; one at the root unless said otherwise. */
  readonly from?: string;
}

function rewrite(text: string, { vault, source, destination, from = 'Linker.md' }: Move) {
  const names = createVaultNames([...vault, 'Linker.md'] as VaultPath[]);
  return rewriteLinks(text, from as VaultPath, relocate(names, source as VaultPath, destination as VaultPath, null));
}
const rewritten = (text: string, move: Move) => rewrite(text, move).text;

const RENAME = { vault: ['p/Old.md', 'p/Other.md', 'q/Else.md'], source: 'p/Old.md', destination: 'q/New name.md' };

describe('a link to what moves', () => {
  it.each([
    ['[[Old]]', '[[New name]]'],
    ['[[old]]', '[[New name]]'],
    ['[[Old.md]]', '[[New name.md]]'],
    ['[[ Old ]]', '[[ New name ]]'],
    ['[[Old|alias]]', '[[New name|alias]]'],
    ['[[Old#Head#Sub|alias]]', '[[New name#Head#Sub|alias]]'],
    ['[[Old#^block]]', '[[New name#^block]]'],
    ['![[Old]]', '![[New name]]'],
    ['[[p/Old]]', '[[q/New name]]'],
    ['[[/p/Old]]', '[[/q/New name]]'],
    ['[[./p/Old]]', '[[./q/New name]]'],
    ['| [[Old\\|alias]] |\n|---|\n| x |', '| [[New name\\|alias]] |\n|---|\n| x |'],
    ['[text](p/Old.md)', '[text](q/New%20name.md)'],
    ['[text](./p/Old.md "title")', '[text](./q/New%20name.md "title")'],
    ["[text](<p/Old.md> 'title')", "[text](<q/New name.md> 'title')"],
    ['[text](p/%4Fld.md)', '[text](q/New%20name.md)'],
    ['[text](/p/Old.md#head)', '[text](/q/New%20name.md#head)'],
    ['[text](p/Old)', '[text](q/New%20name)'],
    ['![alt](p/Old.md)', '![alt](q/New%20name.md)'],
    ['[ref]: p/Old.md "title"', '[ref]: q/New%20name.md "title"'],
    ['[ref]: <p/Old.md>', '[ref]: <q/New name.md>'],
    ['---\nup: "[[Old|x]]"\n---\n', '---\nup: "[[New name|x]]"\n---\n'],
    ["---\nup: '[x](p/Old.md)' # why\n---\n", "---\nup: '[x](q/New%20name.md)' # why\n---\n"],
    ['---\nlist:\n  - see [[Old]]\n---\n', '---\nlist:\n  - see [[New name]]\n---\n'],
    ['\ufeff# [[Old]]\r\n\r\n> - [[Old]]\r\n', '\ufeff# [[New name]]\r\n\r\n> - [[New name]]\r\n'],
  ])('keeps all but its target: %j', (text, expected) => {
    const { left, ...outcome } = rewrite(text, RENAME);
    expect(outcome.text).toBe(expected);
    expect(left).toEqual([]);
    expect(outcome.changedLines).toHaveLength((expected.match(/New/g) ?? []).length);
  });

  it.each([
    '`[[Old]]` and <!-- [[Old]] -->',
    '```\n[[Old]]\n[x](p/Old.md)\n```\n',
    '%% [[Old]] %%',
    '\\[[Old]]',
    '[x](https://host/p/Old.md)',
    '[[Other]] [x](p/Other.md) [[Missing]] [[Wrong/Old]]',
    'Old p/Old.md',
    '---\nkey: [[Old]]\n  bad\n---\n',
  ])('is nothing but a link: %j', (text) => {
    expect(rewrite(text, RENAME)).toEqual({ text, changedLines: [], breaking: 0, left: [] });
  });

  it('is counted one by one, with its line', () => {
    const outcome = rewrite('[[Old]] [[Old]]\n\n[![pic](p/Old.md)](p/Old.md)\n[[Other]]', RENAME);
    expect(outcome).toMatchObject({ changedLines: [1, 1, 3, 3], breaking: 4 });
    expect(outcome.text).toBe('[[New name]] [[New name]]\n\n[![pic](q/New%20name.md)](q/New%20name.md)\n[[Other]]');
  });
});

describe('a wikilink', () => {
  it('stays bare while the name is unique', () => {
    expect(rewritten('[[Old]]', { vault: ['p/Old.md'], source: 'p/Old.md', destination: 'q/Old.md' })).toBe('[[Old]]');
  });

  it('is qualified where the new name is not', () => {
    const move = { vault: ['p/Old.md', 'r/New.md'], source: 'p/Old.md', destination: 'q/New.md' };
    expect(rewritten('[[Old|x]]', move)).toBe('[[q/New|x]]');
  });

  it('stays bare at the root, which is a whole path', () => {
    const move = { vault: ['p/Old.md', 'r/New.md'], source: 'p/Old.md', destination: 'New.md' };
    expect(rewritten('[[Old]] [[New]]', move)).toBe('[[New]] [[r/New]]');
  });

  it('keeps as many folders as it named', () => {
    const move = { vault: ['a/b/c/Old.md', 'x/c/Old.md'], source: 'a/b/c', destination: 'a/b/d' };
    expect(rewritten('[[b/c/Old]] [[a/b/c/Old]]', move)).toBe('[[b/d/Old]] [[a/b/d/Old]]');
  });

  it('follows as a whole path what it named by its whole path', () => {
    const move = { vault: ['p/Old.md'], source: 'p', destination: 'archive/p' };
    expect(rewritten('[[p/Old]]', move)).toBe('[[archive/p/Old]]');
  });

  it('names the suffix where a file without one has the short name', () => {
    const move = { vault: ['p/Old.md', 'LICENSE'], source: 'p/Old.md', destination: 'LICENSE.md' };
    expect(rewritten('[[Old]]', move)).toBe('[[LICENSE.md]]');
  });

  it.each(['a[b.md', 'a]b.md', 'a|b.md', 'a#b.md', 'a^b.md'])('is left where it cannot carry %s', (name) => {
    const outcome = rewrite('x\n[[Old]]', { vault: ['p/Old.md'], source: 'p/Old.md', destination: `q/${name}` });
    expect(outcome).toMatchObject({ text: 'x\n[[Old]]', changedLines: [], breaking: 1 });
    expect(outcome.left).toEqual([{ line: 2, reason: expect.stringContaining('no wikilink can carry') }]);
  });

  it('stays bare where only the folder cannot be carried', () => {
    expect(rewritten('[[Old]]', { vault: ['p/Old.md'], source: 'p/Old.md', destination: 'c#/New.md' })).toBe('[[New]]');
  });

  it('to a document or attachment keeps its suffix', () => {
    const move = { vault: ['Files/a.pdf', 'b.png'], source: 'Files/a.pdf', destination: 'Files/c.pdf' };
    expect(rewritten('![[a.pdf#page=2]] [x](Files/a.pdf) ![[b.png|100]]', move)).toBe(
      '![[c.pdf#page=2]] [x](Files/c.pdf) ![[b.png|100]]',
    );
  });
});

describe('a link to what stays', () => {
  it('is qualified when the moved file takes its name', () => {
    const move = { vault: ['p/Old.md', 'r/New.md'], source: 'p/Old.md', destination: 'q/New.md' };
    expect(rewritten('[[New]] [[r/New]]', move)).toBe('[[r/New]] [[r/New]]');
  });

  it('gets its leading slash when the moved file stands in its way', () => {
    const move = { vault: ['n.md', 'p/f.md', 'x.md'], source: 'x.md', destination: 'p/n.md', from: 'p/f.md' };
    expect(rewritten('[a](n.md)', move)).toBe('[a](/n.md)');
  });
});

describe('the links of the note that moves', () => {
  const move = {
    vault: ['a/Note.md', 'a/Beside.md', 'a/pic 1.png', 'Top.md', 'b/c/Far.md'],
    source: 'a/Note.md',
    destination: 'b/Note.md',
    from: 'a/Note.md',
  };

  it.each([
    ['[x](Beside.md)', '[x](../a/Beside.md)'],
    ['[x](./Beside.md)', '[x](../a/Beside.md)'],
    ['![x](<pic 1.png>)', '![x](<../a/pic 1.png>)'],
    ['![x](pic%201.png)', '![x](../a/pic%201.png)'],
    ['[x](../Top.md)', '[x](../Top.md)'],
    ['[x](Top.md)', '[x](Top.md)'],
    ['[x](../b/c/Far.md)', '[x](../b/c/Far.md)'],
    ['[x](./../a/Beside.md)', '[x](./../a/Beside.md)'],
    ['[x](/a/Beside.md)', '[x](/a/Beside.md)'],
    ['[[../a/Beside]]', '[[../a/Beside]]'],
    ['[[./Beside]]', '[[../a/Beside]]'],
    ['[[Beside]] [[Note]] [[#Here]] [here](#Here)', '[[Beside]] [[Note]] [[#Here]] [here](#Here)'],
    ['[self](Note.md) [[a/Note]]', '[self](Note.md) [[b/Note]]'],
  ])('lead where they led: %s', (text, expected) => {
    expect(rewrite(text, move)).toMatchObject({ text: expected, left: [] });
  });

  it('lead down where they led up', () => {
    const down = {
      vault: ['a/x/Note.md', 'b/c/Far.md'],
      source: 'a/x/Note.md',
      destination: 'b/Note.md',
      from: 'a/x/Note.md',
    };
    expect(rewritten('[x](../../b/c/Far.md) [[../../b/c/Far]]', down)).toBe('[x](c/Far.md) [[./c/Far]]');
  });

  it('stay relative, also where the root would do', () => {
    const toFolder = { vault: ['Home.md', 'n/a.md'], source: 'Home.md', destination: 'x/Home.md', from: 'Home.md' };
    expect(rewrite('[x](n/a.md)', toFolder)).toMatchObject({ text: '[x](../n/a.md)', breaking: 0 });
  });

  it('are untouched where what they name moves along', () => {
    const folder = { vault: ['a/Note.md', 'a/Beside.md'], source: 'a', destination: 'z/y', from: 'a/Note.md' };
    const text = '[x](Beside.md) [[./Beside]] [[Beside]]';
    expect(rewrite(text, folder)).toEqual({ text, changedLines: [], breaking: 0, left: [] });
  });

  it('are rewritten in a file that is no link candidate itself', () => {
    const folder = { vault: ['a/Note.md', 'Top.md'], source: 'a', destination: 'z/y', from: 'a/Note.sync-conflict.md' };
    expect(rewritten('[x](../Top.md) [y](Note.md)', folder)).toBe('[x](../../Top.md) [y](Note.md)');
  });
});

describe('a rename that changes only the case', () => {
  const move = { vault: ['p/note.md'], source: 'p/note.md', destination: 'p/Note.md' };

  it('is followed by links in the old spelling, and by no others', () => {
    const outcome = rewrite('[[note]] [[NOTE]] [x](p/note.md) [[p/note#h]] [[Note]]', move);
    expect(outcome.text).toBe('[[Note]] [[NOTE]] [x](p/Note.md) [[p/Note#h]] [[Note]]');
    expect(outcome.breaking).toBe(0);
  });

  it('may be a folder’s', () => {
    const folder = { vault: ['sub/note.md'], source: 'sub', destination: 'Sub' };
    expect(rewritten('[[note]] [x](sub/note.md) [[sub/note]]', folder)).toBe('[[note]] [x](Sub/note.md) [[Sub/note]]');
  });

  it('changes no link where only the normal form does', () => {
    const form = { vault: ['cafe\u0301.md'], source: 'cafe\u0301.md', destination: 'café.md' };
    expect(rewrite('[[café]] [x](café.md)', form)).toMatchObject({ text: '[[café]] [x](café.md)', breaking: 0 });
  });
});

describe('percent-encoding', () => {
  const moved = (text: string, source: string, destination: string) =>
    rewritten(text, { vault: [source], source, destination });

  it.each([
    ['only what has to be', '[x](a.md)', 'a.md', 'Ü (1) b.md', '[x](Ü%20(1)%20b.md)'],
    ['other scripts where the old one did', '[x](%C3%A4.md)', 'ä.md', 'ö日.md', '[x](%C3%B6%E6%97%A5.md)'],
    ['in small letters where the old one did', '[x](%c3%a4.md)', 'ä.md', 'ö.md', '[x](%c3%b6.md)'],
    ['parentheses where the old one did', '[x](a%281%29.md)', 'a(1).md', 'b(2).md', '[x](b%282%29.md)'],
    ['parentheses that do not pair', '[x](a.md)', 'a.md', 'b(.md', '[x](b%28.md)'],
    ['a fragment’s mark', '[x](a.md#h)', 'a.md', 'C#.md', '[x](C%23.md#h)'],
    ['a percent sign that would decode', '[x](a.md)', 'a.md', '100%25.md', '[x](100%2525.md)'],
    ['a percent sign beside an escape', '[x](a.md)', 'a.md', '100% b.md', '[x](100%25%20b.md)'],
    ['what would look like a scheme', '[x](a.md)', 'a.md', 'note: b.md', '[x](note%3A%20b.md)'],
    ['what would be read as a character', '[x](a.md)', 'a.md', 'b&copy;&#65;&c.md', '[x](b%26copy;%26%2365;&c.md)'],
    ['a pipe and a backtick', '[x](a.md)', 'a.md', 'b|`c.md', '[x](b%7C%60c.md)'],
    ['nothing but brackets inside brackets', '[x](<a.md>)', 'a.md', 'b (c<d>.md', '[x](<b (c%3Cd%3E.md>)'],
    ['spaces inside brackets where the old one did', '[x](<a%20b.md>)', 'a b.md', 'c d.md', '[x](<c%20d.md>)'],
  ])('writes %s', (_, text, source, destination, expected) => {
    expect(moved(text, source, destination)).toBe(expected);
  });
});

describe('links in YAML strings', () => {
  const moved = (text: string, destination: string) => rewrite(text, { vault: ['a.md'], source: 'a.md', destination });

  it.each([
    ["---\nup: '[[a]]'\n---\n", "it's.md", "---\nup: '[[it''s]]'\n---\n"],
    ['---\nup: "[[a]]"\n---\n', 'say "b".md', '---\nup: "[[say \\"b\\"]]"\n---\n'],
    ['---\nup: |\n  [[a]]\n---\n', 'say "b".md', '---\nup: |\n  [[say "b"]]\n---\n'],
    ['---\nup: see [[a]]\n---\n', "it's.md", "---\nup: see [[it's]]\n---\n"],
    ['---\nup: "[[a]] b: c"\n---\n', 'd: e.md', '---\nup: "[[d: e]] b: c"\n---\n'],
  ])('are quoted as the string is: %j to %s', (text, destination, expected) => {
    expect(moved(text, destination)).toMatchObject({ text: expected, left: [] });
  });

  it('are left where the string cannot hold the new name', () => {
    const text = '---\nup: see [[a]]\nok: "[[a]]"\n---\n[[a]]\n';
    const outcome = moved(text, 'd: e.md');
    expect(outcome.text).toBe('---\nup: see [[a]]\nok: "[[d: e]]"\n---\n[[d: e]]\n');
    expect(outcome).toMatchObject({ changedLines: [3, 5], breaking: 3, left: [{ line: 2 }] });
  });
});

describe('what is left', () => {
  it('names a link whose new target would be read as something else', () => {
    const text = 'a ` b [[a]] c\n\n[[a]]';
    const outcome = rewrite(text, { vault: ['a.md'], source: 'a.md', destination: 'x`y.md' });
    expect(outcome.text).toBe('a ` b [[a]] c\n\n[[x`y]]');
    expect(outcome.left).toEqual([{ line: 1, reason: expect.stringContaining('read differently') }]);
  });

  it('names an ambiguous link that could have meant what moves, and never guesses', () => {
    const move = { vault: ['p/Twin.md', 'q/Twin.md'], source: 'p/Twin.md', destination: 'p/New.md' };
    expect(rewrite('[[Twin]]', move)).toEqual({
      text: '[[Twin]]',
      changedLines: [],
      breaking: 0,
      left: [{ line: 1, reason: 'could mean "p/Twin.md", "q/Twin.md": qualify it' }],
    });
  });

  it('says nothing of an ambiguous link that is as ambiguous as before', () => {
    const move = { vault: ['p/Twin.md', 'q/Twin.md'], source: 'p/Twin.md', destination: 'r/Twin.md' };
    expect(rewrite('[[Twin]]', move).left).toEqual([]);
  });

  it('names a broken link that the move gives a meaning', () => {
    const move = { vault: ['p/Old.md'], source: 'p/Old.md', destination: 'p/Wanted.md' };
    expect(rewrite('[[Wanted]]', move)).toMatchObject({
      text: '[[Wanted]]',
      left: [{ line: 1, reason: 'led nowhere before; now it leads to "p/Wanted.md"' }],
    });
  });

  it('is bounded in time for a note full of links that do not read back', () => {
    const text = `---\nlist:\n${'  - see [[a]]\n'.repeat(120)}---\n`;
    const outcome = rewrite(text, { vault: ['a.md'], source: 'a.md', destination: 'd: e.md' });
    expect(outcome).toMatchObject({ text, changedLines: [], breaking: 120 });
    expect(outcome.left).toHaveLength(120);
  });
});
