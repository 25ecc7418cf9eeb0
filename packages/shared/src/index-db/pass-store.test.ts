import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { noteOf, sha256 } from '../../../../test/support/index-records.ts';
import { openIndex } from '../../../../test/support/open-index.ts';
import { PassStore } from './pass-store.ts';
import { SCHEMA_SQL } from './schema.ts';

const index = openIndex();

/** Path, then the passes in which it came and last became another. */
function files(): [string, number, number][] {
  return index.reader.fileHistory().files.map(({ path, arrived, changed }) => [path, arrived, changed]);
}

/** Path, then the passes in which it came and went. */
function departed(): [string, number, number][] {
  return index.reader.fileHistory().departed.map(({ path, arrived, gone }) => [path, arrived, gone]);
}

describe('the history of files', () => {
  it('knows in which pass a file came, and in which its bytes last became others', () => {
    index.writer.putFile(noteOf('a.md', ['one']));
    index.writer.passes.close();
    index.writer.putFile(noteOf('b.md', ['two']));
    index.writer.putFile(noteOf('a.md', ['one'], { digest: 'another' }));
    expect(files()).toEqual([
      ['b.md', 2, 2],
      ['a.md', 1, 1],
    ]);
    index.writer.putFile(noteOf('a.md', ['other']));
    expect(files()).toContainEqual(['a.md', 1, 2]);
  });

  it('has a file that cannot be read for a while as it was, and knows what it held when it came', () => {
    const note = noteOf('a.md', ['one']);
    index.writer.putFile(note);
    index.writer.passes.close();
    index.writer.putFile(noteOf('a.md', [], { sha256: '', state: 'quarantined', reason: 'x' }));
    index.writer.passes.close();
    expect(index.reader.fileHistory().files).toEqual([
      { path: 'a.md', knownSha256: note.sha256, arrivedSha256: note.sha256, arrived: 1, changed: 1 },
    ]);
    index.writer.putFile(note);
    expect(files()).toEqual([['a.md', 1, 1]]);
    const other = noteOf('a.md', ['other']);
    index.writer.putFile(other);
    expect(index.reader.fileHistory().files).toEqual([
      { path: 'a.md', knownSha256: other.sha256, arrivedSha256: note.sha256, arrived: 1, changed: 3 },
    ]);
  });

  it('knows since when each link stands in its note: since its bytes became others, but for what this program wrote', () => {
    const linking = (text: string, ...targets: string[]) =>
      noteOf('a.md', [text], {
        links: targets.map((target) => ({
          ...{ form: 'wikilink', embed: false, target, heading: null, block: null, alias: null, line: 1 },
        })),
      });
    const since = () => index.reader.linkingFiles(0, 9)[0]?.links.map((link) => [link.target, link.since]);
    index.writer.putFile(linking('one', 'X', 'Y'));
    index.writer.passes.close();
    index.writer.putFile(linking('one', 'X', 'Y'));
    expect(since()).toEqual([
      ['X', 1],
      ['Y', 1],
    ]);
    index.writer.passes.expectOwn('a.md', sha256('ours'));
    index.writer.putFile(linking('ours', 'Z', 'Y'));
    expect(since()).toEqual([
      ['Z', 2],
      ['Y', 1],
    ]);
    index.writer.passes.close();
    index.writer.passes.expectOwn('a.md', sha256('ours again'));
    index.writer.putFile(linking('another', 'Z', 'Y'));
    expect(since()).toEqual([
      ['Z', 3],
      ['Y', 3],
    ]);
    expect(files()).toEqual([['a.md', 1, 3]]);
  });

  it('knows nothing of before other rules of what is indexed', () => {
    index.writer.passes.follow('all');
    index.writer.putFile(noteOf('a.md', ['one']));
    index.writer.passes.close();
    index.writer.passes.follow('all');
    expect(index.reader.fileHistory()).toMatchObject({ pass: 2, since: 1 });
    index.writer.passes.follow('some');
    expect(index.reader.fileHistory()).toMatchObject({ pass: 2, since: 2 });
  });

  it('remembers a file that went, with what it held', () => {
    const note = noteOf('a.md', ['one']);
    index.writer.putFile(note);
    index.writer.passes.close();
    index.writer.removeFile('a.md');
    const { sha256 } = note;
    expect(index.reader.fileHistory()).toEqual({
      ...{ pass: 2, since: 1, files: [] },
      departed: [{ path: 'a.md', knownSha256: sha256, arrivedSha256: sha256, arrived: 1, changed: 1, gone: 2 }],
    });
  });

  it('has a file that goes and comes back within a pass where it was', () => {
    index.writer.putFile(noteOf('a.md', ['one']));
    index.writer.passes.close();
    index.writer.removeFile('a.md');
    index.writer.putFile(noteOf('a.md', ['one']));
    expect([files(), departed()]).toEqual([[['a.md', 1, 1]], []]);
    index.writer.removeFile('a.md');
    index.writer.putFile(noteOf('a.md', ['other']));
    expect([files(), departed()]).toEqual([[['a.md', 1, 2]], []]);
  });

  it('has a file that comes back later as another one, and one that came and went at once as none', () => {
    index.writer.putFile(noteOf('a.md', ['one']));
    index.writer.passes.close();
    index.writer.removeFile('a.md');
    index.writer.passes.close();
    index.writer.putFile(noteOf('a.md', ['one']));
    index.writer.putFile(noteOf('b.md', ['two']));
    index.writer.removeFile('b.md');
    expect([files(), departed()]).toEqual([[['a.md', 3, 3]], [['a.md', 1, 2]]]);
  });

  it('counts no pass in which nothing was stored, and says whether files came or went', () => {
    expect(index.writer.passes.close()).toBe(true);
    expect(index.writer.passes.close()).toBe(false);
    index.writer.putFile(noteOf('a.md', ['one']));
    expect(index.writer.passes.close()).toBe(true);
    index.writer.putFile(noteOf('a.md', ['other']));
    expect(index.writer.passes.close()).toBe(false);
    index.writer.passes.close();
    index.writer.putFile(noteOf('b.md', ['two']));
    expect(files()).toEqual([
      ['a.md', 2, 3],
      ['b.md', 4, 4],
    ]);
    index.writer.removeFile('a.md');
    expect(index.writer.passes.close()).toBe(true);
  });

  it('goes on with the pass of a process before, which may have stopped in the middle of what belongs together', () => {
    index.writer.putFile(noteOf('a.md', ['one']));
    index.restart();
    index.writer.putFile(noteOf('b.md', ['two']));
    expect(index.writer.passes.close()).toBe(true);
    expect(files().map(([, arrived]) => arrived)).toEqual([1, 1]);
  });

  it('counts what a group holds, and begins anew with an index that is emptied', () => {
    index.writer.putFile(noteOf('a.md', ['one']), { grouped: true });
    index.writer.passes.close();
    index.writer.removeFile('a.md', { grouped: true });
    index.writer.passes.close();
    expect(departed()).toEqual([['a.md', 1, 2]]);
    index.writer.wipe();
    index.writer.putFile(noteOf('b.md', ['two']));
    expect([files(), departed()]).toEqual([[['b.md', 1, 1]], []]);
  });

  it('forgets those that went first when there are too many, but none of the last pass, and says since when it knows all', () => {
    const db = new Database(':memory:');
    db.exec(SCHEMA_SQL);
    const passes = new PassStore(db);
    const kept = () => db.prepare('SELECT count(*) AS count, min(gone) AS first FROM departed').get();
    const since = () => db.prepare("SELECT value FROM meta WHERE key = 'history_since'").pluck().get();
    const times = { knownSha256: 'x', arrivedSha256: 'x', arrived: 1, changed: 1 };
    const go = (count: number) => {
      db.transaction(() => {
        for (let i = 0; i < count; i++) passes.went({ ...times, path: `${i}.md` });
      })();
      passes.close();
    };
    passes.close();
    for (const count of [2, 3, 20_001]) go(count);
    expect([kept(), since()]).toEqual([{ count: 20_006, first: 2 }, '1']);
    go(1);
    expect([kept(), since()]).toEqual([{ count: 20_001, first: 4 }, '4']);
    db.close();
  });
});
