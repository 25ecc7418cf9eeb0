/**
 * `npm run relevance:signatures`: how many of the 50 chunks that are truly nearest the dense arm finds by its signatures, with vectors
 * of real texts by a real model. These sets are small enough for every vector to be compared, so the boundary is lowered to none on
 * one reader and raised out of reach on the other. Danger: a reader falls back on comparing everything where signatures cannot
 * say (not all read, too unlike their vectors), which would be a recall of 1 for nothing; so as few are kept as are wanted, too, and
 * where that loses nothing the run ends.
 *
 *   npm run relevance:signatures -- --embedder builtin|minilm [--write] [--cache DIR]
 */
import { DenseSearch } from '@vault-mcp/shared/index-db/dense-search';
import { ReaderConnection } from '@vault-mcp/shared/index-db/reader-connection';
import { measuredBy } from '../report.mjs';
import { withEachSet } from './indexed-sets.mjs';
import { runReport } from './report-run.mjs';

/** search.candidates */
const WANTED = 50;
/** Compared in full for each chunk wanted; 10 is in force. */
const KEPT_FOR_EACH = [1, 2, 4, 10];
const EVERYTHING = { excludeDirs: [], includeSuperseded: false, readable: null };
/** Rows that one search reads for itself at least. */
const READ_BY_EACH = 1_000;

await runReport('npm run relevance:signatures', async ({ embedding, vectors, say }) =>
  render(await withEachSet({ embedding, vectors, say }, recallsOf)),
);

/** @returns {Promise<{name: string, chunks: number, recalls: {mean: number, least: number}[]}>} one of each number kept */
async function recallsOf({ name, queries, dependencies, indexPath }) {
  const asked = [];
  for (const { text } of queries) {
    asked.push(await dependencies.embedder.embedQuery(text, AbortSignal.timeout(600_000)));
  }
  const chunks = dependencies.reader.chunkCount();
  const truth = nearestOf(indexPath, { comparedAll: Number.POSITIVE_INFINITY }, (ask) => asked.map(ask));
  const recalls = KEPT_FOR_EACH.map((keptForEach) =>
    nearestOf(indexPath, { comparedAll: 0, keptForEach }, (ask, dense) => {
      for (let read = 0; read <= chunks + READ_BY_EACH; read += READ_BY_EACH) ask(asked[0]);
      if (dense.byteLength() === 0) throw new Error(`${name}: no signatures were read, so everything is compared.`);
      return recallOf(asked.map((vector, at) => shareFound(truth[at], ask(vector))));
    }),
  );
  if (recalls[0].least === 1) throw new Error(`${name}: few kept lose nothing, so everything was compared.`);
  return { name, chunks, recalls };
}

function nearestOf(indexPath, limits, work) {
  const connection = new ReaderConnection(indexPath, Date.now, (error) => {
    throw error;
  });
  const dense = new DenseSearch(connection, limits);
  try {
    return work((vector) => dense.candidates(vector, EVERYTHING, WANTED), dense);
  } finally {
    dense.close();
    connection.close();
  }
}

/** Ties count for either. */
function shareFound(exact, found) {
  const farthest = exact.at(-1).distance + 1e-6;
  return found.filter(({ distance }) => distance <= farthest).length / exact.length;
}

function recallOf(shares) {
  return { mean: shares.reduce((sum, share) => sum + share, 0) / shares.length, least: Math.min(...shares) };
}

function render(sets) {
  const row = (label, values) => `| ${label} | ${values.join(' | ')} |`;
  const heads = sets.map(({ name, chunks }) => `${name} (${chunks} chunks)`);
  return `${measuredBy('npm run relevance:signatures')}: recall@${WANTED} of the dense arm, mean over all
queries / of the worst one.

${row('compared in full', heads)}
${row(
  '---',
  sets.map(() => '---'),
)}
${KEPT_FOR_EACH.map((each, at) =>
  row(
    `${WANTED * each}`,
    sets.map(({ recalls }) => `${recalls[at].mean.toFixed(4)} / ${recalls[at].least.toFixed(2)}`),
  ),
).join('\n')}
`;
}
