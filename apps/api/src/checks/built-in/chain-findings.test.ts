import type { VaultPath } from '@vault-mcp/shared/vault/path';
import { describe, expect, it } from 'vitest';
import { chainFindings } from './chain-findings.ts';

describe('notes whose successors lead astray', () => {
  it('are told each with what is wrong', () => {
    const { findings, counts } = chainFindings([
      { problem: 'dangling', path: 'A.md', written: ' [[Gone]] ' },
      { problem: 'ambiguous', path: 'B.md', written: 'Roof', candidates: ['x/Roof.md', 'y/Roof.md'] as VaultPath[] },
      { problem: 'self', path: 'C.md', written: '[[C]]' },
      { problem: 'cycle', path: 'D.md', members: ['D.md', 'E.md'] },
    ]);
    expect(findings.map(({ code, path, message }) => `${code} ${path}: ${message}`)).toEqual([
      'superseded_dangling A.md: It says that "[[Gone]]" stands for it now, which leads nowhere.',
      'superseded_ambiguous B.md: It says that "Roof" stands for it now, which could mean x/Roof.md, y/Roof.md.',
      'superseded_self C.md: It says that it stands for itself, so search leaves it out and names no other.',
      'superseded_cycle D.md: These supersede each other in a circle, so search leaves out all of them: D.md → E.md.',
    ]);
    expect(counts).toEqual({ error: 0, warning: 4, info: 0 });
  });

  it('do not bury the reader under a long circle or a long text', () => {
    const members = Array.from({ length: 30 }, (_, n) => `${n}.md`);
    const { findings } = chainFindings([
      { problem: 'cycle', path: '0.md', members },
      { problem: 'dangling', path: 'A.md', written: 'x'.repeat(5_000) },
    ]);
    expect(findings[0]?.message).toMatch(/9\.md and 20 more\.$/);
    expect(findings[1]?.message.length).toBeLessThan(200);
  });

  it('keep their ids while others come to a circle behind its first', () => {
    const idOf = (...members: string[]) => chainFindings([{ problem: 'cycle', path: 'A.md', members }]).findings[0]?.id;
    expect(idOf('A.md', 'B.md')).toBe(idOf('A.md', 'C.md', 'B.md'));
  });
});
