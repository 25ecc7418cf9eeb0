import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { AppError } from '../../../errors.ts';
import { parseNote } from '../parse.ts';
import { occurrences } from './occurrences.ts';
import { replaceText, type TextReplacement } from './replace-text.ts';

const replace = (text: string, replacement: TextReplacement) => replaceText(parseNote(text), replacement).text;
const refusal = (text: string, replacement: TextReplacement): AppError => {
  try {
    replace(text, replacement);
  } catch (thrown) {
    return thrown as AppError;
  }
  throw new Error('nothing was refused');
};

const TEXT = '---\nt: red\n---\n# A\nred $& a.c\n## B\nred\n\npara red ^id\n';

describe('literal text', () => {
  it('is replaced where it is, and nothing in it is special', () => {
    expect(replace('a.c abc (x\n', { find: 'a.c', replace: "$& $1 $'" })).toBe("$& $1 $' abc (x\n");
  });

  it('is replaced everywhere when it is there as often as expected', () => {
    expect(replace(TEXT, { find: 'red', replace: 'blue', count: 3 })).toBe(
      '---\nt: red\n---\n# A\nblue $& a.c\n## B\nblue\n\npara blue ^id\n',
    );
  });

  it('may be deleted', () => {
    expect(replace('one two three\n', { find: 'two ', replace: '' })).toBe('one three\n');
  });

  it('has line breaks of the note’s style, whichever it was sent with', () => {
    expect(replace('a\r\nb\r\nc\r\n', { find: 'a\nb', replace: 'x\ny\nz' })).toBe('x\r\ny\r\nz\r\nc\r\n');
    expect(replace('a\nb\r\nc\n', { find: 'a\r\nb\n', replace: 'x\r\n' })).toBe('x\nc\n');
  });

  it('never splits a line break', () => {
    expect(refusal('a\r\nb', { find: 'a\r', replace: 'x' }).code).toBe('no_such_text');
  });
});

describe('how often it is there', () => {
  it('is told with the lines when it is not what was expected', () => {
    const { code, message } = refusal(TEXT, { find: 'red', replace: 'x' });
    expect(code).toBe('ambiguous_text');
    expect(message).toMatch(/3 times \(lines 5, 7, 9\), not once/);
    expect(refusal(TEXT, { find: 'para', replace: 'x', count: 2 }).message).toMatch(/once \(line 9\), not 2 times/);
  });

  it('names no more than 30 lines', () => {
    expect(refusal('x\n'.repeat(100), { find: 'x', replace: 'y' }).message).toContain('30 and 70 more)');
  });

  it('is told when it is not there at all', () => {
    const { code, message } = refusal(TEXT, { find: 'green', replace: 'x' });
    expect(code).toBe('no_such_text');
    expect(message).toMatch(/not there in this note \(0 times, expected once\)/);
  });

  it('counts places from the left that do not overlap', () => {
    expect(replace('aaaa\n', { find: 'aa', replace: 'b', count: 2 })).toBe('bb\n');
    expect(replace('aaa\n', { find: 'aa', replace: 'b' })).toBe('ba\n');
    expect(refusal('ababa aba\n', { find: 'aba', replace: 'x' }).message).toContain('2 times');
  });
});

describe('where it is looked for', () => {
  it('is not the frontmatter unless asked for', () => {
    const { code, message } = refusal(TEXT, { find: 't: red', replace: 't: blue' });
    expect(code).toBe('no_such_text');
    expect(message).toContain('in the frontmatter (line 2), which is searched only with "include_frontmatter": true');
    expect(replace(TEXT, { find: 't: red', replace: 't: blue', includeFrontmatter: true })).toContain('t: blue\n---');
  });

  it('is one section or block when that is named', () => {
    expect(replace(TEXT, { find: 'red', replace: 'x', section: 'A::B', count: 2 })).toContain('## B\nx\n\npara x ^id');
    expect(replace(TEXT, { find: 'red', replace: 'x', section: '^id' })).toContain('red\n\npara x ^id');
    expect(replace(TEXT, { find: '## B', replace: '## C', section: ['A', 'B'] })).toContain('## C\nred');
    expect(refusal(TEXT, { find: 'red', replace: 'x', section: 'Z' }).code).toBe('no_such_heading');
    expect(refusal(TEXT, { find: '$&', replace: 'x', section: 'B' }).message).toMatch(/in that section.*line 5/);
  });

  it('must leave frontmatter readable that was', () => {
    const broken = (find: string, text: string) =>
      refusal(TEXT, { find, replace: text, includeFrontmatter: true }).code;
    expect(broken('t: red', 't: [')).toBe('invalid_value');
    expect(broken('---\nt', 't')).toBe('invalid_value');
    expect(replace('---\nt: [\n---\n', { find: '[', replace: '1', includeFrontmatter: true })).toBe('---\nt: 1\n---\n');
  });

  it('never turns the body’s beginning into frontmatter', () => {
    expect(refusal('***\na\n---\n', { find: '***', replace: '---' }).code).toBe('invalid_value');
  });
});

describe('a text that would hide the headings below or above it', () => {
  const NOTE = '# A\n\none\n\n## B\n\ntwo\n\nSet\n===\n';

  it.each([
    ['one', '```\none'],
    ['one', '<!-- one'],
    ['two', '%%\ntwo'],
  ])('is refused: %j by %j', (find, text) => {
    const { code, message } = refusal(NOTE, { find, replace: text });
    expect(code).toBe('invalid_value');
    expect(message).toMatch(/heading "(?:B|Set)"/);
  });

  it('may change the headings that it stands in', () => {
    expect(replace(NOTE, { find: '# B', replace: '## B' })).toContain('\n### B');
    expect(replace(NOTE, { find: '## B', replace: 'B' })).toContain('\n\nB\n');
    expect(replace(NOTE, { find: '===', replace: '---' })).toContain('Set\n---');
  });
});

describe('a text that would be longer than a note may be', () => {
  it('is refused before it is made', () => {
    const text = 'x'.repeat(20_000);
    const { code, message } = refusal(text, { find: 'x', replace: 'y'.repeat(40_000), count: 20_000 });
    expect(code).toBe('note_too_large');
    expect(message).toContain('With all 20000 replaced the note would have 800000000 bytes or more');
  });

  it('is told by the limit for notes where there is one', () => {
    const call = { find: 'x', replace: 'yy', maxBytes: 8 };
    expect(replace('x1234567'.slice(0, 7), call)).toBe('yy123456');
    expect(refusal('x1234567', call).code).toBe('note_too_large');
    expect(replace('x1234567', { ...call, replace: '' })).toBe('1234567');
    // As many line ends as the note's own style takes.
    expect(refusal('x\r\n1234', { ...call, replace: '\n\n' }).code).toBe('note_too_large');
  });
});

describe('a request that means nothing', () => {
  it.each<Partial<TextReplacement>>([{ find: '' }, { count: 0 }, { count: 1.5 }, { count: Number.NaN }])(
    'is refused: %j',
    (part) => {
      expect(refusal(TEXT, { find: 'red', replace: 'x', ...part }).code).toBe('invalid_request');
    },
  );

  it('cannot be written to a file', () => {
    expect(refusal(TEXT, { find: '$&', replace: '\udc00' }).code).toBe('invalid_value');
    expect(refusal(TEXT, { find: '\ud83d', replace: 'x' }).code).toBe('invalid_value');
  });
});

describe('the search', () => {
  it('finds what a plain one finds', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'b', '\n'), maxLength: 60 });
    fc.assert(
      fc.property(
        text,
        fc.string({ unit: fc.constantFrom('a', 'b', '\n'), minLength: 1, maxLength: 5 }),
        (hay, needle) => {
          const found = occurrences(hay, needle, { from: 0, to: hay.length });
          expect(found.length).toBe(hay.split(needle).length - 1);
          for (const { from, to } of found) expect(hay.slice(from, to)).toBe(needle);
        },
      ),
    );
  });

  it('needs no more time for texts made to be slow', () => {
    // The engine's own search takes minutes here.
    const half = 'a'.repeat(500_000);
    const hay = half.repeat(8);
    expect(occurrences(hay, `${half}b${half}`, { from: 0, to: hay.length })).toEqual([]);
  });
});
