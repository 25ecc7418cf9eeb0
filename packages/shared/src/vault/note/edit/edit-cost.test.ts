import { describe, expect, it } from 'vitest';
import { editCost } from './edit-cost.ts';
import type { NoteEdit } from './note-edit.ts';

const BLOCK = 'title: x\n'.repeat(100);
const NOTE = `---\n${BLOCK}---\n${'text\n'.repeat(1000)}`;
const append = (content: string): NoteEdit => ({ kind: 'body', operation: 'append', content });

describe('what an edit has to read', () => {
  it.each<[string, boolean]>([
    ['text', false],
    ['**bold**', true],
    ['\n  - item', true],
    ['1) item', true],
    ['| cell |', true],
    ['', false],
  ])('is the note as markdown for %j appended: %s', (content, isParsed) => {
    expect(editCost(NOTE, append(content)).markdown > 0).toBe(isParsed);
  });

  it.each<NoteEdit>([
    { kind: 'whole', text: 'x' },
    { kind: 'set-key', key: 'a', value: 'x' },
    { kind: 'delete-key', key: 'a' },
  ])('is the block alone for %j', (edit) => {
    const { markdown, yaml } = editCost(NOTE, edit);
    expect(markdown).toBe(0);
    expect(yaml).toBeGreaterThanOrEqual(BLOCK.length);
    expect(yaml).toBeLessThan(4 * BLOCK.length);
  });

  it.each<NoteEdit>([
    { kind: 'section', target: 'A', operation: 'append', content: 'x' },
    { kind: 'body', operation: 'replace', content: 'x' },
  ])('is all of it, before and after, for a part of the note: %j', (edit) => {
    expect(editCost(NOTE, edit).markdown).toBeGreaterThan(2 * NOTE.length);
  });

  it('counts what becomes a block, or is closed to one', () => {
    expect(editCost(null, { kind: 'whole', text: NOTE }).yaml).toBeGreaterThan(BLOCK.length);
    expect(editCost(`---\n${BLOCK}`, append('---')).yaml).toBeGreaterThan(BLOCK.length);
    const value = { kind: 'set-key', key: 'a', value: ['x'.repeat(5000)] } as const;
    expect(editCost('---\na: 1\n---\n', value).yaml).toBeGreaterThan(5000);
    expect(editCost(`---\n${'x'.repeat(200_000)}\n---\n`, append('x')).yaml).toBe(0);
  });

  it('counts what a short request makes of a note', () => {
    const replacement = { find: 'x', replace: 'y'.repeat(1000), count: 1000 };
    expect(editCost('x'.repeat(1000), { kind: 'text', replacement }).copied).toBeGreaterThan(999_000);
  });

  it('counts for several what each of them reads, and what those before it brought', () => {
    const key = { kind: 'set-key', key: 'a', value: 'x' } as const;
    const several = (...edits: Extract<NoteEdit, { kind: 'several' }>['edits']) =>
      editCost(NOTE, { kind: 'several', edits });
    const body = { kind: 'body', operation: 'replace', content: 'x' } as const;
    expect(several(key, key).markdown).toBe(0);
    expect(several(key, key).yaml).toBeGreaterThanOrEqual(2 * editCost(NOTE, key).yaml);
    expect(several(body, key).markdown).toBeGreaterThanOrEqual(editCost(NOTE, body).markdown);
    const large = { kind: 'set-key', key: 'b', value: 'x'.repeat(5000) } as const;
    expect(several(large, key).yaml - several(key, key).yaml).toBeGreaterThan(10_000);
    const long = { kind: 'body', operation: 'append', content: 'x'.repeat(5000) } as const;
    expect(several(long, body).markdown - several(key, body).markdown).toBeGreaterThan(5000);
  });
});
