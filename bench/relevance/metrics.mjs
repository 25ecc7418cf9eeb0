/**
 * What a ranked list is worth against judgments: nDCG, recall, reciprocal rank. Pure. As trec_eval computes them: the gain of a
 * document is its grade (not 2^grade - 1), the discount at rank r is log2(r + 1), the ideal list is made of all judged documents
 * whether retrieved or not, and a grade below zero or none at all gains nothing (measures ndcg_cut, recall, recip_rank).
 */

/**
 * @typedef {{ndcg10: number, recall10: number, recall50: number, mrr: number}} Figures each from 0 to 1
 */

/**
 * @param {readonly string[]} ranked document ids, best first, each once
 * @param {ReadonlyMap<string, number>} judgments grades; at least one above zero
 * @returns {Figures} `mrr` is the reciprocal rank of the first relevant document among the first 50, 0 when there is none
 */
export function figuresOf(ranked, judgments) {
  return {
    ndcg10: ndcg(ranked, judgments, 10),
    recall10: recall(ranked, judgments, 10),
    recall50: recall(ranked, judgments, 50),
    mrr: reciprocalRank(ranked.slice(0, 50), judgments),
  };
}

/** Normalised discounted cumulative gain of the first `depth`. */
export function ndcg(ranked, judgments, depth) {
  const ideal = [...judgments.values()].map(gainOf).sort((a, b) => b - a);
  const gains = ranked.map((id) => gainOf(judgments.get(id)));
  return discounted(gains.slice(0, depth)) / discounted(ideal.slice(0, depth));
}

/** Share of the relevant documents among the first `depth`. */
export function recall(ranked, judgments, depth) {
  const relevant = [...judgments.values()].filter((grade) => gainOf(grade) > 0).length;
  return ranked.slice(0, depth).filter((id) => gainOf(judgments.get(id)) > 0).length / relevant;
}

export function reciprocalRank(ranked, judgments) {
  const first = ranked.findIndex((id) => gainOf(judgments.get(id)) > 0);
  return first === -1 ? 0 : 1 / (first + 1);
}

/**
 * Share of a page's results that stand in the one note of which there are most.
 * @param {readonly string[]} paths of the results, one each; at least one
 */
export function concentration(paths) {
  const perNote = new Map();
  for (const path of paths) perNote.set(path, (perNote.get(path) ?? 0) + 1);
  return Math.max(...perNote.values()) / paths.length;
}

/** @param {readonly Figures[]} all one a query, at least one */
export function averaged(all) {
  return Object.fromEntries(
    Object.keys(all[0]).map((name) => [name, all.reduce((sum, figures) => sum + figures[name], 0) / all.length]),
  );
}

function gainOf(grade) {
  return Math.max(0, grade ?? 0);
}

function discounted(gains) {
  return gains.reduce((sum, gain, index) => sum + gain / Math.log2(index + 2), 0);
}
