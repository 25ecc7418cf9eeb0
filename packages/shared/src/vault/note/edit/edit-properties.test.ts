/** Random notes × random edits of sections and blocks: what was written is read back, all else is the same, byte for byte. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  attempt,
  closed,
  content,
  expectHeadingsKept,
  expectOutsideKept,
  lines,
  noteText,
  one,
  pick,
  widestGap,
} from '../../../../../../test/support/random-note.ts';
import { AppError } from '../../../errors.ts';
import { resolveHeading } from '../headings.ts';
import { parseNote } from '../parse.ts';
import { blockText, type SectionScope, sectionRange, sectionText } from '../sections.ts';
import { editBlock } from './block.ts';
import { type EditOperation, editSection } from './section.ts';

const scope = fc.constantFrom<SectionScope>('content', 'own', 'marker', 'markerAndContent');
const operation = fc.constantFrom<EditOperation>('replace', 'append', 'prepend', 'delete');

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
        expectHeadingsKept(note, outcome);
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
        const before = note.blocks.filter(({ id }) => id === target.id).length;
        const act = () => editBlock(note, target.id, does, added);
        if (before > 1) {
          expect(act).toThrow(expect.objectContaining({ code: 'no_such_block' }));
          return;
        }
        const outcome = attempt(act);
        if (outcome === undefined) return;
        expectOutsideKept(note, outcome);
        expectHeadingsKept(note, outcome);
        const left = parseNote(outcome.text).blocks.filter(({ id }) => id === target.id).length;
        expect(left).toBe(does === 'delete' ? 0 : 1);
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
