/**
 * An index with its writer and a reader, for each test of a file. Danger: `writer` is another one after `restart`, so it is
 * always asked for, never kept.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type IndexReader, openIndexReader } from '@vault-mcp/shared/index-db/reader';
import { type IndexWriter, openIndexWriter } from '@vault-mcp/shared/index-db/writer';
import { afterEach, beforeEach } from 'vitest';

export interface OpenIndex {
  readonly writer: IndexWriter;
  readonly reader: IndexReader;
  /** Goes on with the same file in a new writer. */
  restart(): void;
}

/** Registers the hooks that make the index, and remove it. */
export function openIndex(): OpenIndex {
  let folder: string;
  let writer: IndexWriter;
  let reader: IndexReader;
  const path = () => join(folder, 'index.db');
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'open-index-'));
    writer = openIndexWriter(path());
    reader = openIndexReader(path());
  });
  afterEach(() => {
    reader.close();
    writer.close();
    rmSync(folder, { recursive: true, force: true });
  });
  return {
    get writer() {
      return writer;
    },
    get reader() {
      return reader;
    },
    restart() {
      writer.close();
      writer = openIndexWriter(path());
    },
  };
}
