/** Random notes × random edits of body, text and frontmatter: what was written is read back, all else stays, byte for byte. */
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
import { parseFrontmatter } from '../frontmatter.ts';
import { lazyStructure, parseNote, parseStructure } from '../parse.ts';
import { appendToNote, setBody } from './body.ts';
import { prependToBody } from './prepend-to-body.ts';
import { replaceText } from './replace-text.ts';
import { bumpTimestamp } from './timestamp.ts';

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

  it('puts text above the prose, read back at its beginning', () => {
    fc.assert(
      fc.property(noteText, closed, (text, added) => {
        const note = parseNote(text);
        const outcome = attempt(() => prependToBody(note, added));
        if (outcome === undefined) return;
        expectOutsideKept(note, outcome);
        expectHeadingsKept(note, outcome);
        const after = parseNote(outcome.text);
        expect(lines(outcome.text.slice(after.bodyFrom)).trimStart().startsWith(added)).toBe(true);
        expect(outcome.text.endsWith('\n')).toBe(text.endsWith('\n'));
        const twice = attempt(() => prependToBody(after, added));
        if (twice !== undefined) expect(widestGap(twice.text)).toBeLessThanOrEqual(Math.max(2, widestGap(text)));
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
        const back = attempt(() => replaceText(after, { find: 'QQQ', replace: find, count }));
        // Refused where a heading that the first replacement made would be gone again.
        if (back === undefined) expect(after.headings.length).toBeGreaterThan(note.headings.length);
        else expect(back.text).toBe(text);
      }),
      { numRuns: 500 },
    );
  });

  it('replaces a text in one section alone, whichever line ends it was sent with', () => {
    fc.assert(
      fc.property(noteText, pick, pick, pick, fc.constantFrom('', 'Q', 'Q\nR'), (text, n, from, length, put) => {
        const note = parseNote(text);
        const target = one(note.headings, n);
        fc.pre(target !== undefined && !target.target.startsWith('^'));
        const { section } = target;
        const source = text.slice(section.from, section.to);
        const find = lines(source.slice(from % Math.max(1, source.length))).slice(0, 1 + (length % 9));
        fc.pre(find !== '' && find.isWellFormed() && !find.includes('\r'));
        const count = lines(source).split(find).length - 1;
        const sent = { find: find.replaceAll('\n', '\r\n'), replace: put, section: target.target };
        expect(() => replaceText(note, { ...sent, count: count + 1 })).toThrow(
          expect.objectContaining({ code: count === 0 ? 'no_such_text' : 'ambiguous_text' }),
        );
        fc.pre(count > 0);
        const outcome = attempt(() => replaceText(note, { ...sent, count }));
        if (outcome === undefined) return;
        expectOutsideKept(note, outcome);
        const added = outcome.text.length - text.length;
        expect(outcome.edited.from).toBeGreaterThanOrEqual(section.from);
        expect(outcome.edited.to).toBeLessThanOrEqual(section.to);
        expect(lines(outcome.text.slice(section.from, section.to + added))).toBe(lines(source).split(find).join(put));
      }),
      { numRuns: 500 },
    );
  });
});

describe('the timestamp of an edited note', () => {
  it('changes its own line and nothing else, or says why not', () => {
    fc.assert(
      fc.property(noteText, fc.constantFrom('timestamp', 'title', 'mine'), (text, key) => {
        const note = parseNote(text);
        const { text: after, timestamp } = bumpTimestamp(text, key, new Date('2024-05-01T10:11:12.9Z'));
        const now = parseFrontmatter(after);
        expect(timestamp.bumped).toBe(note.frontmatter.present && note.frontmatter.error === undefined);
        if (!timestamp.bumped) {
          expect([after, timestamp.reason]).toEqual([text, expect.stringMatching(/./)]);
          return;
        }
        expect({ ...now.data }).toEqual({ ...note.frontmatter.data, [key]: '2024-05-01T10:11:12Z' });
        expect(after.slice(now.range.to)).toBe(text.slice(note.bodyFrom));
        expect(after.replace(/^[^\n]*2024-05-01T10:11:12Z[^\n]*\n/m, '')).toBe(
          text.replace(new RegExp(`^${key}:[^\\n]*\\n`, 'm'), ''),
        );
      }),
      { numRuns: 300 },
    );
  });
});

describe('parsing for an edit', () => {
  it('finds the parts that parsing for all finds', () => {
    fc.assert(
      fc.property(noteText, (text) => {
        const { lines: at, tree, ...whole } = parseNote(text);
        for (const structure of [parseStructure(text), lazyStructure(text)]) {
          const { frontmatter, bodyFrom, headings, blocks } = structure;
          expect(whole).toMatchObject({ text, frontmatter, bodyFrom, headings, blocks });
          expect(structure.tree.toString()).toBe(tree.toString());
          expect(structure.lines.count).toBe(at.count);
        }
        expect(parseFrontmatter(text)).toEqual(whole.frontmatter);
      }),
      { numRuns: 300 },
    );
  });
});
