/**
 * Records for index database tests: one place that knows every field, so that a test names only what it is about.
 */
import { createHash } from 'node:crypto';
import type { FileRecord, IndexedChunk } from '@vault-mcp/shared/index-db/file-store';

export function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** A chunk whose terms are its lower-cased words. */
export function chunkOf(text: string, overrides: Partial<IndexedChunk> = {}): IndexedChunk {
  return {
    ordinal: 0,
    breadcrumb: '',
    lineStart: 1,
    lineEnd: 1,
    text,
    page: null,
    terms: text.toLowerCase(),
    textHash: sha256(text),
    ...overrides,
  };
}

/** A note whose chunks are the given texts, one line each. */
export function noteOf(path: string, texts: readonly string[], overrides: Partial<FileRecord> = {}): FileRecord {
  return {
    path,
    kind: 'note',
    sha256: sha256(texts.join('\n')),
    stat: { size: 10, mtimeMs: 1000.5, ctimeMs: 1000.5, inode: 7 },
    digest: 'd1',
    title: path,
    description: '',
    type: null,
    tags: [],
    supersededBy: null,
    state: 'indexed',
    reason: null,
    chunks: texts.map((text, ordinal) => chunkOf(text, { ordinal, lineStart: ordinal + 1, lineEnd: ordinal + 1 })),
    links: [],
    ...overrides,
  };
}

/** A unit vector of `dims` along one axis. */
export function axis(at: number, dims = 4): Float32Array {
  const vector = new Float32Array(dims);
  vector[at] = 1;
  return vector;
}
