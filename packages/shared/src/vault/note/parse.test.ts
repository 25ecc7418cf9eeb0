import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ParsedNote, TextRange } from './model.ts';
import { parseNote } from './parse.ts';

/** Pieces that notes, and attacks on note parsers, are made of. */
const piece = fc.oneof(
  fc.constantFrom(
    '# ',
    '## A',
    '\n',
    '\n\n',
    '\r\n',
    '---',
    '===',
    '> ',
    '- ',
    '1. ',
    '    ',
    '\t',
    '```',
    '~~~',
    '`',
    '%%',
    '<!--',
    '-->',
    '<div>',
    '[[',
    ']]',
    '|',
    '![',
    '](',
    ')',
    '[a]: b',
    '\\',
    '*',
    '_',
    '#tag',
    ' ^id',
    '| a |',
    '|---|',
    '- [ ] ',
    '---\ntitle: x\n---\n',
    '\ufeff',
    '\0',
    '\ud800',
    '日本',
    '<a b="',
    '$',
    '\u2028',
    'text',
  ),
  fc.string({ unit: 'binary', maxLength: 3 }),
);
const note = fc.array(piece, { maxLength: 40 }).map((pieces) => pieces.join(''));

/** All that must not depend on how lines end: everything but offsets, and texts with line feeds. */
function structure({ text, headings, links, tags, blocks, title, description, tree, bodyFrom }: ParsedNote) {
  const part = ({ from, to }: TextRange) => text.slice(from, to).replaceAll('\r\n', '\n');
  const nodes: [string, string][] = [];
  tree.iterate({
    enter: ({ name, from, to }) => void nodes.push([name, part({ from: bodyFrom + from, to: bodyFrom + to })]),
  });
  return {
    headings: headings.map(({ depth, text: heading, line, target, marker, section }) => [
      ...[depth, heading, line, target],
      ...[part(marker), part(section)],
    ]),
    links: links.map(({ form, target, line, range, targetRange }) => [
      ...[form, target, line],
      ...[part(range), part(targetRange)],
    ]),
    blocks: blocks.map(({ id, line, range }) => [id, line, part(range)]),
    nodes,
    tags,
    title,
    description,
  };
}

describe('parseNote on any text', () => {
  it('never throws, and every range lies in the text and in order', () => {
    fc.assert(
      fc.property(note, (text) => {
        const parsed = parseNote(text);
        const ranges = [
          parsed.frontmatter.range,
          ...parsed.headings.flatMap(({ marker, section }) => [marker, section]),
          ...parsed.links.flatMap(({ range, targetRange }) => [range, targetRange]),
          ...parsed.blocks.flatMap(({ range, idRange }) => [range, idRange]),
        ];
        for (const { from, to } of ranges) expect(from >= 0 && from <= to && to <= text.length).toBe(true);
        for (const { range, targetRange } of parsed.links) {
          expect(targetRange.from >= range.from && targetRange.to <= range.to).toBe(true);
        }
      }),
      { numRuns: 3000 },
    );
  });

  it('counts lines as the text does', () => {
    fc.assert(
      fc.property(note, (text) => {
        const { headings, links, blocks } = parseNote(text);
        const starts = [
          ...headings.map(({ line, marker }) => [line, marker.from]),
          ...[...links, ...blocks].map(({ line, range }) => [line, range.from]),
        ];
        for (const [line, from] of starts) expect(line).toBe(text.slice(0, from).split('\n').length);
      }),
    );
  });

  it('nests sections', () => {
    fc.assert(
      fc.property(note, (text) => {
        const { headings } = parseNote(text);
        for (const [i, outer] of headings.entries()) {
          for (const inner of headings.slice(i + 1)) {
            const inside = inner.section.from < outer.section.to;
            expect(!inside || (inner.section.to <= outer.section.to && inner.depth > outer.depth)).toBe(true);
          }
        }
      }),
    );
  });

  it('finds the same structure with CRLF as with LF', () => {
    fc.assert(
      fc.property(note, (text) => {
        const lf = text.replaceAll('\r', '');
        const [a, b] = [parseNote(lf), parseNote(lf.replaceAll('\n', '\r\n'))];
        expect(structure(b)).toEqual(structure(a));
      }),
      { numRuns: 3000 },
    );
  });

  it('finds the same structure with CRLF in a note of many blocks', () => {
    const section = ['## H', '', 'text [[a]]', '| a | b |', '|---|---|', '| 1 | 2 |', '', '> - x', '> - y', '', ''];
    const lf = Array.from({ length: 400 }, (_, i) => section.join('\n').replace('H', `H ${i}`)).join('');
    const [a, b] = [parseNote(lf), parseNote(lf.replaceAll('\n', '\r\n'))];
    expect(structure(b)).toEqual(structure(a));
    expect(structure(b).nodes.filter(([name]) => name === 'TableRow')).toHaveLength(400);
  });

  it('ends no range between a carriage return and its line feed', () => {
    fc.assert(
      fc.property(note, (text) => {
        const crlf = text.replaceAll('\r', '').replaceAll('\n', '\r\n');
        const { headings, links, blocks, tree, bodyFrom } = parseNote(crlf);
        const ends = [
          ...headings.map(({ marker }) => marker.to),
          ...[...links, ...blocks].map(({ range }) => range.to),
        ];
        tree.iterate({ enter: (node) => void ends.push(bodyFrom + node.from, bodyFrom + node.to) });
        expect(ends.filter((end) => crlf[end - 1] === '\r' && crlf[end] === '\n')).toEqual([]);
      }),
    );
  });

  it('gives back the headings a note was built from', () => {
    const heading = fc.tuple(fc.integer({ min: 1, max: 6 }), fc.stringMatching(/^[A-Za-zäé][a-z äé]{0,8}[a-z]$/));
    fc.assert(
      fc.property(fc.array(heading, { maxLength: 12 }), (written) => {
        const text = written.map(([depth, words]) => `${'#'.repeat(depth)} ${words}\n\nSome text.\n`).join('\n');
        expect(parseNote(text).headings.map(({ depth, text: words }) => [depth, words])).toEqual(written);
      }),
    );
  });
});

describe('tables', () => {
  const tables = (text: string) => structure(parseNote(text)).nodes.filter(([name]) => name === 'Table');

  it.each([
    '| a | b |\n|---|---|\n| 1 | 2 |',
    '| a | b |  \n|---|:-:| \t\n| 1 | 2 |  ',
    'text\n| a | b |\n|---|---|  \n| 1 | 2 |',
    'a | b\n--|--\n1 | 2',
  ])('%j holds one, in CRLF too', (text) => {
    expect(tables(text)).toHaveLength(1);
    expect(tables(text.replaceAll('\n', '\r\n'))).toEqual(tables(text));
  });

  it.each(['| a | b |\n|---| \n', '| a |\n|---|x\n', 'a\n---|--- \n'])('%j holds none', (text) => {
    expect(tables(text)).toEqual([]);
  });
});

describe('tags', () => {
  const tags = (text: string) => parseNote(text).tags;

  it('come from frontmatter as a list, a string, or under tag', () => {
    expect(tags('---\ntags: [a, "#b", c/d]\n---\n')).toEqual(['a', 'b', 'c/d']);
    expect(tags('---\ntags: a, b c\ntag: d\n---\n')).toEqual(['a', 'b', 'c', 'd']);
  });

  it.each([
    ['#a #b/c-d_e', ['a', 'b/c-d_e']],
    ['# Head #tag', ['tag']],
    ['- #日本語 #ärger #тег', ['日本語', 'ärger', 'тег']],
    ['#a#b', ['a', 'b']],
    ['#2024 #y2024 #1/2', ['y2024']],
    ['#Work then #work', ['Work']],
    ['#trailing/ #dot. #(no)', ['trailing', 'dot']],
    ['a#no &#35; C# \\#no `#no` [x](a.md#no) [[a#no]] https://a.b/#no', []],
    ['%%#no%% <!-- #no -->', []],
    ['```\n#no\n```', []],
  ])('in %j are %j', (text, expected) => {
    expect(tags(text)).toEqual(expected);
  });
});

describe('title and description', () => {
  it.each([
    ['---\ntitle: "From  block"\n---\n# H', 'From block'],
    ['---\ntitle: 2024\n---\n', '2024'],
    ['---\ntitle: ""\n---\n# H', 'H'],
    ['## Sub\n# The **first** [one](a.md)', 'The first one'],
    ['Text only', undefined],
  ])('the title of %j is %j', (text, title) => {
    expect(parseNote(text).title).toBe(title);
  });

  it.each([
    ['---\ndescription: Given.\n---\nText.', 'Given.'],
    ['# H\n\n![[pic.png]]\n\n#a #b\n\n- list\n\n> quote\n\nFirst **sentence** here. Second.', 'First sentence here.'],
    ['これは文です。次の文。', 'これは文です。'],
    ['Costs 1.5 € a day. More.', 'Costs 1.5 € a day.'],
    ['See [[Plan|the plan]] and [x](y.md "t"). ^id', 'See the plan and x.'],
    ['# H\n\n- only a list', undefined],
    ['', undefined],
  ])('the description of %j is %j', (text, description) => {
    expect(parseNote(text).description).toBe(description);
  });

  it('is cut at a word, at 240 characters at most', () => {
    const { description = '' } = parseNote('word '.repeat(100));
    expect(description.length).toBeLessThanOrEqual(240);
    expect(description).toMatch(/ word…$/);
    expect(parseNote('字'.repeat(500)).description).toHaveLength(240);
  });
});
