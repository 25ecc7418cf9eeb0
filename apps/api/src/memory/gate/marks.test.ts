import { applyNoteEdit } from '@vault-mcp/shared/vault/note/edit/note-edit';
import { parseNote } from '@vault-mcp/shared/vault/note/parse';
import type { VaultPath } from '@vault-mcp/shared/vault/path';
import { describe, expect, test } from 'vitest';
import { markTarget, supersededByEdit, supersedesEdit, together } from './marks.ts';

const path = (text: string) => text as VaultPath;

describe('a mark', () => {
  test('is a link by the whole path, and the path where no link holds it', () => {
    expect(markTarget(path('Facts/ada lovelace.md'))).toBe('[[Facts/ada lovelace]]');
    expect(markTarget(path('A.MD'))).toBe('[[A]]');
    expect(markTarget(path('Facts/a [1].md'))).toBe('Facts/a [1].md');
    expect(markTarget(path('C#/x.md'))).toBe('C#/x.md');
  });

  test('is read back as a link from the note it was set in', () => {
    const { text } = applyNoteEdit('old\n', supersededByEdit(path('Facts/new.md')));
    expect(text).toBe('---\nsuperseded_by: "[[Facts/new]]"\n---\nold\n');
    expect(parseNote(text).links).toMatchObject([{ target: 'Facts/new', inFrontmatter: true }]);
  });

  test('of several old notes is one list, which goes with the last of them', () => {
    const paths = [path('A/x.md'), path('A/y.md')];
    const { text } = applyNoteEdit('---\ntitle: n\n---\nnew\n', supersedesEdit(paths));
    expect(parseNote(text).frontmatter.data.supersedes).toEqual(['[[A/x]]', '[[A/y]]']);
    const less = applyNoteEdit(text, supersedesEdit(paths.slice(1))).text;
    expect(parseNote(less).frontmatter.data.supersedes).toEqual(['[[A/y]]']);
    expect(applyNoteEdit(less, together([supersedesEdit([])])).text).toBe('---\ntitle: n\n---\nnew\n');
  });
});
