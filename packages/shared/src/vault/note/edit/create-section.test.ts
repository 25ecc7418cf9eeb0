import { describe, expect, it } from 'vitest';
import type { AppError } from '../../../errors.ts';
import { resolveHeading } from '../headings.ts';
import { parseNote } from '../parse.ts';
import { editSection, type SectionEdit } from './section.ts';

const refusal = (act: () => unknown): AppError => {
  try {
    act();
  } catch (thrown) {
    return thrown as AppError;
  }
  throw new Error('nothing was refused');
};

describe('a missing heading', () => {
  const create = (text: string, target: string | string[], content = 'new', options: SectionEdit = {}) =>
    editSection(parseNote(text), target, 'append', content, { createIfMissing: true, ...options });

  it.each<[string, string | string[], string, string[]]>([
    ['# A\na\n# B\n', 'A::N', '# A\na\n\n## N\n\nnew\n\n# B\n', ['N']],
    ['# A\na\n# B\n', 'A::N::M', '# A\na\n\n## N\n\n### M\n\nnew\n\n# B\n', ['N', 'M']],
    ['# A\n## S\ns\n# B\n', ['A', 'T'], '# A\n## S\ns\n\n## T\n\nnew\n\n# B\n', ['T']],
    ['# A\n## S\ns\n', 'S::N', '# A\n## S\ns\n\n### N\n\nnew\n', ['N']],
    ['text\n', 'N', 'text\n\n# N\n\nnew\n', ['N']],
    ['', '## N', '# N\n\nnew', ['N']],
    ['\ufeff', 'N', '\ufeff# N\n\nnew', ['N']],
    ['---\nt: 1\n---\n', 'N', '---\nt: 1\n---\n\n# N\n\nnew\n', ['N']],
    ['# A\n', 'A::x\\::y', '# A\n\n## x::y\n\nnew\n', ['x\\::y']],
    ['# A\n', 'A::x\\\\\\::y', '# A\n\n## x\\::y\n\nnew\n', ['x\\\\\\::y']],
    ['# A\n', '# A :: ## N ', '# A\n\n## N\n\nnew\n', ['N']],
    ['# A\na\n# A\nb\n# C\n', 'A[2]::N', '# A\na\n# A\nb\n\n## N\n\nnew\n\n# C\n', ['N']],
    ['# A\n## N\na\n# A\nb\n', 'A[2]::N', '# A\n## N\na\n# A\nb\n\n## N\n\nnew\n', ['A::N[2]']],
    ['# A\n# A\n## B\n', 'A[2]::B::N', '# A\n# A\n## B\n\n### N\n\nnew\n', ['N']],
    ['One\n===\r\na', 'One::N', 'One\n===\r\na\r\n\r\n## N\r\n\r\nnew', ['N']],
  ])('of %j by %j is made at the end of the nearest section', (text, target, expected, made) => {
    const outcome = create(text, target);
    expect(outcome.text).toBe(expected);
    expect(outcome.createdHeadings).toEqual(made);
    // As they are told, they can be asked for.
    const after = parseNote(outcome.text);
    expect(made.map((one) => resolveHeading(after, one).marker.from >= outcome.edited.from)).toEqual(
      made.map(() => true),
    );
  });

  it('is used when it is there', () => {
    expect(create('# A\n', 'A').text).toBe('# A\n\nnew\n');
    expect(create('# A\n', 'A').createdHeadings).toEqual([]);
  });

  it('is made without text when there is none', () => {
    expect(create('# A\n', 'A::N', '').text).toBe('# A\n\n## N\n');
  });

  it('is never made for a delete, a heading line or a whole section', () => {
    const note = parseNote('# A\n');
    for (const [operation, scope] of [
      ['delete', 'content'],
      ['replace', 'marker'],
      ['replace', 'markerAndContent'],
    ] as const) {
      const act = () => editSection(note, 'N', operation, '# N', { scope, createIfMissing: true });
      expect(refusal(act).code).toBe('no_such_heading');
    }
  });

  it.each<[string, string, string]>([
    ['# A\n', 'A[2]', 'no_such_heading'],
    ['# A\n# A\n', 'A[3]::N', 'no_such_heading'],
    ['# A\n# A\n', 'A::N', 'ambiguous_heading'],
    ['# A\n', 'A[2]::N::M', 'no_such_heading'],
    ['# A\n## X\n# B\n## X\n', 'X::N', 'ambiguous_heading'],
    ['###### A\n', 'A::N', 'invalid_value'],
    ['# A\n', 'A::B::C::D::E::F::G', 'invalid_value'],
    ['# A\n', 'A::', 'invalid_value'],
    ['# A\n', 'A::two\nlines', 'invalid_value'],
    ['# A\n', 'A::closed #', 'invalid_value'],
    ['# A\n```\n', 'A::N', 'invalid_value'],
  ])('of %j cannot be made by %j', (text, target, code) => {
    expect(refusal(() => create(text, target)).code).toBe(code);
  });
});
