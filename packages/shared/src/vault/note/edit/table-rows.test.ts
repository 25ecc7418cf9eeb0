import { describe, expect, it } from 'vitest';
import { parseNote } from '../parse.ts';
import { type EditOperation, editSection } from './section.ts';

const edit = (text: string, target: string, operation: EditOperation, content: string) =>
  editSection(parseNote(text), target, operation, content);

describe('rows for the table that a section ends in', () => {
  const NOTE = '# A\n\n| x | y |\n|---|---|\n| 1 | 2 |\n\n# B\n';

  it('become part of it, again and again', () => {
    const once = edit(NOTE, 'A', 'append', '| 3 | 4 |\n').text;
    expect(once).toBe(NOTE.replace('| 2 |\n', '| 2 |\n| 3 | 4 |\n'));
    expect(edit(once, 'A', 'append', '| 5 | 6 |').text).toBe(once.replace('| 4 |\n', '| 4 |\n| 5 | 6 |\n'));
  });

  it('stay apart from it when they are put above', () => {
    expect(edit(NOTE, 'A', 'prepend', '| 3 | 4 |').text).toBe(NOTE.replace('| x', '| 3 | 4 |\n\n| x'));
  });
});
