/** Random blocks × random keys and values: what was set is read back, and no other line of the block is another. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { AppError } from '../../../errors.ts';
import { parseFrontmatter } from '../frontmatter.ts';
import { parseNote } from '../parse.ts';
import { deleteFrontmatterKey, setFrontmatterKey } from './frontmatter.ts';

const set = (text: string, key: string, value: unknown) => setFrontmatterKey(parseNote(text), key, value).text;
const remove = (text: string, key: string) => deleteFrontmatterKey(parseNote(text), key).text;

describe('random blocks and values', () => {
  const scalar = fc.oneof(
    fc.constantFrom('x', 'no', '2024-05-01', '007', 'a: b', '- x', '', ' padded ', 'two\nlines', '[[L]]', '#t', "it's"),
    fc.string({ maxLength: 8 }),
    fc.integer(),
    fc
      .double({ noNaN: true, noDefaultInfinity: true })
      .filter((number) => !Number.isInteger(number) || Number.isSafeInteger(number)),
    fc.boolean(),
  );
  const name = fc.constantFrom('type', 'title', 'tags', 'timestamp', 'expires', 'mine', 'a b', '"q"', 'no', '1');
  const value = fc.oneof(
    scalar,
    fc.array(scalar, { maxLength: 4 }),
    fc.dictionary(name, scalar, { maxKeys: 3 }),
    fc.array(fc.array(scalar, { maxLength: 2 }), { maxLength: 2 }),
  );
  const entry = (key: string) =>
    fc
      .constantFrom(
        ...[
          '1',
          '007',
          'x # c',
          "'it''s'",
          '"q" # c',
          '[a, b] # c',
          '{x: 1}',
          '|\n  block\n\n  text',
          '>-\n  folded',
          '',
        ],
        ...[
          '\n  - a # one\n  # own\n  - b',
          '\n- a\n- b',
          '\n  x: 1\n  # own\n  y: [1]',
          '&anchor v',
          '"two\n  lines" # c',
        ],
      )
      .map((written) => `${key}: ${written}`.replace(': \n', ':\n'));
  const block = fc
    .uniqueArray(fc.constantFrom('type', 'title', 'tags', 'mine', 'expires', "'no'", 'x y'), { maxLength: 5 })
    .chain((keys) => fc.tuple(...keys.map(entry)))
    .chain((entries) =>
      fc
        .array(fc.constantFrom('', '# comment', ''), { minLength: entries.length, maxLength: entries.length })
        .map((between) => entries.flatMap((one, i) => [...(between[i] === '' ? [] : [between[i] ?? '']), one])),
    )
    .map((lines) => lines.map((line) => `${line}\n`).join(''));
  const note = fc
    .tuple(
      block,
      fc.constantFrom(['---', '---'], ['---', '...'], ['--- ', '---\t']),
      fc.constantFrom('\n', '\r\n'),
      fc.constantFrom('', '\ufeff'),
      fc.constantFrom('', 'body\n', '\nbody'),
    )
    .map(
      ([lines, [open, close], end, mark, body]) => mark + `${open}\n${lines}${close}\n${body}`.replaceAll('\n', end),
    );
  const plain = (data: unknown): unknown => JSON.parse(JSON.stringify(data));
  /** The lines of each other key as they stand, in order. */
  const othersOf = (text: string, key: string): string[] =>
    parseFrontmatter(text)
      .entries.filter((entry) => entry.key !== key)
      .map(({ range }) => text.slice(range.from, range.to));
  const outsideOf = (text: string): string[] => {
    const { range, inner } = parseFrontmatter(text);
    return [text.slice(0, inner.from), text.slice(inner.to, range.to), text.slice(range.to)];
  };
  const commentsOf = (text: string): number => text.split('# c').length + text.split('# o').length;

  it('change in exactly the key set, keep their comments, and setting again changes nothing', () => {
    fc.assert(
      fc.property(note, name, value, (text, key, wanted) => {
        const before = parseFrontmatter(text);
        expect(before.error).toBeUndefined();
        const { text: after, edited } = setFrontmatterKey(parseNote(text), key, wanted);
        expect(plain(parseFrontmatter(after).data)).toEqual({
          ...(plain(before.data) as object),
          [key]: plain(wanted),
        });
        expect(after.slice(0, edited.from)).toBe(text.slice(0, edited.from));
        expect(after.endsWith(text.slice(edited.to))).toBe(true);
        expect(commentsOf(after)).toBeGreaterThanOrEqual(commentsOf(text));
        expect(othersOf(after, key)).toEqual(othersOf(text, key));
        expect(outsideOf(after)).toEqual(outsideOf(text));
        if (text.includes('\r\n')) expect(after).not.toMatch(/(?<!\r)\n/);
        expect(set(after, key, wanted)).toBe(after);
      }),
      { numRuns: 500 },
    );
  });

  it('lose exactly the key deleted', () => {
    fc.assert(
      fc.property(note, name, (text, key) => {
        const { [key]: _gone, ...rest } = plain(parseFrontmatter(text).data) as Record<string, unknown>;
        const after = remove(text, key);
        expect(plain(parseFrontmatter(after).data)).toEqual(rest);
        expect(othersOf(after, key)).toEqual(othersOf(text, key));
        expect(outsideOf(after)).toEqual(outsideOf(text));
        expect(remove(after, key)).toBe(after);
      }),
      { numRuns: 300 },
    );
  });

  it('of anything at all are changed as asked or refused', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom(...'ab: \n-#[]{}&*x"\'|>?,\t'), maxLength: 40 }),
        scalar,
        (inner, wanted) => {
          const text = `---\n${inner}\n---\nbody`;
          const before = parseNote(text);
          try {
            const { text: after } = setFrontmatterKey(before, 'a', wanted);
            expect(plain(parseFrontmatter(after).data)).toEqual(plain({ ...before.frontmatter.data, a: wanted }));
          } catch (thrown) {
            expect((thrown as AppError).code).toBe('invalid_value');
          }
        },
      ),
      { numRuns: 1000 },
    );
  });
});
