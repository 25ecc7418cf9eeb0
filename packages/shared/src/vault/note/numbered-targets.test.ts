import { describe, expect, it } from 'vitest';
import { resolveHeading } from './headings.ts';
import { parseNote } from './parse.ts';

const resolve = (text: string, target: string) => resolveHeading(parseNote(text), target);

describe('a number inside a target', () => {
  it.each([
    ['A[2]::New', 9],
    ['A[2]::New[1]', 9],
    ['A[1]::New[2]', 5],
    ['A[2]::Deep::New', 13],
    ['# A[2]::## New', 9],
    ['A[2]::Deep[1]::New', 13],
    ['B[1]::New', 17],
  ])('finds what stands right below one of several alike: %j', (target, line) => {
    const headings = ['# A', '## New', '## New', '# A', '## New', '## Deep', '### New', '# B[1]', '## New'];
    const note = parseNote(headings.map((heading) => `${heading}\n\n`).join(''));
    expect(resolveHeading(note, target).line).toBe(line);
    expect(resolveHeading(note, target.split('::')).line).toBe(line);
  });

  it('finds nothing below one of several alike that does not have it', () => {
    const note = '# A\n## New\n# A\n## Other\n';
    for (const target of ['A[2]::New', 'A[1]::Other', 'A[1]::New[2]', 'A[3]::New', 'A[1]::A[2]']) {
      expect(() => resolve(note, target)).toThrow(expect.objectContaining({ code: 'no_such_heading' }));
    }
    expect(() => resolve(note, 'A[3]::New')).toThrow(/only 2 of that name/);
    expect(() => resolve('# A\n## New\n## New\n# A\n', 'A[1]::New')).toThrow(
      expect.objectContaining({ code: 'ambiguous_heading' }),
    );
  });
});
