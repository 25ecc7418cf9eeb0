import { describe, expect, it } from 'vitest';
import type { VaultPath } from '../path.ts';
import { obsidianChoice } from './obsidian-choice.ts';

const choose = (candidates: readonly string[], from: string) =>
  obsidianChoice(candidates as VaultPath[], from as VaultPath);

describe('of several files that a link could mean, Obsidian opens', () => {
  it.each([
    ['the one beside the note', ['b/Note.md', 'zzzz/Note.md'], 'zzzz/src.md', 'zzzz/Note.md'],
    ['no other for standing above the note', ['b/Note.md', 'zzzz/Note.md'], 'zzzz/deep/src.md', 'b/Note.md'],
    ['the shortest path, not that of fewest folders', ['zzzz/Note.md', 'a/b/Note.md'], 'src.md', 'a/b/Note.md'],
    ['the shortest of those beside the note', ['f/Note.md', 'f/Note', 'Note.md'], 'f/src.md', 'f/Note'],
    ['one of equally short ones, always the same', ['b/Note.md', 'a/Note.md'], 'src.md', 'a/Note.md'],
  ])('%s', (_, candidates, from, chosen) => {
    expect(choose(candidates, from)).toBe(chosen);
    expect(choose([...candidates].reverse(), from)).toBe(chosen);
  });
});
