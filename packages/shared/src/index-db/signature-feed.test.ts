import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { noteOf, sha256 } from '../../../../test/support/index-records.ts';
import { unitVectors } from '../../../../test/support/unit-vectors.ts';
import { openReadable, type Sqlite } from './open.ts';
import { SignatureFeed } from './signature-feed.ts';
import { type IndexWriter, openIndexWriter } from './writer.ts';

const next = unitVectors(64, 3);
let folder: string;
let writer: IndexWriter;
let db: Sqlite;
let feed: SignatureFeed;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'signature-feed-'));
  writer = openIndexWriter(join(folder, 'index.db'));
  writer.embeddings.useSpace('s');
  db = openReadable(join(folder, 'index.db'));
  feed = new SignatureFeed(db);
});
afterEach(() => {
  db.close();
  writer.close();
  rmSync(folder, { recursive: true, force: true });
});

function put(name: string, ...texts: string[]): void {
  writer.putFile(noteOf(name, texts));
  writer.embeddings.storeVectors(new Map(texts.map((text) => [sha256(text), next()])));
}

const advance = (most: number) => db.transaction(() => feed.advance(most))();

/** Every content with a vector, by what the database says, and by what the table names. */
function compared(): { stored: number[]; named: number[] } {
  const stored = db.prepare('SELECT embedding_id FROM embedding_vector ORDER BY 1').pluck().all() as number[];
  const { ids } = feed.table?.nearest(next(), null, { weighed: 1e6, kept: 1e6 }) ?? { ids: [] };
  return { stored, named: [...ids].sort((a, b) => a - b) };
}

it('reads part by part, and says only at the end that it is as the index is', () => {
  for (let n = 0; n < 10; n++) put(`n${n}.md`, `one of ${n}`, `two of ${n}`);
  const steps = Array.from({ length: 5 }, () => advance(5));
  expect(steps).toEqual([false, false, false, false, true]);
  const { stored, named } = compared();
  expect(named).toEqual(stored);
});

it('misses nothing that a writer does between two parts', () => {
  for (let n = 0; n < 10; n++) put(`n${n}.md`, `one of ${n}`, `two of ${n}`);
  for (let step = 0; !advance(3); step++) {
    // New, embedded again, and gone, on either side of what is read so far.
    if (step < 6) put(`new${step}.md`, `new ${step}`);
    if (step < 6) put(`n${step}.md`, `one of ${step}`);
    if (step === 3) writer.removeFile('n9.md');
    if (step === 4) writer.removeFile('n0.md');
  }
  const { stored, named } = compared();
  // What has gone may still be named; whoever looks it up finds that it has.
  for (const id of stored) expect(named).toContain(id);
});

it('reads nothing while nothing changes, and then only what is new', () => {
  for (let n = 0; n < 10; n++) put(`n${n}.md`, `text ${n}`);
  while (!advance(4)) {}
  put('new.md', 'new');
  expect([advance(4), advance(0)]).toEqual([true, true]);
});

it('forgets what has gone once it is most of what it holds', () => {
  put('stays.md', 'stays');
  for (let round = 0; round < 7; round++) {
    const texts = Array.from({ length: 2000 }, (_, n) => `${round} ${n}`);
    put('edited.md', ...texts);
    while (!advance(5000)) {}
  }
  expect(feed.table?.size).toBeLessThan(10_000);
  const { stored, named } = compared();
  for (const id of stored) expect(named).toContain(id);
});
