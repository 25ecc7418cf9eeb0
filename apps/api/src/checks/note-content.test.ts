import { describe, expect, it } from 'vitest';
import { noteContent } from './note-content.ts';

const contentOf = (...lines: string[]) => noteContent(lines.join('\n'), 'Note.md');

describe('what the checks need of a note', () => {
  it('is little of a note with nothing in it, and grows with what is', () => {
    const plain = contentOf('# A', 'text'.repeat(1000));
    expect(plain).toMatchObject({ callouts: [], repeatedHeadings: [], expiryProblems: [] });
    expect(contentOf('> [!todo] Call', `> ${'text '.repeat(1000)}`).weight).toBeGreaterThan(plain.weight + 4000);
  });

  it('is nothing of the index page that is generated, and all of a person’s own', () => {
    const page = (mark: string) => `---\ngenerated_by: ${mark}\n---\n# A\n\n# A\n\n> [!todo] Paint\n`;
    for (const path of ['index.md', 'Index.md']) {
      expect(noteContent(page('vault-mcp'), path)).toMatchObject({ callouts: [], repeatedHeadings: [] });
    }
    for (const [path, mark] of [
      ['index.md', 'me'],
      ['House/index.md', 'vault-mcp'],
    ] as const)
      expect(noteContent(page(mark), path)).toMatchObject({ callouts: [{ title: 'Paint' }] });
  });

  it('is why its frontmatter cannot be used', () => {
    expect(contentOf('---', 'a: [', '---').frontmatterError).toMatch(/line \d/);
    expect(contentOf('---', 'a: 1', '---')).not.toHaveProperty('frontmatterError');
  });

  it('is what is wrong with its dates', () => {
    expect(contentOf('---', 'expires: [2026-02-30, 2026-03-01]', '---').expiryProblems).toEqual([
      expect.stringContaining('"2026-02-30" is no day'),
    ]);
  });

  it('is which headings have the same path, whatever their case and markup', () => {
    const { repeatedHeadings } = contentOf('# A', '## Log', '# B', '## Log', '## *log*', '# A', '## log', '### Log');
    expect(repeatedHeadings).toEqual([
      { path: 'A', lines: [1, 6], count: 2 },
      { path: 'A::Log', lines: [2, 7], count: 2 },
      { path: 'B::Log', lines: [4, 5], count: 2 },
    ]);
  });
});
