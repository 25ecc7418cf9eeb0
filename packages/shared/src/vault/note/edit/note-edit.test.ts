import { describe, expect, it } from 'vitest';
import { parseNote } from '../parse.ts';
import { editBlock } from './block.ts';
import { appendToNote, setBody } from './body.ts';
import { deleteFrontmatterKey, setFrontmatterKey } from './frontmatter.ts';
import { applyNoteEdit, type NoteEdit } from './note-edit.ts';
import { prependToBody } from './prepend-to-body.ts';
import { replaceText } from './replace-text.ts';
import { editSection } from './section.ts';

const TEXT = '---\nt: red\n---\n# A\nred\n## B\nblue ^id\n';
const note = parseNote(TEXT);
const removedSubsections = ['A', 'B'];

describe('an edit as plain data', () => {
  it.each<[NoteEdit, () => { readonly text: string }]>([
    [{ kind: 'whole', text: 'x' }, () => ({ text: 'x' })],
    [{ kind: 'body', operation: 'append', content: 'x' }, () => appendToNote(note, 'x')],
    [{ kind: 'body', operation: 'prepend', content: 'x' }, () => prependToBody(note, 'x')],
    [{ kind: 'body', operation: 'replace', content: 'x' }, () => ({ ...setBody(note, 'x'), removedSubsections })],
    [{ kind: 'body', operation: 'delete', content: 'x' }, () => ({ ...setBody(note, ''), removedSubsections })],
    [
      { kind: 'section', target: 'A/B', operation: 'replace', content: 'x', options: { delimiter: '/' } },
      () => editSection(note, ['A', 'B'], 'replace', 'x'),
    ],
    [
      { kind: 'section', target: 'C', operation: 'append', content: 'x', options: { createIfMissing: true } },
      () => editSection(note, 'C', 'append', 'x', { createIfMissing: true }),
    ],
    [{ kind: 'block', id: '^id', operation: 'append', content: 'x' }, () => editBlock(note, 'id', 'append', 'x')],
    [
      { kind: 'text', replacement: { find: 'red', replace: 'x', section: 'A' } },
      () => replaceText(note, { find: 'red', replace: 'x', section: 'A' }),
    ],
    [{ kind: 'set-key', key: 'k', value: [1] }, () => setFrontmatterKey(note, 'k', [1])],
    [{ kind: 'set-key', key: 't', value: 'x', operation: 'append' }, () => setFrontmatterKey(note, 't', 'redx')],
    [{ kind: 'set-key', key: 't', value: 'x', operation: 'prepend' }, () => setFrontmatterKey(note, 't', 'xred')],
    [{ kind: 'set-key', key: 'new', value: 'x', operation: 'append' }, () => setFrontmatterKey(note, 'new', 'x')],
    [{ kind: 'delete-key', key: 't' }, () => deleteFrontmatterKey(note, 't')],
    [
      { kind: 'several', edits: [{ kind: 'delete-key', key: 't' }] },
      () => ({ text: deleteFrontmatterKey(note, 't').text }),
    ],
  ])('%j does what the edit of that kind does, also when it was sent elsewhere', (edit, expected) => {
    const outcome = applyNoteEdit(TEXT, structuredClone(edit));
    expect(outcome).toMatchObject(expected());
    expect(outcome.text).not.toBe(TEXT);
    const { from, to } = outcome.edited;
    expect(outcome.text.startsWith(TEXT.slice(0, from)) && outcome.text.endsWith(TEXT.slice(to))).toBe(true);
  });

  it('makes a note of a whole text or one appended, and of nothing else', () => {
    expect(applyNoteEdit(null, { kind: 'whole', text: '\n\nx' }).text).toBe('\n\nx');
    expect(applyNoteEdit(null, { kind: 'body', operation: 'append', content: '\n\nx' }).text).toBe('\n\nx');
    expect(() => applyNoteEdit(null, { kind: 'body', operation: 'replace', content: 'x' })).toThrow(/needs a note/);
    expect(() => applyNoteEdit(null, { kind: 'delete-key', key: 'x' })).toThrow(/needs a note/);
  });

  it('does several one after the other, each on what the one before made, and tells of all that went', () => {
    const outcome = applyNoteEdit(TEXT, {
      kind: 'several',
      edits: [
        { kind: 'section', target: 'A/B', operation: 'replace', content: '### C\nnew', options: { delimiter: '/' } },
        { kind: 'section', target: 'C', operation: 'append', content: 'more' },
        { kind: 'set-key', key: 't', value: 'blue' },
      ],
    });
    expect(outcome.text).toBe('---\nt: blue\n---\n# A\nred\n## B\n\n### C\nnew\n\nmore\n');
    expect(TEXT.slice(outcome.edited.from, outcome.edited.to)).toContain('red');
  });

  it('does nothing of several when one cannot be done', () => {
    const edits = [
      { kind: 'set-key', key: 't', value: 'blue' },
      { kind: 'section', target: 'Nowhere', operation: 'append', content: 'x' },
    ] as const;
    expect(() => applyNoteEdit(TEXT, { kind: 'several', edits })).toThrow(/Nowhere/);
    expect(applyNoteEdit(TEXT, { kind: 'several', edits: [] }).text).toBe(TEXT);
    expect(() => applyNoteEdit(null, { kind: 'several', edits })).toThrow(/needs a note/);
  });
});
