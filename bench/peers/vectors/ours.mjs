/**
 * Our dense arm over the rows that the product's writer stores: vectors on the disk, a hundred bytes of each in memory, compared
 * roughly there and exactly from the rows. Danger: what is in memory is read in the background, and until then everything is
 * compared, so it is waited for.
 */
import { nearestChunks } from '@vault-mcp/api/search/dense';
import { openIndexReader } from '@vault-mcp/shared/index-db/reader';
import { openIndexWriter } from '@vault-mcp/shared/index-db/writer';
import { loadTime } from '../../scale/load-time.mjs';

const EVERYTHING = { excludeDirs: [], includeSuperseded: false, readable: null };
const CHUNKS_OF_A_NOTE = 5;

/** @param {string} path of a database that is made */
export function openStore(path) {
  const writer = openIndexWriter(path);
  writer.embeddings.useSpace('bench-peers');
  let notes = 0;
  return {
    /** The chunks come first, and are not timed. @returns milliseconds */
    store(batch) {
      for (let at = 0; at < batch.length; at += CHUNKS_OF_A_NOTE) {
        writer.putFile(noteOf(notes++, batch.slice(at, at + CHUNKS_OF_A_NOTE)), { grouped: true });
      }
      writer.flush();
      const before = performance.now();
      writer.embeddings.storeVectors(new Map(batch.map(({ id, vector }) => [String(id), vector])));
      return performance.now() - before;
    },
    close() {
      writer.checkpoint();
      writer.close();
    },
  };
}

/** @param {Float32Array} probe any vector of that length */
export async function openSearch(path, probe) {
  const reader = openIndexReader(path);
  const nearest = (vector, k) => nearestChunks(reader, vector, EVERYTHING, k);
  reader.chunkCount();
  await loadTime(reader, () => nearest(probe, 1));
  return {
    nearest,
    idsOf: (found) => reader.chunks(found.map(({ chunkId }) => chunkId)).map(({ text }) => Number(text)),
    close: () => reader.close(),
  };
}

/** Chunks without words, each called by its vector's number. */
function noteOf(n, batch) {
  const chunks = batch.map(({ id }, ordinal) => ({
    ...{ ordinal, breadcrumb: '', lineStart: ordinal + 1, lineEnd: ordinal + 1, page: null, terms: '' },
    ...{ text: String(id), textHash: String(id) },
  }));
  return {
    ...{ path: `${n}.md`, kind: 'note', sha256: `${n}`, stat: { size: 1, mtimeMs: 1, ctimeMs: 1, inode: 1 } },
    ...{ digest: 'bench', title: `${n}`, description: '', type: null, tags: [], supersededBy: null, state: 'indexed' },
    ...{ reason: null, chunks, links: [] },
  };
}
