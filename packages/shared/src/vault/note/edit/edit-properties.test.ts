/**
 * Random notes × random edits: what was written is read back, and everything else is the same, byte for byte. Longer
 * than 300 lines because one set of random notes and of checks serves every kind of edit.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AppError } from '../../../errors.ts';
import { resolveHeading } from '../headings.ts';
import type { ParsedNote } from '../model.ts';
import { parseNote } from '../parse.ts';
import { blockText, type SectionScope, sectionRange, sectionText } from '../sections.ts';
import { encodeNote } from '../text.ts';
import { editBlock } from './block.ts';
import { appendToNote, setBody } from './body.ts';
import type { EditOutcome } from './outcome.ts';
import { replaceText } from './replace-text.ts';
import { type EditOperation, editSection } from './section.ts';

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
const head = fc.constantFrom('', '', '---\ntitle: x # c\n---\n', '---\na: [\n---\n\n', '---\n---\n', '\n\n');
const noteText = fc
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
const content = fc
  .array(fc.oneof(part, fc.string({ unit: fc.constantFrom(...'ab #-*`>%\n'), maxLength: 12 })), { maxLength: 3 })
  .map((parts) => parts.join('\n\n'));
/** One block that is closed, holds no heading, and stands for itself wherever a blank line is around it. */
const closed = fc.constantFrom(
  'new',
  'new\nline',
  '- x\n- y',
  '+ x',
  '```\nx\n```',
  '> new',
  '| n |\n|---|\n| m |',
  'a **b** `c`',
);
const scope = fc.constantFrom<SectionScope>('content', 'own', 'marker', 'markerAndContent');
const operation = fc.constantFrom<EditOperation>('replace', 'append', 'prepend', 'delete');
const pick = fc.nat({ max: 1000 });

const one = <T>(list: readonly T[], n: number): T | undefined => list[n % Math.max(1, list.length)];
const lines = (text: string): string => text.replaceAll('\r\n', '\n');

/** The outcome, or undefined when the edit was refused with a code callers know. */
function attempt(act: () => EditOutcome): EditOutcome | undefined {
  try {
    return act();
  } catch (thrown) {
    expect(thrown).toBeInstanceOf(AppError);
    expect(['invalid_value', 'invalid_request']).toContain((thrown as AppError).code);
    return undefined;
  }
}

function expectOutsideKept(note: ParsedNote, { text, edited }: EditOutcome): void {
  const added = text.length - note.text.length;
  expect(text.slice(0, edited.from)).toBe(note.text.slice(0, edited.from));
  expect(text.slice(edited.to + added)).toBe(note.text.slice(edited.to));
  expect(edited.from).toBeGreaterThanOrEqual(note.bodyFrom);
  const { frontmatter } = parseNote(text);
  expect([frontmatter.present, frontmatter.data]).toEqual([note.frontmatter.present, note.frontmatter.data]);
  if (!/(?<!\r)\n/.test(note.text) && note.text.includes('\n')) expect(text).not.toMatch(/(?<!\r)\n/);
  if (!note.text.includes('\r\n')) expect(text).not.toContain('\r');
  expect(encodeNote(text).toString('utf8')).toBe(text);
}

function widestGap(text: string): number {
  return Math.max(0, ...(lines(text).match(/\n(?:[ \t]*\n)*/g) ?? []).map((run) => run.split('\n').length - 1));
}

describe('a section edit', () => {
  it('changes its range and nothing else, or is refused', () => {
    fc.assert(
      fc.property(noteText, pick, operation, scope, content, (text, n, does, where, added) => {
        const note = parseNote(text);
        const target = one(note.headings, n);
        fc.pre(target !== undefined);
        const outcome = attempt(() => editSection(note, target.target, does, added, { scope: where }));
        if (outcome === undefined || outcome.text === text) return;
        expectOutsideKept(note, outcome);
        // Where the text before the section goes with it: taking out a note's last section takes the gap above along.
        const { from, to } = sectionRange(note, target, where === 'marker' ? 'marker' : 'markerAndContent');
        const kept = text.slice(outcome.edited.from, Math.max(outcome.edited.from, from));
        expect(kept.trim()).toBe('');
        expect(outcome.edited.to).toBeLessThanOrEqual(to);
        if (does === 'append' || does === 'prepend') expect(outcome.edited.from).toBe(outcome.edited.to);
        const outside = note.headings.filter(
          ({ marker }) => marker.to <= outcome.edited.from || marker.from >= outcome.edited.to,
        );
        expect(parseNote(outcome.text).headings.length).toBeGreaterThanOrEqual(outside.length);
      }),
      { numRuns: 1500 },
    );
  });

  it('is read back by the same target', () => {
    fc.assert(
      fc.property(
        noteText,
        pick,
        closed,
        fc.constantFrom<'content' | 'own'>('content', 'own'),
        (text, n, added, where) => {
          const note = parseNote(text);
          const target = one(note.headings, n);
          // Reads take a target that begins with a caret for a block.
          fc.pre(target !== undefined && !text.includes('%%') && !target.target.startsWith('^'));
          const outcome = attempt(() => editSection(note, target.target, 'replace', added, { scope: where }));
          fc.pre(outcome !== undefined);
          const after = parseNote(outcome.text);
          const found = after.headings.find(({ marker }) => marker.from === target.marker.from);
          expect(found?.text).toBe(target.text);
          if (found === undefined) return;
          const { from, to } = sectionRange(after, found, where);
          expect(lines(outcome.text.slice(from, to)).trim()).toBe(added.trim());
          // A replaced section's twin may be gone with it, so the target is the new note's own.
          expect(sectionText(after, found.target)).toContain(outcome.text.slice(from, to));
          const twice = editSection(after, found.target, 'replace', added, { scope: where });
          expect(twice.text).toBe(outcome.text);
          expect(resolveHeading(after, found.target)).toBe(found);
        },
      ),
      { numRuns: 800 },
    );
  });

  it('put in again and again never widens a gap', () => {
    fc.assert(
      fc.property(
        noteText,
        pick,
        closed,
        fc.constantFrom<EditOperation>('append', 'prepend'),
        scope,
        (text, n, added, does, where) => {
          const note = parseNote(text);
          const target = one(note.headings, n);
          fc.pre(target !== undefined && where !== 'marker');
          let now = note;
          const widest = Math.max(2, widestGap(text));
          for (let i = 0; i < 3; i++) {
            const found = one(now.headings, note.headings.indexOf(target));
            const outcome = attempt(() => editSection(now, found?.target ?? '', does, added, { scope: where }));
            if (outcome === undefined) return;
            expectOutsideKept(now, outcome);
            expect(widestGap(outcome.text)).toBeLessThanOrEqual(widest);
            expect(outcome.text.endsWith('\n')).toBe(text.endsWith('\n'));
            now = parseNote(outcome.text);
          }
        },
      ),
      { numRuns: 500 },
    );
  });

  it('that names what is missing makes it, and finds it the next time', () => {
    fc.assert(
      fc.property(noteText, pick, closed, fc.constantFrom('New', 'a::b', 'x [1', '*it*'), (text, n, added, name) => {
        const note = parseNote(text);
        const path = [...(one(note.headings, n)?.path ?? []), name];
        const outcome = attempt(() => {
          try {
            return editSection(note, path, 'append', added, { createIfMissing: true });
          } catch (thrown) {
            if (thrown instanceof AppError && thrown.code === 'ambiguous_heading') return undefined as never;
            throw thrown;
          }
        });
        if (outcome === undefined) return;
        expectOutsideKept(note, outcome);
        const after = parseNote(outcome.text);
        const made = resolveHeading(after, path);
        expect(lines(sectionText(after, path))).toContain(added);
        expect(made.depth).toBe((one(note.headings, n)?.depth ?? 0) + 1);
        expect(editSection(after, path, 'append', 'more', { createIfMissing: true }).createdHeadings).toEqual([]);
      }),
      { numRuns: 500 },
    );
  });
});

describe('a block edit', () => {
  it('changes its range and nothing else, or is refused', () => {
    fc.assert(
      fc.property(noteText, pick, operation, fc.oneof(content, closed), (text, n, does, added) => {
        const note = parseNote(text);
        const target = one(note.blocks, n);
        fc.pre(target !== undefined);
        const outcome = attempt(() => editBlock(note, target.id, does, added));
        if (outcome === undefined) return;
        expectOutsideKept(note, outcome);
        const left = parseNote(outcome.text).blocks.filter(({ id }) => id === target.id).length;
        const before = note.blocks.filter(({ id }) => id === target.id).length;
        if (does === 'delete') expect(left).toBeLessThan(before);
        else expect(left).toBeGreaterThanOrEqual(1);
      }),
      { numRuns: 1500 },
    );
  });

  it('is read back by the same id', () => {
    fc.assert(
      fc.property(
        noteText,
        pick,
        fc.constantFrom('new', 'new\nline', 'a **b**', '- new', '> new'),
        (text, n, added) => {
          const note = parseNote(text);
          const target = one(note.blocks, n);
          fc.pre(target !== undefined && note.blocks.filter(({ id }) => id === target.id).length === 1);
          const outcome = attempt(() => editBlock(note, target.id, 'replace', added));
          if (outcome === undefined) return;
          const after = parseNote(outcome.text);
          const words = (markdown: string): string => markdown.replace(/[\s>*+-]|\^\w+|\d\.|\[ \]/g, '');
          expect(words(blockText(after, target.id))).toBe(words(added));
          expect(editBlock(after, target.id, 'replace', added).text).toBe(outcome.text);
        },
      ),
      { numRuns: 500 },
    );
  });
});

describe('an edit of the whole note', () => {
  it('appends what is read back at its end, one blank line below', () => {
    fc.assert(
      fc.property(noteText, closed, (text, added) => {
        const note = parseNote(text);
        fc.pre(text !== '');
        const outcome = appendToNote(note, added);
        expectOutsideKept(note, outcome);
        expect(outcome.text.endsWith('\n')).toBe(text.endsWith('\n'));
        expect(lines(outcome.text).trimEnd().endsWith(added)).toBe(true);
        const twice = appendToNote(parseNote(outcome.text), added).text;
        expect(widestGap(twice)).toBeLessThanOrEqual(Math.max(2, widestGap(text)));
      }),
      { numRuns: 500 },
    );
  });

  it('sets a body that is read back, and the same body changes nothing', () => {
    fc.assert(
      fc.property(noteText, content, (text, added) => {
        const note = parseNote(text);
        expect(setBody(note, text.slice(note.bodyFrom)).text).toBe(text);
        const outcome = attempt(() => setBody(note, added));
        if (outcome === undefined) return;
        expectOutsideKept(note, outcome);
        const body = outcome.text.slice(parseNote(outcome.text).bodyFrom);
        expect(lines(body).trim()).toBe(added.trim());
        expect(setBody(parseNote(outcome.text), added).text).toBe(outcome.text);
      }),
      { numRuns: 500 },
    );
  });

  it('replaces a text by another and back', () => {
    fc.assert(
      fc.property(noteText, pick, pick, (text, from, length) => {
        const note = parseNote(text);
        const body = text.slice(note.bodyFrom);
        const find = body.slice(from % Math.max(1, body.length)).slice(0, 1 + (length % 9));
        fc.pre(find !== '' && find.isWellFormed() && !/^\n|\r$/.test(find) && !/[\r\n]/.test(find));
        const count = body.split(find).length - 1;
        const outcome = attempt(() => replaceText(note, { find, replace: 'QQQ', count }));
        if (outcome === undefined) return;
        expectOutsideKept(note, outcome);
        const after = parseNote(outcome.text);
        fc.pre(after.bodyFrom === note.bodyFrom);
        expect(outcome.text.slice(after.bodyFrom)).toBe(body.split(find).join('QQQ'));
        expect(attempt(() => replaceText(after, { find: 'QQQ', replace: find, count }))?.text).toBe(text);
      }),
      { numRuns: 500 },
    );
  });
});
