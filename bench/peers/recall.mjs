/** How much of what is nearest a search finds, against one that compares everything. Pure. */

/**
 * @param {readonly (readonly number[])[]} found numbers of vectors, a list a query
 * @param {readonly (readonly number[])[]} exact of the same queries, in the same order; none is empty
 * @returns {number} from 0 to 1: the average share of the exact ones that were found
 */
export function recallAgainst(found, exact) {
  if (found.length !== exact.length) throw new Error('Recall compares answers to the same queries.');
  const shares = exact.map((nearest, query) => {
    const has = new Set(found[query]);
    return nearest.filter((id) => has.has(id)).length / nearest.length;
  });
  return shares.reduce((sum, share) => sum + share, 0) / shares.length;
}
