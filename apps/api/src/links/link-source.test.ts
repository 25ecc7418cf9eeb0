import { describe, expect, it } from 'vitest';
import { canvasLinkSources, noteLinkSources } from './link-source.ts';

/** Text, target as it is written, and surroundings of each link. */
const brief = (sources: ReturnType<typeof noteLinkSources>) =>
  sources.map(({ text, at, inside }) => [text, text.slice(at.from, at.to), inside]);

describe('the links of a note', () => {
  it.each([
    ['a wikilink', 'See [[ House/Plan #Costs| the plan ]].', '[[ House/Plan #Costs| the plan ]]', 'House/Plan'],
    ['an embed', 'See ![[sketch.png|300]].', '![[sketch.png|300]]', 'sketch.png'],
    ['a Markdown link', 'See [it](a%20b.md#c "title").', '[it](a%20b.md#c "title")', 'a%20b.md'],
    ['a target in angle brackets', 'See [it](<a b.md>).', '[it](<a b.md>)', 'a b.md'],
    ['a picture', '![it](../a.png)', '![it](../a.png)', '../a.png'],
    ['a definition', 'See [it].\n\n[it]: a.md "title"\n', '[it]: a.md "title"', 'a.md'],
  ])('come with the whole text of %s, and where its target stands', (_what, note, text, target) => {
    expect(brief(noteLinkSources(note))).toEqual([[text, target, 'text']]);
  });

  it('say what they stand in', () => {
    const yaml = `---\nbare: see [x](a.md)\nsingle: '[[a]]'\ndouble: "[[b]]"\n---\n`;
    const table = '| a | b |\n| --- | --- |\n| [[c\\|d]] | x |\n';
    expect(brief(noteLinkSources(`${yaml}\n${table}\n[[e]]\n`))).toEqual([
      ['[x](a.md)', 'a.md', 'yaml'],
      ['[[a]]', 'a', 'yaml-single'],
      ['[[b]]', 'b', 'yaml-double'],
      ['[[c\\|d]]', 'c', 'table'],
      ['[[e]]', 'e', 'text'],
    ]);
  });
});

describe('the links of a canvas', () => {
  it('are its cards, with the property that names the file, and those in its texts', () => {
    const nodes = [
      { type: 'file', file: 'a "b".md' },
      { type: 'group', background: 'c.png' },
      { type: 'text', text: 'See [[d|e]].' },
      { type: 'link', url: 'https://example.org' },
    ];
    expect(brief(canvasLinkSources(JSON.stringify({ nodes })))).toEqual([
      ['"file": "a \\"b\\".md"', 'a \\"b\\".md', 'canvas-path'],
      ['"background": "c.png"', 'c.png', 'canvas-path'],
      ['[[d|e]]', 'd', 'text'],
    ]);
  });

  it.each(['', 'no JSON', '[]', '{"nodes": {}}', '{"nodes": [null, 1, {"type": "file", "file": 7}]}'])(
    'are none in %j',
    (text) => {
      expect(canvasLinkSources(text)).toEqual([]);
    },
  );
});
