/**
 * The product's ranking of one query, by arm: lists of notes, best first, each note where its best chunk stands. All of them come
 * from the search that REST and MCP call (`search/search`), asked for more results than a page holds; nothing is ranked here.
 *
 *   lexical, dense   an arm by itself: the ranks that search's own `explain` gives its candidates, the window opened
 *   hybrid           search as it is configured: both arms, fusion, document weight, pins, diversity
 *
 * Danger: an answer that is degraded looks like a bad one, so it is an error.
 */
import { search } from '@vault-mcp/api/search/search';

/** Chunks an arm is asked for: 50 notes of up to eight chunks each. */
const WINDOW = 400;
const NOTES = 50;
/** What an agent asks for at most on one page in most clients; nDCG@10 is about it. */
export const PAGE = 10;

const FILTER = { excludeDirs: [], includeSuperseded: false, readable: null };

/**
 * @param dependencies of search; without an embedder `dense` and `hybrid` are null
 * @param {string} query
 * @returns {Promise<{lexical: string[], dense: string[] | null, hybrid: string[] | null}>} paths, at most 50 an arm
 */
export async function rankedByArm(dependencies, query) {
  const ranked = Object.entries(await chunksByArm(dependencies, query));
  return Object.fromEntries(ranked.map(([arm, chunks]) => [arm, chunks && notesOf(chunks)]));
}

/**
 * The same as chunks, as search gives them.
 * @returns {Promise<Record<'lexical' | 'dense' | 'hybrid', import('@vault-mcp/api/search/search').SearchResult[] | null>>}
 */
export async function chunksByArm(dependencies, query) {
  const words = await ask(opened({ ...dependencies, embedder: null }), query, WINDOW);
  const lexical = byRank(words, 'lexical_rank');
  if (!dependencies.embedder) return { lexical, dense: null, hybrid: null };
  const both = await ask(opened(dependencies), query, 2 * WINDOW);
  const hybrid = await ask(dependencies, query, 2 * WINDOW);
  return { lexical, dense: byRank(both, 'dense_rank'), hybrid };
}

/** @returns the first page, as a caller gets it */
export async function firstPage(dependencies, query) {
  return ask(dependencies, query, PAGE);
}

/** Both arms on, and each asked for more candidates than a page needs: what each ranks, not how they are fused. */
function opened(dependencies) {
  const settings = { ...dependencies.settings, candidates: WINDOW, dense_weight: 1, lexical_weight: 1 };
  return { ...dependencies, settings };
}

async function ask(dependencies, query, k) {
  const { results, degraded } = await search(dependencies, { query, k, filter: FILTER, explain: true });
  if (degraded.length > 0) throw new Error(`A query was answered in part (${degraded.join(', ')}): ${query}`);
  return results;
}

function byRank(results, name) {
  const held = results.filter(({ explain }) => explain[name] !== null);
  return held.sort((a, b) => a.explain[name] - b.explain[name]);
}

/** Each note once, where its first chunk stands. */
function notesOf(results) {
  return [...new Set(results.map(({ path }) => path))].slice(0, NOTES);
}
