/**
 * Random notes and texts to edit them with: every kind of block, hostile ones too, with either line end or both, with a
 * byte order mark or without, with frontmatter that can be read or cannot, ended by a line break or not. And what every
 * edit of them has to keep.
 */
import { AppError } from '@vault-mcp/shared/errors';
import type { EditOutcome } from '@vault-mcp/shared/vault/note/edit/outcome';
import type { ParsedNote } from '@vault-mcp/shared/vault/note/model';
import { parseNote } from '@vault-mcp/shared/vault/note/parse';
import { encodeNote } from '@vault-mcp/shared/vault/note/text';
import fc from 'fast-check';
import { expect } from 'vitest';

const heading = fc
  .tuple(fc.integer({ min: 1, max: 4 }), fc.constantFrom('One', 'Two', 'Three *x*', 'C#'))
  .map(([depth, text]) => `${'#'.repeat(depth)} ${text}`);
const part = fc.oneof(
  { weight: 3, arbitrary: heading },
  {
    weight: 5,
    arbitrary: fc.constantFrom(
      ...['text', 'two\nlines  ', 'Set\n===', 'ext\n---', '- a\n- b', '* a\n  - b\n* c', '1. a\n2. b', '- [ ] do'],
      ...[
        '> quote',
        '> - q\n> - r',
        '```\n# code\n```',
        '~~~\nx',
        '<!-- # no -->',
        '%% x\n# y\n%%',
        '| a |\n|---|\n| b |',
      ],
      ...['***', '    code', '[[L]] #tag', '50%% off', '<div>\n\n</div>', '[x]: y', '日本 👍'],
      ...['## Closed ##', '   # Indented', '#none', '- # in an item', '> [!note]\n> # in a callout', 'a\n\n    # code'],
      ...[
        'Two\nlines\n===',
        '- a\n\n- loose',
        '1) a\n   # b',
        '````\n```\n# x\n````',
        '<!--\n# x\n-->\n# One',
        '***\n---',
      ],
      ...[
        'a %% b',
        '%%a%% # x',
        '- a\n  ```\n  # x\n  ```',
        '  \n\t',
        '| a |\n|---|\n# One',
        'x  \n===',
        '~~~\n# x\n~~~ ',
      ],
    ),
  },
  {
    weight: 2,
    arbitrary: fc.constantFrom(
      'para ^p1',
      '- item ^i1\n  - deep\n- next',
      '> q ^q1',
      '| t |\n|---|\n\n^t1',
      '1. x\n   - y ^i2',
    ),
  },
);
const gap = fc.constantFrom('\n', '\n\n', '\n\n', '\n\n\n', '\n \n');
const end = fc.constantFrom('\n', '\r\n');
const head = fc.constantFrom(
  ...['', '', '\n\n', ' \n', '---\ntitle: x # c\n---\n', '---\na: [\n---\n\n', '---\n---\n'],
  ...['---\ntitle: x\n...\n', '--- \ntags:\n- a\n---\t\n\n', '---\nnever: closed\n\n'],
);
export const noteText = fc
  .tuple(
    fc.boolean(),
    head,
    fc.array(fc.tuple(part, gap), { maxLength: 9 }),
    fc.constantFrom('', '\n'),
    end,
    fc.boolean(),
  )
  .map(([mark, top, parts, last, style, mixed]) => {
    const body = parts.map(([text, below], i) => (i === parts.length - 1 ? text : text + below)).join('') + last;
    const text = top + (mixed ? body.replace('\n', '\r\n') : body);
    return (mark ? '\ufeff' : '') + (style === '\r\n' ? text.replaceAll(/\r?\n/g, '\r\n') : text);
  });
export const content = fc
  .array(fc.oneof(part, fc.string({ unit: fc.constantFrom(...'ab #-*`>%\n'), maxLength: 12 })), { maxLength: 3 })
  .map((parts) => parts.join('\n\n'));
/** One block that is closed, holds no heading, and stands for itself wherever a blank line is around it. */
export const closed = fc.constantFrom(
  'new',
  'new\nline',
  '- x\n- y',
  '+ x',
  '```\nx\n```',
  '> new',
  '| n |\n|---|\n| m |',
  'a **b** `c`',
);
export const pick = fc.nat({ max: 1000 });

/** The n-th of a list, counted round. */
export const one = <T>(list: readonly T[], n: number): T | undefined => list[n % Math.max(1, list.length)];
/** With line feeds alone. */
export const lines = (text: string): string => text.replaceAll('\r\n', '\n');

/** The outcome, or undefined when the edit was refused with a code callers know. */
export function attempt(act: () => EditOutcome): EditOutcome | undefined {
  try {
    return act();
  } catch (thrown) {
    expect(thrown).toBeInstanceOf(AppError);
    expect(['invalid_value', 'invalid_request']).toContain((thrown as AppError).code);
    return undefined;
  }
}

/** That nothing outside the edited range is another byte, that frontmatter means the same, and line ends stay in style. */
export function expectOutsideKept(note: ParsedNote, { text, edited, frontmatter: known }: EditOutcome): void {
  const added = text.length - note.text.length;
  expect(text.slice(0, edited.from)).toBe(note.text.slice(0, edited.from));
  expect(text.slice(edited.to + added)).toBe(note.text.slice(edited.to));
  expect(edited.from).toBeGreaterThanOrEqual(note.bodyFrom);
  const { frontmatter } = parseNote(text);
  if (known !== undefined) expect(known).toEqual(frontmatter);
  expect([frontmatter.present, frontmatter.data]).toEqual([note.frontmatter.present, note.frontmatter.data]);
  if (!/(?<!\r)\n/.test(note.text) && note.text.includes('\n')) expect(text).not.toMatch(/(?<!\r)\n/);
  if (!note.text.includes('\r\n')) expect(text).not.toContain('\r');
  expect(encodeNote(text).toString('utf8')).toBe(text);
}

/** That every heading outside the edited range is one still, of the same depth and text. */
export function expectHeadingsKept(note: ParsedNote, { text, edited }: EditOutcome): void {
  const added = text.length - note.text.length;
  const outside = (from: number, to: number): number | null =>
    to <= edited.from ? from : from >= edited.to ? from + added : null;
  const kept = note.headings.flatMap(({ marker, depth, text: heading }) => {
    const from = outside(marker.from, marker.to);
    return from === null ? [] : [{ from, depth, heading }];
  });
  const now = parseNote(text).headings.map(({ marker, depth, text: heading }) => ({
    from: marker.from,
    depth,
    heading,
  }));
  expect(now).toEqual(expect.arrayContaining(kept));
}

/** Most line breaks in one piece of blank space. */
export function widestGap(text: string): number {
  return Math.max(0, ...(lines(text).match(/\n(?:[ \t]*\n)*/g) ?? []).map((run) => run.split('\n').length - 1));
}
