import { describe, expect, it } from 'vitest';
import type { AppError } from '../../../errors.ts';
import { parseNote } from '../parse.ts';
import type { SectionScope } from '../sections.ts';
import { type EditOperation, editSection, type SectionEdit } from './section.ts';

const edit = (text: string, target: string, operation: EditOperation, content: string, options: SectionEdit = {}) =>
  editSection(parseNote(text), target, operation, content, options);
const refusal = (act: () => unknown): AppError => {
  try {
    act();
  } catch (thrown) {
    return thrown as AppError;
  }
  throw new Error('nothing was refused');
};

const TEXT = '# A\na\n## B\nb\n# C\nc\n';

describe('scopes and operations', () => {
  it.each<[EditOperation, SectionScope, string]>([
    ['replace', 'content', '# A\n\nnew\n\n# C\nc\n'],
    ['replace', 'own', '# A\n\nnew\n\n## B\nb\n# C\nc\n'],
    ['replace', 'markerAndContent', 'new\n\n# C\nc\n'],
    ['append', 'content', '# A\na\n## B\nb\n\nnew\n\n# C\nc\n'],
    ['append', 'own', '# A\na\n\nnew\n\n## B\nb\n# C\nc\n'],
    ['append', 'markerAndContent', '# A\na\n## B\nb\n\nnew\n\n# C\nc\n'],
    ['prepend', 'content', '# A\n\nnew\n\na\n## B\nb\n# C\nc\n'],
    ['prepend', 'own', '# A\n\nnew\n\na\n## B\nb\n# C\nc\n'],
    ['prepend', 'markerAndContent', 'new\n\n# A\na\n## B\nb\n# C\nc\n'],
    ['delete', 'content', '# A\n\n# C\nc\n'],
    ['delete', 'own', '# A\n\n## B\nb\n# C\nc\n'],
    ['delete', 'markerAndContent', '# C\nc\n'],
  ])('%s %s', (operation, scope, expected) => {
    expect(edit(TEXT, 'A', operation, 'new', { scope }).text).toBe(expected);
  });

  it('take all below the heading line when no scope is named', () => {
    expect(edit(TEXT, 'A', 'replace', 'new').text).toBe('# A\n\nnew\n\n# C\nc\n');
  });

  it.each<EditOperation>(['append', 'prepend', 'delete'])('the heading line alone does not know %s', (operation) => {
    expect(refusal(() => edit(TEXT, 'A', operation, 'x', { scope: 'marker' })).code).toBe('invalid_request');
  });

  it('address a true duplicate by its number', () => {
    expect(edit('# A\n\none\n\n# A\n\ntwo\n', 'A[2]', 'replace', 'new').text).toBe('# A\n\none\n\n# A\n\nnew\n');
  });

  it('refuse a target that is missing or stands for several', () => {
    expect(refusal(() => edit(TEXT, 'D', 'append', 'x')).code).toBe('no_such_heading');
    expect(refusal(() => edit('# A\n# A\n', 'A', 'append', 'x')).code).toBe('ambiguous_heading');
  });

  it('take a delimiter of the caller’s', () => {
    expect(edit(TEXT, 'A/B', 'replace', 'new', { delimiter: '/' }).text).toBe('# A\na\n## B\n\nnew\n\n# C\nc\n');
  });
});

describe('a target', () => {
  it.each([
    ['## Q&A \u2013 *the* `code`', 'q&a - the code'],
    ['## ﬁne\u00ad print', 'FINE PRINT'],
    ['## [[Link|shown]]  twice', 'shown twice'],
    ['## [text](to.md)', '## Text'],
    ['## a::b', 'a\\::b'],
    ['## Closed ##', 'closed'],
    ['## C#', 'C#'],
    ['Set\next\n---', 'set ext'],
  ])('is found as a reader writes it: %j by %j', (line, target) => {
    expect(edit(`# A\n${line}\nold\n# B\n`, target, 'replace', 'new').text).toBe(`# A\n${line}\n\nnew\n\n# B\n`);
  });

  it.each(['---\n# A\n---\n', '```\n# A\n```\n', '    # A\n', '<!--\n# A\n-->\n', '%%\n# A\n%%\n', '> # A\n'])(
    'is no heading where none is: %j',
    (text) => {
      expect(refusal(() => edit(text, 'A', 'append', 'x')).code).toBe('no_such_heading');
    },
  );
});

describe('headings that are underlined', () => {
  const NOTE = 'One\n===\na\n\nTwo\nlines\n---\nb\n\nThree\n=====\nc';

  it.each<[EditOperation, SectionScope, string]>([
    ['replace', 'content', 'One\n===\n\nnew\n\nThree\n=====\nc'],
    ['replace', 'own', 'One\n===\n\nnew\n\nTwo\nlines\n---\nb\n\nThree\n=====\nc'],
    ['append', 'content', 'One\n===\na\n\nTwo\nlines\n---\nb\n\nnew\n\nThree\n=====\nc'],
    ['append', 'own', 'One\n===\na\n\nnew\n\nTwo\nlines\n---\nb\n\nThree\n=====\nc'],
    ['prepend', 'content', 'One\n===\n\nnew\n\na\n\nTwo\nlines\n---\nb\n\nThree\n=====\nc'],
    ['prepend', 'markerAndContent', 'new\n\nOne\n===\na\n\nTwo\nlines\n---\nb\n\nThree\n=====\nc'],
    ['delete', 'markerAndContent', 'Three\n=====\nc'],
  ])('have sections like others: %s %s', (operation, scope, expected) => {
    expect(edit(NOTE, 'One', operation, 'new', { scope }).text).toBe(expected);
  });

  it('give up all their lines for another heading line', () => {
    const text = edit(NOTE, 'Two lines', 'replace', '## New', { scope: 'marker' }).text;
    expect(text).toBe('One\n===\na\n\n## New\nb\n\nThree\n=====\nc');
  });
});

describe('blank lines', () => {
  it('stay one around text that is appended again and again', () => {
    let text = '# A\na\n# B\n';
    for (const added of ['one', 'two\n', '\n\nthree\n\n']) text = edit(text, 'A', 'append', added).text;
    expect(text).toBe('# A\na\n\none\n\ntwo\n\nthree\n\n# B\n');
  });

  it('that were there already stay as they are', () => {
    expect(edit('# A\n\n\na\n\n\n# B', 'A', 'append', 'x').text).toBe('# A\n\n\na\n\nx\n\n\n# B');
    expect(edit('# A\n\n\na\n\n\n# B', 'A', 'prepend', 'x').text).toBe('# A\n\n\nx\n\na\n\n\n# B');
  });

  it('are normal again after a replace', () => {
    expect(edit('# A\n\n\na\n\n\n# B', 'A', 'replace', '\n\nx\n\n').text).toBe('# A\n\nx\n\n# B');
  });

  it.each([
    ['# A\na\n# B\n', '# A\n\n# B\n'],
    ['# A\n\n\na\n\n# B\n', '# A\n\n# B\n'],
    ['# A\na\n', '# A\n\n'],
    ['# A\r\na\r\n# B', '# A\r\n\r\n# B'],
  ])('an empty replacement of %j leaves the heading and one of them', (text, expected) => {
    expect(edit(text, 'A', 'replace', ' \n').text).toBe(expected);
    expect(edit(text, 'A', 'delete', 'ignored').text).toBe(expected);
    expect(edit(expected, 'A', 'replace', '').text).toBe(expected);
  });

  it('part what is left when a section is taken out', () => {
    const out = (text: string) => edit(text, 'X', 'delete', '', { scope: 'markerAndContent' }).text;
    expect(out('# A\na\n# X\nx\n# B\n')).toBe('# A\na\n\n# B\n');
    expect(out('# A\na\n\n\n# X\nx\n\n# B\n')).toBe('# A\na\n\n\n# B\n');
    expect(out('# A\na\n\n# X\nx\n')).toBe('# A\na\n');
    expect(out('# A\na\n\n# X\nx')).toBe('# A\na');
    expect(out('---\nt: 1\n---\n# X\nx\n# B\n')).toBe('---\nt: 1\n---\n# B\n');
    // Without the blank line "a" would become part of the heading.
    expect(out('a\n# X\nB\n===\n')).toBe('a\n\nB\n===\n');
  });

  it('of blank text are no change', () => {
    expect(edit(TEXT, 'A', 'append', ' \n').text).toBe(TEXT);
    expect(edit(TEXT, 'A', 'prepend', '').text).toBe(TEXT);
  });
});

describe('lists', () => {
  it.each([
    ['# A\n- a\n', '- b', '# A\n- a\n- b\n'],
    ['# A\n1. a\n', '2. b', '# A\n1. a\n2. b\n'],
    ['# A\n- a\n  - deep\n\n# B\n', '- b\n- c', '# A\n- a\n  - deep\n- b\n- c\n\n# B\n'],
    ['# A\n- [ ] a\n', '- [x] b', '# A\n- [ ] a\n- [x] b\n'],
    ['# A\n- a\n\n- loose\n', '- b', '# A\n- a\n\n- loose\n- b\n'],
    ['# A\r\n- a', '- b', '# A\r\n- a\r\n- b'],
    ['# A\n- a\n\n\n# B\n', '- b\n', '# A\n- a\n- b\n\n\n# B\n'],
  ])('stay tight: %j and %j', (text, added, expected) => {
    expect(edit(text, 'A', 'append', added).text).toBe(expected);
  });

  it.each([
    ['# A\n- a\n', '* b', '# A\n- a\n\n* b\n'],
    ['# A\n1. a\n', '2) b', '# A\n1. a\n\n2) b\n'],
    ['# A\n- a\n', 'b', '# A\n- a\n\nb\n'],
    ['# A\na\n', '- b', '# A\na\n\n- b\n'],
    ['# A\n- a\n\nb\n', '- c', '# A\n- a\n\nb\n\n- c\n'],
    ['# A\n\n***\n', '* b', '# A\n\n***\n\n* b\n'],
  ])('of another kind are parted: %j and %j', (text, added, expected) => {
    expect(edit(text, 'A', 'append', added).text).toBe(expected);
  });

  it('stay tight above as well', () => {
    expect(edit('# A\n\n- a\n', 'A', 'prepend', '- b').text).toBe('# A\n\n- b\n- a\n');
    expect(edit('# A\n\n- a\n', 'A', 'prepend', '+ b').text).toBe('# A\n\n+ b\n\n- a\n');
  });
});

describe('the heading line', () => {
  it('is replaced by a heading of any depth and style', () => {
    const marker = (content: string) => edit(TEXT, 'B', 'replace', content, { scope: 'marker' }).text;
    expect(marker('## New')).toBe('# A\na\n## New\nb\n# C\nc\n');
    expect(marker('### New ###\n')).toBe('# A\na\n### New ###\nb\n# C\nc\n');
    expect(edit('# A\n\n# B\n', 'B', 'replace', 'New\n===', { scope: 'marker' }).text).toBe('# A\n\nNew\n===\n');
  });

  it.each(['New', '', '## New\ntext', '# a\n# b', '    # code', '```\n# a'])('stays a heading: not %j', (content) => {
    const error = refusal(() => edit(TEXT, 'B', 'replace', content, { scope: 'marker' }));
    expect(error.code).toBe('invalid_value');
    expect(error.message).toContain('## New text');
  });

  it('may not take in the paragraph above it', () => {
    const error = refusal(() => edit('para\n# A\n', 'A', 'replace', 'New\n===', { scope: 'marker' }));
    expect(error.code).toBe('invalid_value');
  });
});

describe('subsections that a replace removes', () => {
  const NOTE = '# A\n## X\n### Notes\n## Y\n### Notes\n# C\n';
  const removed = (content: string, scope: SectionScope = 'content') =>
    edit(NOTE, 'A', 'replace', content, { scope }).removedSubsections;

  it('are named by the targets they had', () => {
    expect(removed('new')).toEqual(['X', 'X::Notes', 'Y', 'Y::Notes']);
    const colons = edit('# A\n## B::C\nb\n', 'A', 'replace', 'new', {}).removedSubsections;
    expect(colons).toEqual(['B\\::C']);
    expect(edit(NOTE, 'A', 'delete', '', { scope: 'markerAndContent' }).removedSubsections).toHaveLength(4);
  });

  it('are not those that the new text has again', () => {
    expect(removed('## *y*\n\n### Notes')).toEqual(['X', 'X::Notes']);
    expect(removed('# New\n## X\n### Notes\n## Y\n### Notes', 'markerAndContent')).toEqual([]);
  });

  it('are none for other edits', () => {
    expect(removed('x', 'own')).toEqual([]);
    expect(edit(NOTE, 'A', 'append', 'x').removedSubsections).toEqual([]);
  });
});

describe('bytes', () => {
  it('of line ends are the note’s, or the surrounding line’s where it mixes them', () => {
    expect(edit('# A\r\na\r\n', 'A', 'append', 'x\ny').text).toBe('# A\r\na\r\n\r\nx\r\ny\r\n');
    expect(edit('# A\na\r\n# B\nb\n', 'A', 'append', 'x\ny').text).toBe('# A\na\r\n\r\nx\r\ny\r\n\r\n# B\nb\n');
    expect(edit('# A\r\na\r\n# B\nb\n', 'B', 'append', 'x\r\ny').text).toBe('# A\r\na\r\n# B\nb\n\nx\ny\n');
  });

  it('of a byte order mark and of a missing last line break stay', () => {
    expect(edit('\ufeff# A\na', 'A', 'replace', '\ufeffx\n').text).toBe('\ufeff# A\n\nx');
  });

  it('that no file can hold are refused', () => {
    expect(refusal(() => edit(TEXT, 'A', 'append', '\ud800')).code).toBe('invalid_value');
  });

  it('in frontmatter that cannot be read do not matter', () => {
    expect(edit('---\na: [\n---\n# A\n', 'A', 'append', 'x').text).toBe('---\na: [\n---\n# A\n\nx\n');
  });
});

describe('an edit that would change what is not edited', () => {
  it.each(['```\nopen', '<!-- open', '%%\nopen'])('is refused: %j', (content) => {
    const error = refusal(() => edit(TEXT, 'A', 'replace', content));
    expect(error.code).toBe('invalid_value');
    expect(error.message).toContain('"C" (line 5)');
  });

  it('is not refused where nothing comes after it', () => {
    expect(edit(TEXT, 'C', 'replace', '```\nopen').text).toBe('# A\na\n## B\nb\n# C\n\n```\nopen\n');
  });

  it('may not make frontmatter of the note’s beginning', () => {
    const error = refusal(() => edit('# A\n', 'A', 'replace', '---\nt: 1\n---', { scope: 'markerAndContent' }));
    expect(error.code).toBe('invalid_value');
    expect(refusal(() => edit('---\n# A\n', 'A', 'append', 'x\n\n---')).code).toBe('invalid_value');
  });
});
