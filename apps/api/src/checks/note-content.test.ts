import { describe, expect, it } from 'vitest';
import { noteContent } from './note-content.ts';

const contentOf = (...lines: string[]) => noteContent(lines.join('\n'));

describe('what the checks need of a note', () => {
  it('is little of a note with nothing in it, and grows with what is', () => {
    const plain = contentOf('# A', 'text'.repeat(1000));
    expect(plain).toMatchObject({ callouts: [], repeatedHeadings: [], expiryProblems: [] });
    expect(contentOf('> [!todo] Call', `> ${'text '.repeat(1000)}`).weight).toBeGreaterThan(plain.weight + 4000);
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
