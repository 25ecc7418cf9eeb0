import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { noteOf } from '../../../../test/support/index-records.ts';
import { PassStore } from './pass-store.ts';
import { type IndexReader, openIndexReader } from './reader.ts';
import { SCHEMA_SQL } from './schema.ts';
import { type IndexWriter, openIndexWriter } from './writer.ts';

let folder: string;
let writer: IndexWriter;
let reader: IndexReader;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'passes-'));
  writer = openIndexWriter(join(folder, 'index.db'));
  reader = openIndexReader(join(folder, 'index.db'));
});
afterEach(() => {
  reader.close();
  writer.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Path, then the passes in which it came and last became another. */
function files(): [string, number, number][] {
  return reader.fileHistory().files.map(({ path, arrived, changed }) => [path, arrived, changed]);
}

/** Path, then the passes in which it came and went. */
function departed(): [string, number, number][] {
  return reader.fileHistory().departed.map(({ path, arrived, gone }) => [path, arrived, gone]);
}

describe('the history of files', () => {
  it('knows in which pass a file came, and in which its bytes last became others', () => {
    writer.putFile(noteOf('a.md', ['one']));
    writer.closePass();
    writer.putFile(noteOf('b.md', ['two']));
    writer.putFile(noteOf('a.md', ['one'], { digest: 'another' }));
    expect(files()).toEqual([
      ['b.md', 2, 2],
      ['a.md', 1, 1],
    ]);
    writer.putFile(noteOf('a.md', ['other']));
    expect(files()).toContainEqual(['a.md', 1, 2]);
  });

  it('cannot tell of a file that could not be read whether it is the same', () => {
    const unread = noteOf('a.md', [], { sha256: '', state: 'quarantined', reason: 'x' });
    writer.putFile(unread);
    writer.closePass();
    writer.putFile(unread);
    expect(files()).toEqual([['a.md', 1, 2]]);
  });

  it('remembers a file that went, with what it held', () => {
    const note = noteOf('a.md', ['one']);
    writer.putFile(note);
    writer.closePass();
    writer.removeFile('a.md');
    expect(reader.fileHistory()).toEqual({
      pass: 2,
      files: [],
      departed: [{ path: 'a.md', sha256: note.sha256, size: 10, arrived: 1, changed: 1, gone: 2 }],
    });
  });

  it('has a file that goes and comes back within a pass where it was', () => {
    writer.putFile(noteOf('a.md', ['one']));
    writer.closePass();
    writer.removeFile('a.md');
    writer.putFile(noteOf('a.md', ['one']));
    expect([files(), departed()]).toEqual([[['a.md', 1, 1]], []]);
    writer.removeFile('a.md');
    writer.putFile(noteOf('a.md', ['other']));
    expect([files(), departed()]).toEqual([[['a.md', 1, 2]], []]);
  });

  it('has a file that comes back later as another one, and one that came and went at once as none', () => {
    writer.putFile(noteOf('a.md', ['one']));
    writer.closePass();
    writer.removeFile('a.md');
    writer.closePass();
    writer.putFile(noteOf('a.md', ['one']));
    writer.putFile(noteOf('b.md', ['two']));
    writer.removeFile('b.md');
    expect([files(), departed()]).toEqual([[['a.md', 3, 3]], [['a.md', 1, 2]]]);
  });

  it('counts no pass in which nothing was stored, and says whether files came or went', () => {
    expect(writer.closePass()).toBe(true);
    expect(writer.closePass()).toBe(false);
    writer.putFile(noteOf('a.md', ['one']));
    expect(writer.closePass()).toBe(true);
    writer.putFile(noteOf('a.md', ['other']));
    expect(writer.closePass()).toBe(false);
    writer.closePass();
    writer.putFile(noteOf('b.md', ['two']));
    expect(files()).toEqual([
      ['a.md', 2, 3],
      ['b.md', 4, 4],
    ]);
    writer.removeFile('a.md');
    expect(writer.closePass()).toBe(true);
  });

  it('takes what another process stored for an earlier pass once it has closed that', () => {
    writer.putFile(noteOf('a.md', ['one']));
    writer.close();
    writer = openIndexWriter(join(folder, 'index.db'));
    writer.closePass();
    writer.removeFile('a.md');
    expect(departed()).toEqual([['a.md', 1, 2]]);
  });

  it('counts what a group holds, and begins anew with an index that is emptied', () => {
    writer.putFile(noteOf('a.md', ['one']), { grouped: true });
    writer.closePass();
    writer.removeFile('a.md', { grouped: true });
    writer.closePass();
    expect(departed()).toEqual([['a.md', 1, 2]]);
    writer.wipe();
    writer.putFile(noteOf('b.md', ['two']));
    expect([files(), departed()]).toEqual([[['b.md', 1, 1]], []]);
  });

  it('forgets those that went first when there are too many', () => {
    const db = new Database(':memory:');
    db.exec(SCHEMA_SQL);
    const passes = new PassStore(db);
    passes.close();
    const gone = { sha256: 'x', size: 1, arrived: 1, changed: 1 };
    db.transaction(() => {
      for (let i = 0; i < 20_003; i++) passes.went({ ...gone, path: `${i}.md` });
    })();
    passes.close();
    expect(db.prepare('SELECT count(*) AS kept, min(path) AS first FROM departed').get()).toEqual({
      kept: 20_000,
      first: '10.md',
    });
    expect(db.prepare("SELECT count(*) AS there FROM departed WHERE path IN ('0.md', '2.md', '3.md')").get()).toEqual({
      there: 1,
    });
    db.close();
  });
});
