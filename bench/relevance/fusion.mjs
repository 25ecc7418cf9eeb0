/**
 * `npm run relevance:fusion`: which fusion of the two arms is right, over the judged collections: reciprocal rank fusion with every k
 * and weight of a grid, and the sum of scores relative to the best of each arm (the convex combination of Bruch, Gai and Ingber
 * 2023), where a chunk that the dense arm did not return counts as its last one did. Danger: the best of a grid is the best for what
 * it was chosen on; so each collection is also fused with what is best on the others, and that is the figure to believe.
 *
 *   npm run relevance:fusion -- --embedder builtin|minilm [--write] [--cache DIR]
 */
import { existsSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { measuredBy } from '../report.mjs';
import { candidatesOf } from './candidates.mjs';
import { averaged, figuresOf } from './metrics.mjs';
import { runReport } from './report-run.mjs';

/** search.candidates */
const WINDOW = 50;
const RRF_K = [5, 10, 20, 60];
/** Of words, where meaning has 1. */
const LEXICAL_WEIGHTS = [0.5, 0.7, 1, 2, 3, 4, 6, 8];
/** Of meaning; words have the rest. */
const DENSE_SHARES = [0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9];

await runReport('npm run relevance:fusion', async ({ embedding, vectors, say }) => {
  const folder = join(process.env.TEST_SHARED_FOLDER ?? resolve('../shared'), 'collections');
  if (!existsSync(folder)) {
    say('Skipped: The judged collections are not at hand (TEST_SHARED_FOLDER).');
    return null;
  }
  const sets = [];
  for (const name of readdirSync(folder).toSorted()) {
    sets.push(await candidatesOf(join(folder, name), { embedding, vectors, window: WINDOW, say }));
  }
  return render(sets);
});

/** @typedef {{family: string, label: string, rank: (query: import('./candidates.mjs').Candidates) => number[]}} Way */

/** @returns {Way[]} */
function waysToFuse() {
  const rrf = RRF_K.flatMap((k) =>
    LEXICAL_WEIGHTS.map((weight) => ({
      family: 'reciprocal rank fusion',
      label: `k ${k}, words ${weight}`,
      rank: (query) => reciprocalRanks(query, k, weight),
    })),
  );
  const scores = DENSE_SHARES.map((share) => ({
    family: 'relative scores',
    label: `meaning ${share}`,
    rank: (query) => relativeScores(query, share),
  }));
  return [...rrf, ...scores];
}

function reciprocalRanks({ lexical, dense }, k, weight) {
  const sums = new Map();
  const add = (arm, share) => {
    for (const [index, { chunkId }] of arm.entries()) {
      sums.set(chunkId, (sums.get(chunkId) ?? 0) + share / (k + index + 1));
    }
  };
  add(lexical, weight);
  add(dense, 1);
  return byScore(sums);
}

function relativeScores({ lexical, dense }, share) {
  const words = new Map(lexical.map(({ chunkId, score }) => [chunkId, score / lexical[0].score]));
  const meaning = new Map(dense.map(({ chunkId, score }) => [chunkId, score / dense[0].score]));
  const last = meaning.get(dense.at(-1)?.chunkId) ?? 0;
  const all = new Set([...words.keys(), ...meaning.keys()]);
  return byScore(
    new Map([...all].map((id) => [id, share * (meaning.get(id) ?? last) + (1 - share) * (words.get(id) ?? 0)])),
  );
}

function byScore(scores) {
  return [...scores].sort((a, b) => b[1] - a[1]).map(([id]) => id);
}

function ndcgOf({ queries }, rank) {
  const figures = queries.map((query) => {
    const documents = [...new Set(rank(query).map((id) => query.documentOf.get(id)))];
    return figuresOf(documents, query.judgments);
  });
  return averaged(figures).ndcg10;
}

function render(sets) {
  const arms = sets.map((set) => ({
    lexical: ndcgOf(set, ({ lexical }) => lexical.map(({ chunkId }) => chunkId)),
    dense: ndcgOf(set, ({ dense }) => dense.map(({ chunkId }) => chunkId)),
  }));
  const better = arms.map(({ lexical, dense }) => Math.max(lexical, dense));
  const ways = waysToFuse().map((way) => {
    const ndcg = sets.map((set) => ndcgOf(set, way.rank));
    return { ...way, ndcg, gains: ndcg.map((value, n) => value - better[n]) };
  });
  const families = [...new Set(ways.map(({ family }) => family))];
  const row = (label, values) => `| ${label} | ${values.join(' | ')} |`;
  return `${measuredBy('npm run relevance:fusion')}: nDCG@10, ${WINDOW} chunks an arm.

${row(
  '',
  sets.map(({ name }) => name),
)}
${row(
  '---',
  sets.map(() => '---'),
)}
${row(
  'words alone',
  arms.map(({ lexical }) => lexical.toFixed(3)),
)}
${row(
  'meaning alone',
  arms.map(({ dense }) => dense.toFixed(3)),
)}
${families
  .flatMap((family) =>
    rowsOf(
      family,
      ways.filter((way) => way.family === family),
      row,
    ),
  )
  .join('\n')}

Every way of the grid, and what it gains over the better arm; sorted by its worst collection:

${row('', [...sets.map(({ name }) => name), 'worst'])}
${row(
  '---',
  [...sets, 'worst'].map(() => '---'),
)}
${ways
  .toSorted((a, b) => worst(b.gains) - worst(a.gains))
  .map(({ label, gains }) => row(label, [...gains, worst(gains)].map(signed)))
  .join('\n')}
`;
}

/** What is best on all, and each collection with what is best on the others. */
function rowsOf(family, ways, row) {
  const best = chosenBy(ways, ({ gains }) => gains);
  const others = best.gains.map((_, left) => chosenBy(ways, ({ gains }) => gains.filter((_gain, n) => n !== left)));
  const shown = (value, gain) => `${value.toFixed(3)} (${signed(gain)})`;
  return [
    row(
      `${family}, best on all: ${best.label}`,
      best.ndcg.map((value, n) => shown(value, best.gains[n])),
    ),
    row(
      `${family}, best on the others`,
      others.map(({ label, ndcg, gains }, n) => `${shown(ndcg[n], gains[n])}: ${label}`),
    ),
  ];
}

/** By the worst collection first: nobody's vault may lose by fusion. Within 0.002 of that, by the mean. */
function chosenBy(ways, gainsOf) {
  const most = Math.max(...ways.map((way) => worst(gainsOf(way))));
  const close = ways.filter((way) => worst(gainsOf(way)) >= most - 0.002);
  return close.toSorted((a, b) => mean(gainsOf(b)) - mean(gainsOf(a)))[0];
}

function worst(gains) {
  return Math.min(...gains);
}

function mean(gains) {
  return gains.reduce((sum, gain) => sum + gain, 0) / gains.length;
}

function signed(value) {
  return `${value < 0 ? '−' : '+'}${Math.abs(value).toFixed(3)}`;
}
