import { applyPatch } from 'diff';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { unifiedDiff } from './unified-diff.ts';

describe('a diff', () => {
  it('reads like one of every other tool', () => {
    expect(unifiedDiff('a b.md', 'one\ntwo\n', 'one\n2\n')).toBe(
      '--- a/a b.md\n+++ b/a b.md\n@@ -1,2 +1,2 @@\n one\n-two\n+2\n',
    );
  });

  it('shows a new file against nothing, and nothing for no change', () => {
    expect(unifiedDiff('n.md', null, 'one\n')).toBe('--- /dev/null\n+++ b/n.md\n@@ -0,0 +1,1 @@\n+one\n');
    expect(unifiedDiff('n.md', 'one\n', 'one\n')).toBe('');
  });

  it('is coarse but right for texts that differ in thousands of lines', () => {
    const lines = (word: string) => Array.from({ length: 5000 }, (_, i) => `${word} ${(i * 7919) % 5000}`);
    const before = ['same', ...lines('old'), 'end', 'last'].join('\n');
    const after = ['same', ...lines('new'), 'end', 'last'].join('\n');
    const diff = unifiedDiff('n.md', before, after);
    expect(applyPatch(before, diff)).toBe(after);
    expect(diff.match(/^@@/gm)).toHaveLength(1);
    const grown = `${after}\n`;
    expect(applyPatch(before, unifiedDiff('n.md', before, grown))).toBe(grown);
    expect(applyPatch('', unifiedDiff('n.md', '', after))).toBe(after);
  });

  it('makes of the old text the new one, whatever they are', () => {
    const text = fc.array(fc.constantFrom('a', 'b', '', '# H', '\\ No newline', '-x', '\r'), { maxLength: 12 });
    fc.assert(
      fc.property(text, text, (a, b) => {
        const [before, after] = [a.join('\n'), b.join('\n')];
        if (before === after) return;
        expect(applyPatch(before, unifiedDiff('n.md', before, after), { autoConvertLineEndings: false })).toBe(after);
      }),
    );
  });
});
