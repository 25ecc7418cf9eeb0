import { describe, expect, it } from 'vitest';
import type { AppError } from '../../../errors.ts';
import { parseNote } from '../parse.ts';
import { sectionText } from '../sections.ts';
import { editBlock } from './block.ts';
import type { EditOperation } from './section.ts';

const edit = (text: string, operation: EditOperation, content = '') =>
  editBlock(parseNote(text), 'id', operation, content).text;
const refusal = (act: () => unknown): AppError => {
  try {
    act();
  } catch (thrown) {
    return thrown as AppError;
  }
  throw new Error('nothing was refused');
};

describe('replacing a block keeps its id', () => {
  it.each([
    ['a paragraph', 'one\ntwo ^id\n\nnext\n', 'new', 'new ^id\n\nnext\n'],
    ['a paragraph by one of two lines', 'one ^id', 'new\nline\n', 'new\nline ^id'],
    ['text that brings the id', 'one ^id\n', 'new ^id', 'new ^id\n'],
    ['an item, bullet and all', '- a ^id\n- b\n', '- new', '- new ^id\n- b\n'],
    ['an item by bare text', '- a ^id\n  - deep\n- b\n', 'new', '- new ^id\n- b\n'],
    ['an item by one with items below', '- a ^id\n- b\n', '- new\n  - deep', '- new ^id\n  - deep\n- b\n'],
    ['an item by two of which one has the id', '- a ^id\n- b\n', '- x\n- y ^id', '- x\n- y ^id\n- b\n'],
    ['an item further in', '- a\n  - x ^id\n- b\n', 'new\nline', '- a\n  - new\n    line ^id\n- b\n'],
    ['a task, box and all', '- [x] a ^id\n', 'new', '- [x] new ^id\n'],
    ['a numbered item', '9. a ^id\n10. b\n', 'new\n\nmore', '9. new ^id\n\n   more\n10. b\n'],
    ['a heading by a heading', '# H ^id\ntext\n', '## New', '## New ^id\ntext\n'],
    ['a quote', '> a\n> b ^id\n', '> new', '> new ^id\n'],
    ['an item in a quote', '> - a ^id\n> - b\n', 'new\nline', '> - new\n>   line ^id\n> - b\n'],
    ['a table whose id stands below', '| a |\n|---|\n\n^id\n', '| b |\n|---|', '| b |\n|---|\n\n^id\n'],
    ['a paragraph by a table', 'a ^id\n', '| b |\n|---|', '| b |\n|---|\n\n^id\n'],
    ['a paragraph by code', 'a ^id\n', '```\nx\n```', '```\nx\n```\n\n^id\n'],
    ['a paragraph by a list', 'a ^id\n', '- x\n- y', '- x\n- y\n\n^id\n'],
    ['in a note of other line ends', 'a ^id\r\n\r\nb', 'x\ny', 'x\r\ny ^id\r\n\r\nb'],
  ])('%s', (_what, text, content, expected) => {
    expect(edit(text, 'replace', content)).toBe(expected);
  });

  it.each([
    ['blank text', 'a ^id\n', ' '],
    ['an item by two', '- a ^id\n', '- x\n- y'],
    ['an item among others by two', '- a\n- b ^id\n- c\n', '- x\n- y'],
    ['an item by one and text below the list', '- a ^id\n- b\n', '- x\n\ny'],
    ['an item by two that both have the id', '- a ^id\n', '- x ^id\n- y ^id'],
    ['a heading by a paragraph', '# H ^id\ntext\n', 'text'],
    ['code that would hide it', 'a ^id\n', '```\nopen'],
  ])('or is refused: %s', (_what, text, content) => {
    expect(refusal(() => edit(text, 'replace', content)).code).toBe('invalid_value');
  });
});

describe('putting text beside a block', () => {
  it.each<[string, EditOperation, string, string, string]>([
    ['below a paragraph', 'append', 'a ^id\n\nb\n', 'new', 'a ^id\n\nnew\n\nb\n'],
    ['above a paragraph', 'prepend', '# H\na ^id\n', 'new', '# H\n\nnew\n\na ^id\n'],
    ['below an id that stands alone', 'append', '| a |\n|---|\n\n^id\n', 'new', '| a |\n|---|\n\n^id\n\nnew\n'],
    ['rows into a table', 'append', '| a |\n|---|\n\n^id\n', '| b |\n| c |', '| a |\n|---|\n| b |\n| c |\n\n^id\n'],
    ['an item below an item', 'append', '- a ^id\n- b\n', '- new', '- a ^id\n- new\n- b\n'],
    ['an item below the last one', 'append', '- a\n- b ^id\n# H\n', '- new', '- a\n- b ^id\n- new\n\n# H\n'],
    ['an item above an item', 'prepend', '- a\n  - b ^id\n', '- new', '- a\n  - new\n  - b ^id\n'],
    ['text into an item', 'append', '- a ^id\n- b\n', 'new', '- a ^id\n\n  new\n\n- b\n'],
    ['an item in a quote', 'append', '> - a ^id\n> - b\n', '- new', '> - a ^id\n> - new\n> - b\n'],
  ])('%s: %s', (_what, operation, text, content, expected) => {
    expect(edit(text, operation, content)).toBe(expected);
  });

  it.each<[string, EditOperation, string, string]>([
    ['text above an item', 'prepend', '- a ^id\n', 'new'],
    ['text below an item of a quote', 'append', '> - a ^id\n', 'new'],
    ['an item above one that shares its line', 'prepend', '- - a ^id\n', '- new'],
    ['the same id above it', 'prepend', 'a ^id\n', 'new ^id'],
  ])('is refused: %s', (_what, operation, text, content) => {
    expect(refusal(() => edit(text, operation, content)).code).toBe('invalid_value');
  });

  it('does nothing for blank text', () => {
    expect(edit('a ^id\n', 'append', '\n')).toBe('a ^id\n');
  });
});

describe('deleting a block', () => {
  it.each([
    ['a paragraph', 'a\n\nb ^id\n\nc\n', 'a\n\nc\n'],
    ['the first one', 'b ^id\n\nc\n', 'c\n'],
    ['the last one', 'a\n\nb ^id\n', 'a\n'],
    ['the last one of a note without last line break', 'a\r\n\r\nb ^id', 'a'],
    ['the only one', 'b ^id\n', ''],
    ['an item', '- a\n- b ^id\n- c\n', '- a\n- c\n'],
    ['an item with what is below it', '- a ^id\n  - deep\n- c\n', '- c\n'],
    ['an item of a loose list', '- a\n\n- b ^id\n\n- c\n', '- a\n\n- c\n'],
    ['a table with the id below it', 'a\n\n| a |\n|---|\n\n^id\n\nb\n', 'a\n\nb\n'],
    ['a heading between paragraphs', 'a\n# H ^id\nb\n', 'a\n\nb\n'],
  ])('takes its id along: %s', (_what, text, expected) => {
    expect(edit(text, 'delete')).toBe(expected);
  });
});

it('a block that is missing is never created', () => {
  const error = refusal(() => editBlock(parseNote('a\n'), 'nope', 'append', 'x', { createIfMissing: true }));
  expect(error.code).toBe('no_such_block');
  expect(error.message).toContain('never created');
});

it('ids compare without regard to case, with or without the caret', () => {
  expect(editBlock(parseNote('a ^Id\n'), '^iD', 'replace', 'b').text).toBe('b ^Id\n');
});

describe('an id that several blocks have', () => {
  const NOTE = 'a ^id\n\nb ^other\n\n- c ^ID\n';

  it.each<EditOperation>(['replace', 'append', 'prepend', 'delete'])('names none of them: %s', (operation) => {
    const { code, message } = refusal(() => edit(NOTE, operation, 'new'));
    expect(code).toBe('no_such_block');
    expect(message).toContain('2 blocks (lines 1, 5)');
  });

  it('names none of them for a read either', () => {
    expect(refusal(() => sectionText(parseNote(NOTE), '^id')).code).toBe('no_such_block');
    expect(sectionText(parseNote(NOTE), '^other')).toBe('b ^other');
  });

  it('is not made by an edit', () => {
    expect(refusal(() => edit('a ^id\n', 'append', 'b ^id')).code).toBe('invalid_value');
  });
});

describe('items below an item that is replaced or deleted', () => {
  const NOTE = '- a ^id\n  - b\n    1. c\n  - b\n- next\n';
  const removed = (operation: EditOperation, content: string, text = NOTE) =>
    editBlock(parseNote(text), 'id', operation, content).removedSubsections;

  it('are named as they were written', () => {
    expect(removed('replace', 'new')).toEqual(['- b', '1. c', '- b']);
    expect(removed('delete', '')).toEqual(['- b', '1. c', '- b']);
    expect(removed('delete', '', '---\nk: v\n---\n> - a ^id\n>   - [ ] b\r\n> - next\n')).toEqual(['- [ ] b']);
  });

  it('are not those that the new text has again', () => {
    expect(removed('replace', '- new\n  * b\n  * d')).toEqual(['1. c', '- b']);
    expect(removed('replace', 'new\n  - b\n  - b')).toEqual(['1. c']);
  });

  it.each([['- a ^id\n    - b\n'], ['* a ^id\n   - b\n'], ['- a ^id\n\t- b\n'], ['1. a ^id\n    - b\n']])(
    'are told however far they are indented: %j',
    (text) => {
      expect(removed('delete', '', text)).toEqual(['- b']);
      expect(removed('replace', '- new\n    - b', text)).toEqual([]);
    },
  );

  it('are none for other edits and other blocks', () => {
    expect(removed('append', 'more')).toEqual([]);
    expect(removed('replace', 'new', 'text ^id\n\n- a\n  - b\n')).toEqual([]);
  });
});
