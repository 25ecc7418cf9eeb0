import { mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createTempFolder, type TempFolder } from '../../../../test/support/temp-folder.ts';
import { RecordOpenError } from './record-open-error.ts';
import { openRecord, type RecordSchema } from './versioned-database.ts';

let folder: TempFolder;
let path: string;
beforeEach(async () => {
  folder = await createTempFolder('record');
  path = join(folder.path, 'data', 'record.db');
});
afterEach(() => folder.remove());

const FIRST: RecordSchema = { applicationId: 77, upgrades: ['CREATE TABLE row (text TEXT NOT NULL)'] };
const SECOND: RecordSchema = {
  ...FIRST,
  upgrades: [...FIRST.upgrades, "ALTER TABLE row ADD COLUMN more TEXT NOT NULL DEFAULT 'none'"],
};

function rows(file: string): unknown[] {
  const db = new Database(file, { readonly: true });
  try {
    return db.prepare('SELECT * FROM row').all();
  } finally {
    db.close();
  }
}

function fill(): void {
  const db = openRecord(path, FIRST);
  db.exec("INSERT INTO row VALUES ('kept')");
  db.close();
}

describe('a record', () => {
  it('is made, closed to others, and opened again as it was', () => {
    fill();
    openRecord(path, FIRST).close();
    expect(rows(path)).toEqual([{ text: 'kept' }]);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(statSync(join(folder.path, 'data')).mode & 0o777).toBe(0o700);
  });

  it('of an older version is upgraded, and a copy of it kept', () => {
    fill();
    openRecord(path, SECOND).close();
    expect(rows(path)).toEqual([{ text: 'kept', more: 'none' }]);
    expect(rows(`${path}.v1`)).toEqual([{ text: 'kept' }]);
    expect(statSync(`${path}.v1`).mode & 0o777).toBe(0o600);
  });

  it('stays as it was when an upgrade fails, and is upgraded by the next try', () => {
    fill();
    const broken = { ...SECOND, upgrades: [...SECOND.upgrades, 'nonsense'] };
    expect(() => openRecord(path, broken)).toThrow(RecordOpenError);
    expect(rows(path)).toEqual([{ text: 'kept' }]);
    openRecord(path, SECOND).close();
    expect(rows(path)).toEqual([{ text: 'kept', more: 'none' }]);
  });

  it('of a newer version is refused and left alone', () => {
    openRecord(path, SECOND).close();
    expect(() => openRecord(path, FIRST)).toThrow(/newer version/);
    openRecord(path, SECOND).close();
  });

  it("is not put into another program's database", () => {
    mkdirSync(join(folder.path, 'data'));
    const other = new Database(path);
    other.exec('CREATE TABLE theirs (x)');
    other.close();
    expect(() => openRecord(path, FIRST)).toThrow(/another program/);
  });

  it('that is damaged is refused and left alone', () => {
    mkdirSync(join(folder.path, 'data'));
    writeFileSync(path, 'no database '.repeat(100));
    expect(() => openRecord(path, FIRST)).toThrow(/damaged/);
    expect(statSync(path).size).toBe(1200);
    expect(readdirSync(join(folder.path, 'data'))).toEqual(['record.db']);
  });

  it('that cannot be made says why', () => {
    writeFileSync(join(folder.path, 'data'), 'a file where the folder should be');
    expect(() => openRecord(path, FIRST)).toThrow(/cannot be opened \(EEXIST\)/);
  });
});
