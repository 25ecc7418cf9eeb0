/**
 * What grouping the notes of an index takes, part by part as the product does it, and beside it the peer: every two vectors
 * compared in plain JavaScript in the same run. Danger: where the peer finds other pairs, one of the two is wrong, and the
 * figures say nothing.
 */
import { readNoteVectors } from '@vault-mcp/shared/index-db/note-vectors';
import { comparedBy } from '../apps/api/dist/memory/consolidate/cluster-notes.js';
import { MAX_PAIRS } from '../apps/api/dist/memory/consolidate/clusters.js';
import { completeLinkage } from '../apps/api/dist/memory/consolidate/complete-linkage.js';
import { neighbours } from '../apps/api/dist/memory/consolidate/neighbours.js';

/** What two ways of adding up may differ by where a pair lies at the ceiling. */
const AT_THE_EDGE = 1e-5;

/** @param {string} indexPath; @param {readonly string[]} excludeDirs folders that consolidation leaves alone */
export function measureGrouping(indexPath, ceiling, excludeDirs) {
  const isCompared = comparedBy(excludeDirs);
  const notes = [];
  const reading = timed(() =>
    readNoteVectors(indexPath, {
      wants: ({ path }) => isCompared(path),
      onNote: ({ path, title, sha256: etag }, vector) => notes.push({ path, title, etag, vector }),
    }),
  );
  const vectors = notes.map(({ vector }) => vector);
  const comparing = timed(() => neighbours(vectors, ceiling, MAX_PAIRS));
  const within = comparing.value.filter(({ a, b }) => folderOf(notes[a]) === folderOf(notes[b]));
  const linkage = timed(() => completeLinkage(within));
  const peer = timed(() => allPairs(vectors, ceiling));
  const found = comparing.value.length;
  if (found < peer.value.surely || found > peer.value.perhaps) {
    throw new Error(`${found} pairs were found, and the peer has ${peer.value.surely} to ${peer.value.perhaps}`);
  }
  return {
    notes: notes.length,
    pairs: found,
    reading: reading.ms,
    neighbours: comparing.ms,
    linkage: linkage.ms,
    peer: peer.ms,
  };
}

const folderOf = ({ path }) => path.slice(0, path.lastIndexOf('/'));

function allPairs(vectors, ceiling) {
  let surely = 0;
  let perhaps = 0;
  for (let a = 0; a < vectors.length; a++) {
    const one = vectors[a];
    for (let b = a + 1; b < vectors.length; b++) {
      const other = vectors[b];
      let product = 0;
      for (let at = 0; at < one.length; at++) product += one[at] * other[at];
      const distance = 1 - product;
      if (distance <= ceiling - AT_THE_EDGE) surely++;
      if (distance <= ceiling + AT_THE_EDGE) perhaps++;
    }
  }
  return { surely, perhaps };
}

function timed(work) {
  const before = performance.now();
  const value = work();
  return { value, ms: performance.now() - before };
}
