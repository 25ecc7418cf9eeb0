import { describe, expect, it } from 'vitest';
import { listItems } from './list-items.ts';
import { parseStructure } from './parse.ts';

function itemsOf(text: string): { line: number; whole: string; text: string }[] {
  return listItems(parseStructure(text)).map(({ line, range, textRange }) => ({
    line,
    whole: text.slice(range.from, range.to),
    text: text.slice(textRange.from, textRange.to),
  }));
}

const textsOf = (text: string) => itemsOf(text).map((item) => item.text);

describe('the items of a note', () => {
  it('are found in lists of every kind, nested ones too, with their lines', () => {
    expect(itemsOf('---\ntitle: x\n---\n\n# H\n\n- one\n  - two\n\n1. three\n* four\n')).toEqual([
      { line: 7, whole: '- one', text: 'one' },
      { line: 8, whole: '- two', text: 'two' },
      { line: 10, whole: '1. three', text: 'three' },
      { line: 11, whole: '* four', text: 'four' },
    ]);
  });

  it('begin behind the box of a task', () => {
    expect(textsOf('- [ ] open\n- [x]   done\n')).toEqual(['open', 'done']);
  });

  it('have the text of their first paragraph, over several lines, and not what stands below', () => {
    expect(textsOf('- one\n  goes on\n\n  second paragraph\n  - nested\n')).toEqual(['one\n  goes on', 'nested']);
  });

  it('are the same with line ends of Windows', () => {
    expect(itemsOf('a\r\n\r\n- one\r\n- two\r\n')).toEqual([
      { line: 3, whole: '- one', text: 'one' },
      { line: 4, whole: '- two', text: 'two' },
    ]);
  });

  it('are none in code, in a comment, in frontmatter or in the middle of a paragraph', () => {
    expect(textsOf('```\n- code\n```\n\n    - indented\n\n%%\n- hidden\n%%\n\ntext - no item\n')).toEqual([]);
    expect(textsOf('---\nlist:\n- yaml\n---\nBody.\n')).toEqual([]);
    expect(textsOf('Text %% hides\n\n- hidden\n\nuntil %% here\n\n- seen\n')).toEqual(['seen']);
  });

  it('that begin with something else than text are left out', () => {
    expect(textsOf('- # heading\n- \n- ```\n  code\n  ```\n- - nested\n')).toEqual(['nested']);
  });

  it('are found in quotes', () => {
    expect(textsOf('> - quoted\n> - again\n')).toEqual(['quoted', 'again']);
  });
});
