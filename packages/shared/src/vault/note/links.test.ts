import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Link } from './model.ts';
import { parseNote } from './parse.ts';

/** What matters of a link, with what stands at its ranges. */
function seen(text: string) {
  return parseNote(text).links.map((link) => ({
    ...meaning(link),
    written: slice(text, link.range),
    at: slice(text, link.targetRange),
  }));
}
const slice = (text: string, { from, to }: { from: number; to: number }) => text.slice(from, to);
function meaning({ form, embed, target, heading, block, alias }: Link) {
  return { form, embed, target, ...(heading && { heading }), ...(block && { block }), ...(alias && { alias }) };
}
const targets = (text: string) => parseNote(text).links.map(({ target }) => target);

describe('wikilinks', () => {
  it.each([
    ['[[Note]]', { target: 'Note' }, 'Note'],
    ['[[a/b/Note.md]]', { target: 'a/b/Note.md' }, 'a/b/Note.md'],
    ['[[Note|the alias]]', { target: 'Note', alias: 'the alias' }, 'Note'],
    ['[[Note|see [1]]]', { target: 'Note', alias: 'see [1]' }, 'Note'],
    ['[[Note#Head]]', { target: 'Note', heading: 'Head' }, 'Note'],
    ['[[Note#A#B|x]]', { target: 'Note', heading: 'A#B', alias: 'x' }, 'Note'],
    ['[[Note#^id]]', { target: 'Note', block: 'id' }, 'Note'],
    ['[[#Here]]', { target: '', heading: 'Here' }, ''],
    ['![[pic.png|100]]', { target: 'pic.png', alias: '100', embed: true }, 'pic.png'],
    ['[[ Note ]]', { target: 'Note' }, 'Note'],
    ['[[a%20b]]', { target: 'a%20b' }, 'a%20b'],
    ['[[日本語]]', { target: '日本語' }, '日本語'],
  ])('%j', (text, expected, at) => {
    expect(seen(text)).toEqual([{ form: 'wikilink', embed: false, ...expected, written: text, at }]);
  });

  it.each([
    '[[]]',
    '[[|x]]',
    '\\[[x]]',
    '[[a\nb]]',
    '[[a',
    '[a]]',
    '`[[x]]`',
    '``a ` [[x]]``',
    '    [[x]]',
    '```\n[[x]]\n```',
    '<!-- [[x]] -->',
    '%%[[x]]%%',
    '%%\n[[x]]\n%%',
    '<a title="[[x]]">',
  ])('not %j', (text) => {
    expect(seen(text)).toEqual([]);
  });

  it('stand in headings, lists, quotes, callouts, tables, footnotes and tasks', () => {
    const text =
      '# [[a]]\n- [[b]]\n  1. [[c]]\n\n> [!note] [[d]]\n> [[e]]\n\n| [[f\\|F]] | x |\n|---|---|\n| ![[g\\|10]] | [[h]] |\n\n[^1]: [[i]]\n\n- [ ] [[j]]\n';
    expect(targets(text)).toEqual(['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j']);
    expect(seen(text)[5]).toMatchObject({ alias: 'F', at: 'f', written: '[[f\\|F]]' });
  });

  it('follow code that never closes, and comments that do', () => {
    expect(targets('a ` b [[x]] %%c%% [[y]] 100%% [[hidden]]')).toEqual(['x', 'y']);
  });

  it('come again where a comment of many blocks ends', () => {
    expect(targets('[[a]] %% [[b]]\n\n- [[c]]\n\n[d]: e.md\n\n%% [[f]]')).toEqual(['a', 'f']);
  });
});

describe('markdown links', () => {
  it.each([
    ['[x](rel/path.md)', { target: 'rel/path.md', alias: 'x' }, 'rel/path.md'],
    ['[x](<a b.md> "t")', { target: 'a b.md', alias: 'x' }, 'a b.md'],
    ["[x](a%20b.md#My%20Head 't')", { target: 'a b.md', heading: 'My Head', alias: 'x' }, 'a%20b.md'],
    ['[x](a.md#^id)', { target: 'a.md', block: 'id', alias: 'x' }, 'a.md'],
    ['[x](#Here)', { target: '', heading: 'Here', alias: 'x' }, ''],
    ['[x](/root.md)', { target: '/root.md', alias: 'x' }, '/root.md'],
    ['[x](../up.md)', { target: '../up.md', alias: 'x' }, '../up.md'],
    ['![alt](img.png)', { target: 'img.png', alias: 'alt', embed: true }, 'img.png'],
    ['[x](a_(b).md)', { target: 'a_(b).md', alias: 'x' }, 'a_(b).md'],
    ['[x](a\\)b.md)', { target: 'a)b.md', alias: 'x' }, 'a\\)b.md'],
    ['[x](100%.md)', { target: '100%.md', alias: 'x' }, '100%.md'],
    ['[a [b] c](d.md)', { target: 'd.md', alias: 'a [b] c' }, 'd.md'],
    ['[a\nb](  c.md\n)', { target: 'c.md', alias: 'a\nb' }, 'c.md'],
  ])('%j', (text, expected, at) => {
    expect(seen(text)).toEqual([{ form: 'markdown', embed: false, ...expected, written: text, at }]);
  });

  it.each([
    '[x]()',
    '[x](https://a.b/c.md)',
    '[x](mailto:a@b.c)',
    '[x](//host/a)',
    '[x](obsidian://open)',
    '[x] (a.md)',
    '[x](a b.md)',
    '\\[x](a.md)',
    '[x](a.md',
    '<https://a.b/[x](y.md)>',
  ])('not %j', (text) => {
    expect(seen(text)).toEqual([]);
  });

  it('may hold a picture, and not another link', () => {
    expect(targets('[![alt](pic.png)](note.md)')).toEqual(['note.md', 'pic.png']);
    expect(targets('[a [b](inner.md) c](outer.md)')).toEqual(['inner.md']);
    expect(targets('[a [[inner]] c](outer.md)')).toEqual(['inner']);
  });
});

describe('reference definitions', () => {
  it.each([
    ['[ref]: a/b.md', 'a/b.md'],
    ['[ref]: <a b.md> "title"', 'a b.md'],
    ['   [ref]:\n  a.md\n  "title"', 'a.md'],
    ["[a b]: c%20d.md#x 't'", 'c d.md'],
  ])('%j', (text, target) => {
    expect(seen(text)).toMatchObject([{ form: 'reference', target, embed: false }]);
    expect(seen(text)[0]?.written).toBe(text.trim());
  });

  it('come one after another, and before other text', () => {
    expect(targets('[a]: 1.md\n[b]: 2.md "t"\n[c]: https://x.y\ntext [a] [x][b] [[3]]')).toEqual(['1.md', '2.md', '3']);
  });

  it('stand in quotes', () => {
    expect(targets('> [a]: 1.md\n> "t"\n')).toEqual(['1.md']);
  });

  it.each(['[^1]: note.md', '[a]: b c', '[a]:', '[]: a.md', 'text\n[a]: b.md'])('not %j', (text) => {
    expect(seen(text)).toEqual([]);
  });
});

describe('links in frontmatter', () => {
  it('are found in strings, at their place, whatever the quotes', () => {
    const text =
      '---\nup: "[[Top|x]]"\nlist:\n  - \'[[It\'\'s]]\'\n  - see [m](a%20b.md)\nmap: {k: "[[D#H]]"}\n# [[comment]]\nnot: [[flow]]\n---\n[[body]]';
    expect(seen(text).map(({ target, at }) => [target, at])).toEqual([
      ['Top', 'Top'],
      ["It's", "It''s"],
      ['a b.md', 'a%20b.md'],
      ['D', 'D'],
      ['body', 'body'],
    ]);
    expect(parseNote(text).links.map(({ line, inFrontmatter }) => [line, inFrontmatter])).toEqual([
      [2, true],
      [4, true],
      [5, true],
      [6, true],
      [10, false],
    ]);
  });
});

describe('any note', () => {
  const name = fc.stringMatching(/^[A-Za-zäö0-9][A-Za-zäö0-9 ]{0,6}[a-z]$/);
  const link = fc.oneof(
    fc.tuple(name, name).map(([target, alias]) => ({ written: `[[${target}|${alias}]]`, target })),
    name.map((target) => ({ written: `![[${target}#^id]]`, target })),
    name.map((target) => ({ written: `[text](<${target}.md#h>)`, target: `${target}.md` })),
    name.map((target) => ({ written: `[t](${encodeURIComponent(target)} "x")`, target })),
  );

  it('gives back the links it was built from, with LF and CRLF', () => {
    const block = fc.oneof(
      fc
        .array(link, { minLength: 1, maxLength: 3 })
        .map((links) => ({ text: links.map(({ written }) => written).join(' and '), links })),
      link.map((one) => ({ text: `> quoted ${one.written}`, links: [one] })),
      link.map((one) => ({ text: `- item\n  - ${one.written}`, links: [one] })),
      link.map((one) => ({ text: `| a |\n|---|\n| ${one.written.replaceAll('|', '\\|')} |`, links: [one] })),
      link.map((one) => ({ text: `\`\`\`\n${one.written}\n\`\`\``, links: [] })),
      link.map((one) => ({ text: `%%\n${one.written}\n%%`, links: [] })),
    );
    fc.assert(
      fc.property(fc.array(block, { maxLength: 8 }), fc.constantFrom('\n', '\r\n'), (blocks, lineEnd) => {
        const text = blocks
          .map((one) => one.text)
          .join('\n\n')
          .replaceAll('\n', lineEnd);
        expect(targets(text)).toEqual(blocks.flatMap(({ links }) => links.map(({ target }) => target)));
      }),
      { numRuns: 500 },
    );
  });
});
