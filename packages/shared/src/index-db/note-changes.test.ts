import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { axis, noteOf, sha256 } from '../../../../test/support/index-records.ts';
import { openIndex } from '../../../../test/support/open-index.ts';
import type { FileVersion, NoteChanges, NoteMark } from './rows.ts';

const index = openIndex();

/** Knows the notes' rows by nothing but what became of them since it asked last. */
function follower() {
  const rows = new Map<string, FileVersion>();
  let mark: NoteMark | null = null;
  return {
    follow(): NoteChanges {
      const changes = index.reader.noteChanges(mark, (path) => rows.has(path));
      mark = changes.mark;
      if (changes.whole) rows.clear();
      for (const [path, { id }] of rows) if (changes.left?.has(id) === false) rows.delete(path);
      for (const row of changes.rows) rows.set(row.path, row);
      return changes;
    },
    paths: () => [...rows.keys()].sort(),
    rows: () => [...rows.values()].sort((a, b) => a.id - b.id),
  };
}

const quarantined = (path: string) => noteOf(path, [], { state: 'quarantined', reason: 'not UTF-8' });
const pathsOf = ({ rows }: NoteChanges) => rows.map(({ path }) => path);

describe('what became of the notes’ rows', () => {
  it('is all of them at first, documents and the quarantined left out', () => {
    index.writer.putFile(noteOf('scan.pdf', ['s'], { kind: 'document' }));
    index.writer.putFile(noteOf('a.md', ['a']));
    index.writer.putFile(quarantined('b.md'));
    const changes = follower().follow();
    expect([changes.whole, pathsOf(changes)]).toEqual([true, ['a.md']]);
  });

  it('is nothing, and no row is read for it, where only vectors came', () => {
    index.writer.putFile(noteOf('a.md', ['a']));
    const { follow } = follower();
    follow();
    const before = index.reader.generation();
    index.writer.embeddings.storeVectors(new Map([[sha256('a'), axis(0)]]));
    expect(index.reader.generation()).toBeGreaterThan(before);
    const knows = () => {
      throw new Error('nobody has to be asked');
    };
    expect(index.reader.noteChanges(follow().mark, knows)).toMatchObject({ whole: false, rows: [], left: null });
  });

  it('is the one row of a note that was edited, and who is left only when a note went', () => {
    for (const path of ['a.md', 'b.md', 'c.md']) index.writer.putFile(noteOf(path, ['x']));
    const { follow, paths } = follower();
    follow();
    index.writer.putFile(noteOf('b.md', ['y']));
    const edited = follow();
    expect([pathsOf(edited), edited.left]).toEqual([['b.md'], null]);
    index.writer.removeFile('a.md');
    index.writer.putFile(noteOf('b.md', ['z']));
    expect(follow().left?.size).toBe(2);
    expect(paths()).toEqual(['b.md', 'c.md']);
  });

  it('holds all of them again after the index was made anew, though ids are given again', () => {
    index.writer.putFile(noteOf('a.md', ['a']));
    const { follow, paths } = follower();
    follow();
    index.writer.wipe();
    index.writer.putFile(noteOf('b.md', ['b']));
    index.writer.putFile(noteOf('c.md', ['c']));
    expect(follow().whole).toBe(true);
    expect(paths()).toEqual(['b.md', 'c.md']);
  });

  it('tells whoever follows it, at whatever moments, all that are there', () => {
    const path = fc.constantFrom('a.md', 'b.md', 'c.md', 'd.md');
    const step = fc.record({ what: fc.constantFrom('put', 'quarantine', 'remove', 'wipe', 'follow'), path });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 15 }), (steps) => {
        index.writer.wipe();
        const following = follower();
        for (const { what, path: one } of steps) {
          if (what === 'put') index.writer.putFile(noteOf(one, ['x']));
          else if (what === 'quarantine') index.writer.putFile(quarantined(one));
          else if (what === 'remove') index.writer.removeFile(one);
          else if (what === 'wipe') index.writer.wipe();
          else following.follow();
        }
        following.follow();
        expect(following.rows()).toEqual(index.reader.noteChanges(null, () => false).rows);
      }),
      { numRuns: 60 },
    );
  });
});
