import { describe, expect, it } from 'vitest';
import { AppError } from '../../errors.ts';
import { parseVaultPath, type VaultPath } from '../path.ts';
import { editBlock } from './edit/block.ts';
import { applyNoteEdit, type NoteEdit } from './edit/note-edit.ts';
import { replaceText } from './edit/replace-text.ts';
import { editSection } from './edit/section.ts';
import { parseNote } from './parse.ts';
import { relocate } from './relocation.ts';
import { rewriteLinks } from './rewrite-links.ts';
import { sectionText } from './sections.ts';
import { createVaultNames } from './vault-names.ts';
import { missingStructure } from './whole-structure.ts';

const MARKS = '>'.repeat(60);
/** More quote marks than get structure: the quickest way to have too much of it. */
const QUOTES = `${MARKS} a\n${MARKS}\n`.repeat(4000);
const LINES = 8000;
/** The quotes, then a heading, code and a block that nobody sees. */
const NOTE = [
  '---\nto: "[[old]]"\n---\n# T\n\n[[old]] known ^early\n\n',
  QUOTES,
  '\n# End\n\nimportant [[old]] ^late\n\n    [[old]] in code\n',
].join('');

function refusal(run: () => unknown): AppError {
  try {
    run();
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
  throw new Error('nothing was refused');
}

describe('a note of more blocks than are read', () => {
  const note = parseNote(NOTE);

  it.each([
    ['a section', () => editSection(note, 'T', 'replace', 'short')],
    ['a heading to be made', () => editSection(note, 'End', 'append', 'x', { createIfMissing: true })],
    ['a block that is known', () => editBlock(note, '^early', 'delete', '')],
    ['a block that is not', () => editBlock(note, 'late', 'replace', 'x')],
    ['a text in a section', () => replaceText(note, { find: 'known', replace: 'x', section: 'T' })],
    ['a text in a block', () => replaceText(note, { find: 'known', replace: 'x', section: '^early' })],
  ])('is not edited by %s', (_what, edit) => {
    const { code, message } = refusal(edit);
    expect(code).toBe('note_too_large');
    expect(message).toMatch(/known only up to line \d+\. So no part of it can be named: read it whole/);
  });

  it.each(['T', 'End', '^early', '^late'])('is not read by %j', (target) => {
    expect(refusal(() => sectionText(note, target)).code).toBe('note_too_large');
  });

  it('is edited by text, by metadata and as a whole', () => {
    const edits: [NoteEdit, string][] = [
      [{ kind: 'text', replacement: { find: 'important', replace: 'dear' } }, NOTE.replace('important', 'dear')],
      [{ kind: 'body', operation: 'append', content: 'End.' }, `${NOTE}\nEnd.\n`],
      [{ kind: 'set-key', key: 'to', value: 'b' }, NOTE.replace('"[[old]]"', 'b')],
      [{ kind: 'whole', text: 'short' }, 'short'],
    ];
    for (const [edit, expected] of edits) expect(applyNoteEdit(NOTE, edit).text === expected).toBe(true);
  });

  it('has its links follow a move as far as they are known, and the others reported', () => {
    const names = createVaultNames(['a.md', 'old.md'].map((path) => parseVaultPath(path)));
    const moved = relocate(names, 'old.md' as VaultPath, 'new.md' as VaultPath, null);
    const { text, breaking, left, changedLines } = rewriteLinks(NOTE, 'a.md' as VaultPath, moved);
    const [known, beyond] = [text.slice(0, 1000), text.slice(-100)];
    expect(known).toBe(NOTE.slice(0, 1000).replaceAll('[[old]]', '[[new]]'));
    expect(beyond).toBe(NOTE.slice(-100));
    expect(changedLines).toEqual([2, 6]);
    expect(breaking).toBe(4);
    expect(left.map(({ line }) => line)).toEqual([LINES + 11, LINES + 13]);
    expect(left[0]?.reason).toContain('too many lines');
  });

  it('is not made by an edit of a part, since what follows could not be seen to stay', () => {
    const edit = () => editSection(parseNote('# A\n\n# B\n'), 'A', 'append', QUOTES);
    expect(refusal(edit).code).toBe('note_too_large');
  });
});

it('a note that is read to its end is not in want of any structure', () => {
  for (const text of ['', 'a', '# A\r\n\r\na', '---\na: 1\n---\n', '%% a', '\uFEFF\n\n']) {
    expect(missingStructure(parseNote(text))).toBeUndefined();
  }
});
