/**
 * What other programs rank on the same documents, as the line to be held: BM25 by an independent library, and MiniSearch as it comes.
 * The reference is Okapi BM25 with k1 0.9 and b 0.4 (the values of Anserini's baselines) and the idf that cannot go below zero
 * (Lucene's: ln(1 + (N - n + 0.5) / (n + 0.5)), in the library the smoothing k = 1), over title and text as one field, in lower case,
 * English stop words out, Porter's second stemmer (Porter2). Danger: a reference that shares our analysis would share its mistakes,
 * so nothing of the product stands here.
 */
import MiniSearch from 'minisearch';
import winkBm25 from 'wink-bm25-text-search';
import wink from 'wink-nlp-utils';

const DEPTH = 50;
const PRECISION = 9;
/** The library refuses fewer. */
const FEWEST = 3;

/**
 * @typedef {(query: string) => string[]} Ranker ids of at most 50 documents, best first
 * @param {readonly {id: string, title: string, text: string}[]} documents
 * @returns {Ranker | null} null when there are too few documents for the library
 */
export function referenceBm25(documents) {
  if (documents.length < FEWEST) return null;
  const engine = winkBm25();
  engine.defineConfig({ fldWeights: { body: 1 }, bm25Params: { k1: 0.9, b: 0.4, k: 1 } });
  engine.definePrepTasks([words, wink.tokens.removeWords, wink.tokens.stem]);
  documents.forEach(({ title, text }, index) => {
    engine.addDoc({ body: `${title}\n${text}` }, index);
  });
  engine.consolidate(PRECISION);
  return (query) => engine.search(query, DEPTH).map(([index]) => documents[Number(index)].id);
}

/** @returns {Ranker} MiniSearch with its own defaults over title and text */
export function miniSearch(documents) {
  const index = new MiniSearch({ fields: ['title', 'text'] });
  index.addAll(documents);
  return (query) =>
    index
      .search(query)
      .slice(0, DEPTH)
      .map(({ id }) => id);
}

function words(text) {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}
