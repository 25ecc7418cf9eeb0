import { describe, expect, it } from 'vitest';
import { createPathRules } from './path-rules.ts';

const rules = createPathRules({
  docSuffixes: ['.pdf'],
  excludeDirs: ['Archive', '/Drafts/Old/', 'Views.md'],
  ignore: ['*.sync-conflict-*', '*conflicted copy*'],
});

describe('which paths the index holds', () => {
  it.each([
    ['a note', 'Home.md', 'note', true],
    ['a document', 'Files/bill.pdf', 'document', true],
    ['an attachment', 'picture.png', 'attachment', false],
    ['a folder', 'Folder.md', 'folder', false],
    ['a dotted folder', '.obsidian/a.md', 'note', false],
    ['a dotted file', 'a/.b.md', 'note', false],
    ['an excluded folder, in any case', 'ARCHIVE/a.md', 'note', false],
    ['an excluded folder below another', 'Drafts/Old/deep/a.md', 'note', false],
    ['a folder that only begins like an excluded one', 'Archive2/a.md', 'note', true],
    ['an excluded note', 'Views.md', 'note', false],
    ['a conflict copy', 'a.sync-conflict-2026.md', 'note', false],
    ['a conflict copy with spaces', "a (Ada's conflicted copy).md", 'note', false],
  ] as const)('%s: %s', (_name, path, kind, expected) => {
    expect(rules.indexes(path, kind)).toBe(expected);
  });
});
