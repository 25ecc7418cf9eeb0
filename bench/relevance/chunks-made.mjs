/**
 * What a chunker made of a vault, in figures. Pure. Danger: two variants are told to be the same by their fingerprint, so it holds all
 * that search ranks by.
 */
import { createHash } from 'node:crypto';

/**
 * @typedef {{perNote: number, median: number, largest: number, belowMinimum: number}} ChunkSizes chunks a note; tokens; a share
 * @param {readonly {text: string}[]} chunks at least one
 * @param {{notes: number, tokensOf: (text: string) => number, minTokens: number}} options
 * @returns {ChunkSizes}
 */
export function chunkSizes(chunks, { notes, tokensOf, minTokens }) {
  const sizes = chunks.map(({ text }) => tokensOf(text)).toSorted((a, b) => a - b);
  return {
    perNote: chunks.length / notes,
    median: sizes[sizes.length >> 1],
    largest: sizes.at(-1),
    belowMinimum: sizes.filter((size) => size < minTokens).length / sizes.length,
  };
}

/** The same for the same chunks in whatever order the files come. */
export function fingerprint(chunks) {
  const lines = chunks.map(({ path, ordinal, lineStart, breadcrumb, text }) =>
    JSON.stringify([path, ordinal, lineStart, breadcrumb, text]),
  );
  return createHash('sha256').update(lines.toSorted().join('\n')).digest('hex');
}
