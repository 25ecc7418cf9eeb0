import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findCallouts } from './callouts.ts';
import { parseStructure } from './parse.ts';

const calloutsOf = (...lines: string[]) => findCallouts(parseStructure(lines.join('\n')));
const brief = (...lines: string[]) => calloutsOf(...lines).map(({ line, type, title }) => `${line} ${type} ${title}`);

describe('a callout', () => {
  it('has its line in the file, type, title and body', () => {
    expect(calloutsOf('---', 'a: 1', '---', '', '> [!Warning]- Mind the gap', '> First.', '>', '> - second')).toEqual([
      { line: 5, type: 'warning', severity: 'warning', title: 'Mind the gap', body: 'First.\n\n- second' },
    ]);
  });

  it.each([
    ['without a title', '> [!todo]', 'todo '],
    ['that is open', '> [!todo]+ Call them', 'todo Call them'],
    ['that is folded and without a title', '> [!todo]-', 'todo '],
    ['with metadata', '> [!todo|right wide] Call', 'todo Call'],
    ['of somebody’s own type', '> [!my type 2] Call', 'my type 2 Call'],
    ['without a space after the mark', '>[!todo] Call', 'todo Call'],
    ['that is indented', '   > [!todo] Call', 'todo Call'],
    ['with line breaks of Windows', '> [!todo] Call\r\n> body\r', 'todo Call'],
    ['that a rule follows', '> [!todo] Call\n> ---\n> body', 'todo Call'],
    ['that a table follows', '> [!todo] a | b\n> --- | ---\n> 1 | 2', 'todo a | b'],
    ['in a list', '- item\n  > [!todo] Call', 'todo Call'],
  ])('is found %s', (_what, text, found) => {
    expect(calloutsOf(text).map(({ type, title }) => `${type} ${title}`)).toEqual([found]);
  });

  it.each([
    ['in code', ['```', '> [!todo] Call', '```']],
    ['in indented code', ['    > [!todo] Call']],
    ['in a comment', ['%%', '> [!todo] Call', '%%']],
    ['in a comment that opens within a line', ['text %% and', '', '> [!todo] Call', '', '%%']],
    ['in frontmatter', ['---', 'a: |', '  > [!todo] Call', '---']],
    ['after the first line of a quote', ['> text', '> [!todo] Call']],
    ['after an empty line of a quote’s', ['> # Head', '>', '> [!todo] Call']],
    ['with no type', ['> [!] Call']],
    ['with text right behind', ['> [!todo]Call']],
    ['outside a quote', ['[!todo] Call']],
    ['as the text of a link', ['> [!todo](x.md) Call']],
    ['within an ordinary quote', ['> They wrote:', '>', '> > [!todo] Call']],
    ['within an ordinary quote, first of all', ['> > [!todo] Call']],
  ])('is none %s', (_what, lines) => {
    expect(calloutsOf(...lines)).toEqual([]);
  });

  it('within another is one too, and stands in the body of the other', () => {
    const lines = ['> [!question] Really?', '> So:', '> > [!error]', '> > No.', '', '> [!tip] After'];
    expect(brief(...lines)).toEqual(['1 question Really?', '3 error ', '6 tip After']);
    expect(calloutsOf(...lines).map(({ body }) => body)).toEqual(['So:\n> [!error]\n> No.', 'No.', '']);
  });

  it('takes in a line that goes on without a mark', () => {
    expect(calloutsOf('> [!note] A', '> begun', 'and done', '', 'no more')[0]?.body).toBe('begun\nand done');
  });

  it('is as bad as it is drawn', () => {
    const severity = (type: string) => calloutsOf(`> [!${type}]`)[0]?.severity;
    expect(['danger', 'Error', 'bug', 'failure', 'missing'].map(severity)).toEqual(Array(5).fill('error'));
    expect(['warning', 'CAUTION', 'attention'].map(severity)).toEqual(Array(3).fill('warning'));
    expect(['note', 'todo', 'success', 'mine'].map(severity)).toEqual(Array(4).fill('info'));
  });

  it('has no body without end', () => {
    const [long] = calloutsOf('> [!note]', ...Array.from({ length: 4000 }, () => '> 0123456789'));
    expect(long?.body).toHaveLength(10_001);
    expect(long?.body.endsWith('…')).toBe(true);
  });
});

describe('callouts', () => {
  it('stand where they are said to, whatever stands around them', () => {
    const piece = fc.constantFrom('> [!note] A', '>', '> > [!bug]', '```', '- x', 'text', '', '%%', '  > [!a]', '> b');
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), (lines) => {
        for (const { line } of calloutsOf(...lines)) expect(lines[line - 1]).toContain('[!');
      }),
    );
  });

  it('of a note that is nothing but callouts in callouts do not grow past the note by much', () => {
    const deep = Array.from({ length: 2000 }, (_, n) => `${'> '.repeat((n % 60) + 1)}[!note] ${n}`);
    const size = JSON.stringify(calloutsOf(...deep)).length;
    expect(size).toBeLessThan(deep.join('\n').length * 20);
  });
});
