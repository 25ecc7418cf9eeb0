import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { resolveHeading } from './headings.ts';
import { parseNote } from './parse.ts';
import { sectionText } from './sections.ts';

const headingsOf = (text: string) =>
  parseNote(text).headings.map(({ depth, text: heading, line }) => [depth, heading, line]);
const pathsOf = (text: string) => parseNote(text).headings.map(({ path }) => path.join(' > '));
const resolve = (text: string, target: string | string[], delimiter?: string) =>
  resolveHeading(parseNote(text), target, delimiter === undefined ? {} : { delimiter }).path.join(' > ');

describe('what is a heading', () => {
  it.each([
    ['# One', 1, 'One'],
    ['   ### Three ###', 3, 'Three'],
    ['###### Six', 6, 'Six'],
    ['# C#', 1, 'C#'],
    ['## # ##', 2, '#'],
    ['#', 1, ''],
    ['# a \\#', 1, 'a \\#'],
    ['#\tTab', 1, 'Tab'],
    ['Setext\n===', 1, 'Setext'],
    ['Two\nlines\n---', 2, 'Two lines'],
    ['# **Bold** `code`', 1, '**Bold** `code`'],
  ])('%j', (text, depth, heading) => {
    expect(headingsOf(text)).toEqual([[depth, heading, 1]]);
  });

  it.each([
    ['seven hashes', '####### no'],
    ['no space', '#no'],
    ['an escaped hash', '\\# no'],
    ['four spaces', '    # no'],
    ['a tab', '\t# no'],
    ['a fence', '```\n# no\n```'],
    ['a fence of tildes', '~~~ md\n# no\n~~~'],
    ['a fence that a shorter one does not close', '````\n```\n# no\n````'],
    ['a fence that another character does not close', '```\n~~~\n# no\n```'],
    ['a fence that never closes', '```\n# no\n'],
    ['an HTML comment', '<!--\n# no\n-->'],
    ['an HTML comment that never closes', '<!--\n\n# no\n'],
    ['an HTML block', '<div>\n# no\n</div>'],
    ['a comment block', '%%\n# no\n\n# no\n%%'],
    ['a comment block that never closes', 'a\n\n%%\n# no\n'],
    ['a comment that opens in the middle of a line', 'text %% hidden\n\n# no\n\nto here %% text'],
    ['frontmatter', '---\n# no\n---\n'],
    ['a quote', '> # no'],
    ['a callout', '> [!note] Title\n> ## no'],
    ['a list item', '- # no'],
    ['a rule', 'text\n\n---\n'],
    ['a definition before a rule', '[a]: b.md\n---\n'],
  ])('nothing in or after %s', (_what, text) => {
    expect(headingsOf(text)).toEqual([]);
  });

  it.each([
    ['after a closed fence', '```\n# no\n```\n# yes', 4],
    ['after a comment block', '%%\n# no\n%%\n# yes', 4],
    ['after a comment of one line', '%% note %%\n# yes', 2],
    ['between two inline comments', 'a %%x%% b\n\n# yes\n\n%%y%%', 3],
    ['after one percent sign pair that never closes', 'up 100%% today\n\n# yes', 3],
    ['after a line that closes a comment opened in a paragraph', 'a %% b\n\nc\n\n%%\n# yes', 6],
    ['after comments that open and close in turn', 'a %% b\n\nc %% d %% e\n\n%%\n# yes', 6],
    ['after a line that closes one in the same paragraph', 'a %% b\n%%\n# yes', 3],
    ['after frontmatter', '---\na: 1\n---\n# yes', 4],
    ['after a byte order mark', '\ufeff# yes', 1],
    ['that ends a paragraph', 'text\n# yes', 2],
  ])('one %s', (_what, text, line) => {
    expect(headingsOf(text)).toEqual([[1, 'yes', line]]);
  });

  it('is the same with CRLF, and its marker leaves the line break out', () => {
    const text = '# A\r\n\r\n<div>\r\n\r\nB\r\n===\r\n\r\n## C ##\r\n';
    const { headings } = parseNote(text);
    expect(headings.map(({ depth, text: heading, line }) => [depth, heading, line])).toEqual([
      [1, 'A', 1],
      [1, 'B', 5],
      [2, 'C', 8],
    ]);
    expect(headings.map(({ marker }) => text.slice(marker.from, marker.to))).toEqual(['# A', 'B\r\n===', '## C ##']);
  });
});

describe('heading paths and sections', () => {
  const text = '# A\na\n## B\nb\n#### D\nd\n## C\nc\n# E\ne';

  it('run from the outermost ancestor', () => {
    expect(pathsOf(text)).toEqual(['A', 'A > B', 'A > B > D', 'A > C', 'E']);
  });

  it('reach to the next heading of the same or shallower depth', () => {
    expect(parseNote(text).headings.map(({ section }) => text.slice(section.from, section.to))).toEqual([
      '# A\na\n## B\nb\n#### D\nd\n## C\nc\n',
      '## B\nb\n#### D\nd\n',
      '#### D\nd\n',
      '## C\nc\n',
      '# E\ne',
    ]);
  });
});

describe('resolving a target', () => {
  const text = '# House\n## Heating\n### Boiler\n## Water\n### Boiler\n# Car\n## Costs 2024\n';

  it.each([
    ['Water', 'House > Water'],
    ['Heating::Boiler', 'House > Heating > Boiler'],
    ['House::Water::Boiler', 'House > Water > Boiler'],
    ['## Water', 'House > Water'],
    ['# House::## Water', 'House > Water'],
    ['  water  ', 'House > Water'],
    ['costs   ２０２４', 'Car > Costs 2024'],
    ['Boiler[2]', 'House > Water > Boiler'],
  ])('%j', (target, path) => {
    expect(resolve(text, target)).toBe(path);
  });

  it('takes the segments of a list as they are', () => {
    expect(resolve('# A::B\n## C', ['A::B', 'C'])).toBe('A::B > C');
  });

  it('takes another delimiter', () => {
    expect(resolve(text, 'Heating/Boiler', '/')).toBe('House > Heating > Boiler');
    expect(resolve('# A/B\n## C', 'A\\/B/C', '/')).toBe('A/B > C');
  });

  it('reads an escaped delimiter as text', () => {
    expect(resolve('# A\n## B\n# A::B', 'A\\::B')).toBe('A::B');
    expect(resolve('# A\n## B\n# A::B', 'A::B')).toBe('A > B');
  });

  it.each([
    ['# Q&A — “x”', 'q&a - “x”'],
    ['# Soft\u00adhyphen', 'softhyphen'],
    ['# **Bold** and `code`', 'bold and code'],
    ['# See [the plan](plan.md "t")', 'see the plan'],
    ['# See [[Plan|the plan]]', 'see the plan'],
    ['# \\#1 \\*literal\\*', '#1 *literal*'],
    ['# STRASSE', 'straße'],
    ['# ﬁne', 'fine'],
    ['# snake_case_name', 'SNAKE_CASE_NAME'],
    ['# 2 * 3 * 4', '2 * 3 * 4'],
  ])('finds %j by %j', (heading, target) => {
    expect(parseNote(heading).headings[0]).toBeDefined();
    expect(resolveHeading(parseNote(heading), target).line).toBe(1);
  });

  it('keeps apart what folding must not join', () => {
    const note = parseNote('# snake_case\n# snakecase\n# C\n# C#\n');
    expect(resolveHeading(note, 'snake_case').line).toBe(1);
    expect(resolveHeading(note, 'C#').line).toBe(4);
  });

  it('prefers the one whose whole path it is', () => {
    expect(resolve('# X\n## A\n# A\n', 'A')).toBe('A');
  });

  it('finds a heading that is called like an ordinal, and the second of a name beside it', () => {
    const note = parseNote('# Foo\n# Foo\n# Foo[2]\n');
    expect(resolveHeading(note, 'Foo[2]').line).toBe(3);
    expect(note.headings.map((heading) => resolveHeading(note, heading.target).line)).toEqual([1, 2, 3]);
  });

  it('understands segments pasted together although one ends in a colon', () => {
    expect(resolve('# Notes:\n## Sub\n# Sub', 'Notes:::Sub')).toBe('Notes: > Sub');
  });

  it('lists only the colliding headings when several match', () => {
    expect(() => resolve(text, 'Boiler')).toThrow(
      expect.objectContaining({
        code: 'ambiguous_heading',
        message: expect.stringMatching(/2 headings.*"Heating::Boiler", "Water::Boiler"\. .*\[2\]/),
      }),
    );
  });

  it('lists the nearest headings first when none matches, at most thirty', () => {
    const many = `${Array.from({ length: 60 }, (_, i) => `# Heading ${i}`).join('\n')}\n# Boiler service\n`;
    expect(() => resolve(many, 'Boiler servise')).toThrow(
      expect.objectContaining({
        code: 'no_such_heading',
        message: expect.stringMatching(/targets: "Boiler service".*\(and 31 more\)/),
      }),
    );
  });

  it('says that a note has no headings, and that an ordinal is too high', () => {
    expect(() => resolve('text', 'A')).toThrow(/this note has no headings/);
    expect(() => resolve('# A\n# A', 'A[3]')).toThrow(/only 2 of that name/);
  });
});

describe('the target a map prints', () => {
  it('is as short as it can be, and numbered where paths are equal', () => {
    const { headings } = parseNote('# A\n## X\n# B\n## X\n## Y\n## Z\n## Z\n# A::C:\n## W:\n## W\n');
    expect(headings.map(({ target }) => target)).toEqual([
      'A',
      'A::X',
      'B',
      'B::X',
      'Y',
      'B::Z[1]',
      'B::Z[2]',
      'A\\::C:',
      'W:',
      'W',
    ]);
  });

  it('resolves to its heading, whatever the headings are', () => {
    const word = fc.oneof(
      fc.constantFrom(
        'A',
        'a',
        'B',
        '::',
        ':',
        '\\',
        '#',
        '[2]',
        '[1]',
        '[02]',
        '*',
        '_',
        '`',
        '**A**',
        '[A](b)',
        '[[A]]',
        '\u00ad',
        '–',
        ' ',
        '%%',
        '<b>',
        '&amp;',
        'ß',
        '^',
        '^a',
      ),
      fc.string({ unit: 'grapheme', maxLength: 3 }),
    );
    const heading = fc.tuple(fc.integer({ min: 1, max: 6 }), fc.array(word, { maxLength: 4 }));
    fc.assert(
      fc.property(fc.array(heading, { minLength: 1, maxLength: 9 }), (written) => {
        const note = parseNote(
          written.map(([depth, words]) => `${'#'.repeat(depth)} ${words.join('').replace(/[\r\n]/g, ' ')}`).join('\n'),
        );
        for (const { target, line, section } of note.headings) {
          expect([target, resolveHeading(note, target).line]).toEqual([target, line]);
          expect([target, sectionText(note, target)]).toEqual([target, note.text.slice(section.from, section.to)]);
        }
      }),
      { numRuns: 1500 },
    );
  });

  it.each(['# ^foo bar\ntext\n', '# ^baz\ntext\n', '# ^\n', `# ^${'long '.repeat(300)}\ntext\n`])(
    'is never taken for a block: %.20j',
    (text) => {
      const note = parseNote(text);
      expect(note.headings.map(({ target }) => sectionText(note, target))).toEqual([text]);
    },
  );

  it('resolves as a list of its path too, where the path is unique', () => {
    const note = parseNote('# A: b\n## C::d\n### \\:\n');
    for (const { path, line } of note.headings) expect(resolveHeading(note, path).line).toBe(line);
  });
});

describe('a refusal that names headings', () => {
  it('has them on one line, without control characters, and still to be pasted', () => {
    const note = parseNote('# A\u001b[2J b\u2028c\n\n# Other\n');
    const thrown = expectRefusal(() => resolveHeading(note, 'x\n\u0007y'));
    expect(thrown).not.toMatch(/\p{Cc}|\u2028/u);
    expect(thrown).toContain('"A[2J b c"');
    expect(resolveHeading(note, 'A[2J b c').text).toBe('A\u001b[2J b\u2028c');
  });
});

function expectRefusal(act: () => unknown): string {
  try {
    act();
  } catch (thrown) {
    return (thrown as Error).message;
  }
  throw new Error('nothing was refused');
}
