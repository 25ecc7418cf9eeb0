import { describe, expect, it } from 'vitest';
import { resolveHeading } from './headings.ts';
import { parseNote } from './parse.ts';
import { blockText, type SectionScope, sectionRange, sectionText, subsections } from './sections.ts';

const TEXT = '# A\r\na\r\n## B\r\nb\r\n# C';
const part = (text: string, target: string, scope: SectionScope) => {
  const note = parseNote(text);
  const { from, to } = sectionRange(note, resolveHeading(note, target), scope);
  return text.slice(from, to);
};

describe('scopes of a section', () => {
  it.each<[SectionScope, string, string]>([
    ['content', 'A', 'a\r\n## B\r\nb\r\n'],
    ['own', 'A', 'a\r\n'],
    ['marker', 'A', '# A'],
    ['markerAndContent', 'A', '# A\r\na\r\n## B\r\nb\r\n'],
    ['own', 'B', 'b\r\n'],
    ['content', 'C', ''],
    ['marker', 'C', '# C'],
  ])('%s of %s', (scope, target, expected) => {
    expect(part(TEXT, target, scope)).toBe(expected);
  });

  it('own is empty where a subsection follows at once', () => {
    expect(part('# A\n## B\n', 'A', 'own')).toBe('');
  });

  it('name the subsections inside', () => {
    const note = parseNote(TEXT);
    expect(subsections(note, resolveHeading(note, 'A')).map(({ text }) => text)).toEqual(['B']);
  });
});

describe('sectionText', () => {
  it('includes the heading line', () => {
    expect(sectionText(parseNote(TEXT), 'A::B')).toBe('## B\r\nb\r\n');
  });

  it('takes a block by its id', () => {
    expect(sectionText(parseNote('a\n\nb ^x-1\n'), '^x-1')).toBe('b ^x-1');
  });
});

describe('blocks', () => {
  it.each([
    ['a paragraph', 'one\ntwo ^id\n\nnext', 'one\ntwo ^id'],
    ['a list item with what is below it', '- a ^id\n  - b\n- c', '- a ^id\n  - b'],
    ['an inner list item', '- a\n  - b ^id\n- c', '- b ^id'],
    ['a task', '- [ ] do ^id\n- [ ] not', '- [ ] do ^id'],
    ['a quote as a whole', '> a\n>\n> b ^id\n\nc', '> a\n>\n> b ^id'],
    ['a heading', '# H ^id\ntext', '# H ^id'],
    ['the table before it', '| a |\n|---|\n| b |\n\n^id\n', '| a |\n|---|\n| b |'],
    ['the code before it', '```\nx\n```\n\n^id', '```\nx\n```'],
    ['the list before it', '- a\n- b\n\n^id', '- a\n- b'],
  ])('an id names %s', (_what, text, expected) => {
    expect(blockText(parseNote(text), 'id')).toBe(expected);
    const { idRange } = parseNote(text).blocks[0] ?? { idRange: { from: 0, to: 0 } };
    expect(text.slice(idRange.from, idRange.to)).toBe('^id');
  });

  it('ends before the line break, whichever it is', () => {
    expect(blockText(parseNote('a ^id\r\n\r\nb'), 'id')).toBe('a ^id');
    expect(blockText(parseNote('| a |\r\n|---|\r\n| b |\r\n\r\n^id\r\n'), 'id')).toBe('| a |\r\n|---|\r\n| b |');
  });

  it.each(['`a ^id`\n\n```\nb ^id\n```', 'a^id', 'a ^id b', 'a ^i_d', '2 ^ id'])('no id in %j', (text) => {
    expect(parseNote(text).blocks).toEqual([]);
  });

  it('says which ids there are', () => {
    expect(() => blockText(parseNote('a ^one\n\nb ^two'), '^three')).toThrow(
      expect.objectContaining({ code: 'no_such_block', message: expect.stringContaining('^one, ^two') }),
    );
    expect(() => blockText(parseNote('a'), 'x')).toThrow(/no block ids/);
  });
});
