import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { noteOf } from '../../../../test/support/index-records.ts';
import { type IndexReader, openIndexReader } from './reader.ts';
import { type IndexWriter, openIndexWriter } from './writer.ts';

let folder: string;
let writer: IndexWriter;
let reader: IndexReader;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'index-db-'));
  writer = openIndexWriter(join(folder, 'index.db'));
  reader = openIndexReader(join(folder, 'index.db'));
});
afterEach(() => {
  reader.close();
  writer.close();
  rmSync(folder, { recursive: true, force: true });
});

describe('the statistics of terms', () => {
  it('are of nothing while nothing is there', () => {
    expect(reader.termStatistics()).toEqual({ rows: 0, terms: 0 });
  });

  it('are the rows and the terms that the ranks go by', () => {
    const words = Array.from({ length: 300 }, (_, n) => `w${n}`).join(' ');
    writer.putFile(noteOf('long.md', [words]));
    writer.putFile(noteOf('short.md', ['one two three', 'four five']));
    expect(reader.termStatistics()).toEqual({ rows: 3, terms: 305 });
    // FTS5's bm25 of a term in one row of three, where it stands once.
    const { rows, terms } = reader.termStatistics();
    const [hit] = reader.lexicalCandidates('"four"', { excludeDirs: [], includeSuperseded: true, readable: null }, 1);
    const idf = Math.log((rows - 1 + 0.5) / 1.5);
    expect(hit?.bm25).toBeCloseTo((-idf * 2.2) / (1 + 1.2 * (0.25 + (0.75 * 2) / (terms / rows))), 9);
  });

  it('go on as the ranks do when a note was taken out', () => {
    for (const name of ['a', 'b', 'c', 'd']) writer.putFile(noteOf(`${name}.md`, [`${name} said`]));
    writer.removeFile('d.md');
    const { rows, terms } = reader.termStatistics();
    const [hit] = reader.lexicalCandidates('"a"', { excludeDirs: [], includeSuperseded: true, readable: null }, 1);
    const idf = Math.log((rows - 1 + 0.5) / 1.5);
    expect(hit?.bm25).toBeCloseTo((-idf * 2.2) / (1 + 1.2 * (0.25 + (0.75 * 2) / (terms / rows))), 9);
  });
});
