import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { NoteWriteAnswer } from '../operations/change-note.ts';
import type { DeletionAnswer } from '../operations/delete-entry.ts';
import type { MoveAnswer } from '../operations/move-entry.ts';
import { createdFolderText } from './created-folder-text.ts';
import { deletionText, folderDeletionText } from './deletion-text.ts';
import { moveText } from './move-text.ts';
import { noteWriteText } from './note-write-text.ts';

const ROOM = 60_000;
const WRITTEN: NoteWriteAnswer = {
  path: 'House/Heating.md',
  etag: 'abc',
  created: false,
  changed: true,
  folders_made: [],
  timestamp: { bumped: true },
  indexed: 'queued',
};

describe('a write to one note as text', () => {
  it('says what happened, the version to expect next, the timestamp and whether search knows', () => {
    expect(noteWriteText(WRITTEN, ROOM).text).toBe(
      'Changed "House/Heating.md".\netag now: abc\nIts timestamp was set.\nThe indexer was told; search may not know of it yet.\n',
    );
  });

  it('says why the timestamp was not set, in one sentence', () => {
    for (const reason of ['the note has no frontmatter block', 'the note has no frontmatter block.']) {
      const { text } = noteWriteText({ ...WRITTEN, timestamp: { bumped: false, reason } }, ROOM);
      expect(text).toContain('\nTimestamp not set: the note has no frontmatter block.\n');
    }
  });

  it('names what was made and what went with it', () => {
    const answer = { ...WRITTEN, created: true, folders_made: ['House', 'House/Cellar'] };
    const patched = { ...answer, removed_subsections: ['Plan::Costs'], created_headings: ['Plan'] };
    const { text, structured } = noteWriteText(patched, ROOM);
    expect(text).toMatch(/^Made "/);
    expect(text).toContain('What went with it:\n- Plan::Costs\n');
    expect(text).toContain('Headings made:\n- Plan\n');
    expect(text).toContain('Folders made:\n- House\n- House/Cellar\n');
    expect(structured).toEqual(patched);
  });

  it('says that nothing was to be done', () => {
    const timestamp = { bumped: false, reason: 'nothing was changed' };
    const { text } = noteWriteText({ ...WRITTEN, changed: false, timestamp }, ROOM);
    expect(text).toBe('Nothing to change: "House/Heating.md" is like that already.\netag now: abc\n');
  });

  it('of a dry run shows the diff and promises nothing', () => {
    const { indexed: _none, ...facts } = WRITTEN;
    const { text } = noteWriteText({ ...facts, dry_run: true, diff: '--- a/x\n+++ b/x\n' }, ROOM);
    expect(text).toBe(
      'Dry run, nothing was changed: "House/Heating.md" would be changed.\nComputed from etag abc.\nIts timestamp would be set.\n--- a/x\n+++ b/x\n',
    );
    const made = noteWriteText({ ...facts, etag: null, created: true, dry_run: true, diff: '' }, ROOM);
    expect(made.text).toContain('would be made.\nThere is no version yet.\n');
  });

  it('holds no line that a name made', () => {
    const path = 'a\nChanged "b.md".\u2028.md';
    expect(noteWriteText({ ...WRITTEN, path, folders_made: ['x\ny'] }, ROOM).text.split('\n')).toHaveLength(7);
  });
});

describe('an answer that does not fit', () => {
  const lines = (count: number, of: string) => Array.from({ length: count }, (_, n) => `${of} ${n}`);

  it('cuts its diff at a line, says so, and shows the same in both forms', () => {
    const diff = `${lines(500, '+line').join('\n')}\n`;
    const { text, structured } = noteWriteText({ ...WRITTEN, dry_run: true, diff }, 1_000);
    expect(text.length).toBeLessThanOrEqual(1_000);
    expect(structured.shortened).toEqual(['diff']);
    expect(diff.startsWith(structured.diff ?? '?')).toBe(true);
    expect(structured.diff).toMatch(/\n$/);
    expect(text).toContain(structured.diff);
    expect(text).toMatch(new RegExp(`\\(The diff goes on: \\d+ of its ${diff.length} characters are shown\\.\\)\\n$`));
  });

  it('counts what a list leaves out', () => {
    const removed_subsections = lines(300, 'Heading');
    const { text, structured } = noteWriteText(
      { ...WRITTEN, removed_subsections, created_headings: ['New'] } as typeof WRITTEN & {
        removed_subsections: string[];
      },
      ROOM,
    );
    expect(structured.removed_subsections).toEqual(removed_subsections.slice(0, 50));
    expect(structured.shortened).toEqual(['removed_subsections']);
    expect(text).toContain('(250 more are not shown.)\n');
    expect(text).toContain('Headings made:\n- New\n');
  });

  it('never exceeds the room, whatever its lists and diff hold', () => {
    const names = fc.array(fc.string({ maxLength: 400 }), { maxLength: 80 });
    fc.assert(
      fc.property(
        names,
        names,
        fc.string({ maxLength: 3000 }),
        fc.integer({ min: 1_000, max: 4_000 }),
        (a, b, diff, room) => {
          const answer = { ...WRITTEN, folders_made: a, removed_subsections: b, diff };
          const { text, structured } = noteWriteText(answer, room);
          expect(text.length).toBeLessThanOrEqual(room);
          expect(a.slice(0, structured.folders_made.length)).toEqual(structured.folders_made);
          const whole =
            structured.folders_made.length === a.length && structured.removed_subsections.length === b.length;
          expect(structured.shortened === undefined).toBe(whole && structured.diff === diff);
        },
      ),
    );
  });
});

describe('a deletion as text', () => {
  const DELETED: DeletionAnswer = {
    path: 'House/Old.md',
    kind: 'note',
    etag: null,
    permanent: false,
    trashed: '.trash/House/Old.md',
    linked_from: ['House/Plan.md'],
    indexed: 'indexed',
  };

  it('says where the copy is and who still links to it', () => {
    expect(deletionText(DELETED, ROOM).text).toBe(
      'Moved the note "House/Old.md" to the trash: it is ".trash/House/Old.md" now, where its owner finds it.\nSearch no longer finds it.\nWhat still links to it:\n- House/Plan.md\n',
    );
  });

  it('says when nothing is left of it, and when nobody can say what links to it', () => {
    const { text } = deletionText({ ...DELETED, permanent: true, trashed: null, linked_from: null }, ROOM);
    expect(text).toMatch(/^Deleted the note "House\/Old.md" for good\.\n/);
    expect(text).toContain('What still links to it cannot be told until the index knows the vault.\n');
  });

  it('says to who sees a part that there may be more, and never that there is nothing', () => {
    const said = (more: object) => deletionText({ ...DELETED, links_unseen: true, ...more }, ROOM).text;
    const UNSEEN = /Files that you may not see may link to it too, and a link by a bare name may mean one of them/;
    expect(said({})).toMatch(UNSEEN);
    expect(said({ linked_from: [] })).toMatch(UNSEEN);
    expect(said({ linked_from: [] })).toContain('No note or canvas that you may see links to it.\n');
    expect(deletionText(DELETED, ROOM).text).not.toMatch(UNSEEN);
  });

  it('of a dry run says what would become of it', () => {
    const dry = { ...DELETED, etag: 'abc', trashed: null, linked_from: [], dry_run: true } as const;
    expect(deletionText(dry, ROOM).text).toMatch(
      /^Dry run, .* would be moved to the trash\.\nComputed from etag abc\.\n/,
    );
    expect(deletionText(dry, ROOM).text).toContain('No note or canvas links to it.\n');
    expect(deletionText({ ...dry, permanent: true }, ROOM).text).toMatch(/would be deleted for good\.\n/);
  });

  const { kind: _kind, etag: _etag, ...facts } = DELETED;
  const folder = { ...facts, path: 'House', notes: 1, documents: 0, other_files: 2, folders: 1 };

  it('of a folder counts what went with it', () => {
    expect(folderDeletionText(folder, ROOM).text).toContain(
      '\nIt held 1 note, 0 documents, 2 other files, 1 folder.\n',
    );
  });

  it('of a folder that could not go whole says what went, what is left and why', () => {
    const left = [{ path: 'House/scan.pdf', reason: 'it is kept busy' }];
    const { text } = folderDeletionText({ ...folder, permanent: true, trashed: null, left }, ROOM);
    expect(text).toContain('Deleted part of the folder "House" for good.\nGone are 1 note,');
    expect(text).toContain('Not all of it could be deleted; still there:\n- House/scan.pdf: it is kept busy\n');
  });
});

describe('a move as text', () => {
  const MOVED: MoveAnswer = {
    source: 'A.md',
    destination: 'B/A.md',
    kind: 'note',
    etag: 'abc',
    links_updated: 3,
    notes_updated: 1,
    left: [{ path: 'C.base', line: 4, reason: 'a base names it' }],
    folders_made: ['B'],
    indexed: 'excluded',
  };

  it('says where it is, what followed and what did not, with line and reason', () => {
    expect(moveText(MOVED, ROOM).text).toBe(
      'Moved the note "A.md" to "B/A.md".\netag now: abc\n3 links in 1 file followed.\nIt is not indexed, so search never finds it.\nLeft as they are:\n- C.base, line 4: a base names it\nFolders made:\n- B\n',
    );
  });

  it('says how many links break when none follows', () => {
    const alone = { ...MOVED, links_updated: 0, notes_updated: 0, links_broken: 1, left: [] };
    expect(moveText(alone, ROOM).text).toContain('No link follows: 1 link leads elsewhere or nowhere.\n');
  });

  it('of a dry run names whose links would change', () => {
    const dry = { ...MOVED, dry_run: true, notes: [{ path: 'D.md', links: 3 }], diff: '--- a/D.md\n' } as const;
    const { text } = moveText(dry, ROOM);
    expect(text).toMatch(/^Dry run, nothing was changed: this would move the note/);
    expect(text).toContain('3 links in 1 file would follow.\n');
    expect(text).toContain('Links would change in:\n- D.md: 3 links\n');
    expect(text).toMatch(/--- a\/D\.md\n$/);
  });

  it('to the same place is none', () => {
    const { indexed: _none, ...facts } = MOVED;
    const same = { ...facts, destination: 'A.md', links_updated: 0, notes_updated: 0, left: [], folders_made: [] };
    expect(moveText(same, ROOM).text).toBe('Nothing to move: the note "A.md" is there already.\netag now: abc\n');
  });
});

describe('a made folder as text', () => {
  it.each([
    [{ path: 'A/B', created: true, folders_made: ['A', 'A/B'] }, 'Made the folder "A/B".\nFolders made:\n- A\n- A/B\n'],
    [{ path: 'A', created: false, folders_made: [] }, 'The folder "A" is there already.\n'],
    [
      { path: 'A', created: true, folders_made: ['A'], dry_run: true as const },
      'Dry run, nothing was changed: the folder "A" would be made.\nFolders to be made:\n- A\n',
    ],
  ])('%j', (answer, text) => {
    expect(createdFolderText(answer, ROOM).text).toBe(text);
  });
});
