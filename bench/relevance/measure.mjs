/**
 * One set through the product: a vault indexed, every query asked, figures by arm and of the first page. What is measured stands in
 * arms.mjs and metrics.mjs.
 */
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { firstPage, rankedByArm } from './arms.mjs';
import { indexVault } from './index-vault.mjs';
import { averaged, concentration, figuresOf, ndcg } from './metrics.mjs';
import { writeNotes } from './notes.mjs';
import { miniSearch, referenceBm25 } from './references.mjs';

export const ARMS = ['lexical', 'dense', 'hybrid'];

/**
 * @typedef {import('./metrics.mjs').Figures} Figures
 * @typedef {{ndcg10: number | null, concentration: number, pinned: number, topScore: number}} Page ndcg10 is of the page's notes;
 *   `topScore` is what `explain` says of the first result, 0 when there is none
 * @typedef {{id: string, text: string, tags: string[], arm?: string, arms: Record<string, Figures | null> | null, page: Page}} OfQuery
 *   `arms` is null where nothing is relevant
 * @typedef {{name: string, queries: number, arms: Record<string, Figures | null>, page: {ndcg10: number, concentration: number},
 *   references: Record<string, Figures | null>, perQuery: OfQuery[]}} MeasuredSet averages are over the `queries` that have an answer
 */

/**
 * @param {import('./collection.mjs').Collection} collection
 * @param {{embedding: {env: Record<string, string>, without: string | null}, vectors: string, say: (line: string) => void}} options
 * @returns {Promise<MeasuredSet>}
 */
export function measureCollection(collection, options) {
  return inVault(options, (vault) => {
    const ids = writeNotes(vault, collection.documents);
    return async (dependencies) => {
      const perQuery = await askAll(dependencies, collection.queries, (path) => ids.get(path));
      return summary(collection.name, perQuery, collection.queries, collection.documents);
    };
  });
}

/**
 * A folder of notes and documents as it is.
 * @param {{name: string, folder: string, queries: ReturnType<import('./own-queries.mjs').readOwnQueries>}} set
 * @returns {Promise<MeasuredSet>}
 */
export function measureVault({ name, folder, queries }, options) {
  return inVault(options, (vault) => {
    cpSync(folder, vault, { recursive: true });
    return async (dependencies, paths) => {
      const perQuery = await askAll(dependencies, queries, (path) => path);
      return summary(name, perQuery, queries, readAsDocuments(dependencies.reader, paths));
    };
  });
}

/** @param fill puts files into the folder and returns what is to be done once they are indexed */
async function inVault({ embedding, vectors, say }, fill) {
  const base = mkdtempSync(join(tmpdir(), 'vault-mcp-relevance-'));
  try {
    const vault = join(base, 'vault');
    const work = fill(vault);
    const indexed = await indexVault({ vault, data: join(base, 'data'), embedding: embedding.env, vectors, say });
    try {
      const { dependencies, paths } = indexed;
      return await work(embedding.without ? { ...dependencies, embedder: null } : dependencies, paths);
    } finally {
      await indexed.close();
    }
  } finally {
    rmSync(base, { recursive: true, force: true });
  }
}

async function askAll(dependencies, queries, idOf) {
  const all = [];
  for (const { id, text, judgments, tags = [], arm } of queries) {
    const page = await firstPage(dependencies, text);
    const figures = judgments.size > 0 ? figuresByArm(await rankedByArm(dependencies, text), idOf, judgments) : null;
    all.push({ id, text, tags, arm, arms: figures, page: pageFigures(page, idOf, judgments) });
  }
  return all;
}

function figuresByArm(ranked, idOf, judgments) {
  return Object.fromEntries(ARMS.map((arm) => [arm, ranked[arm] && figuresOf(ranked[arm].map(idOf), judgments)]));
}

function pageFigures(page, idOf, judgments) {
  const notes = page.map(({ path }) => idOf(path));
  return {
    ndcg10: judgments.size > 0 ? ndcg([...new Set(notes)], judgments, 10) : null,
    concentration: notes.length > 0 ? concentration(notes) : 0,
    pinned: page.filter(({ pinned }) => pinned).length,
    topScore: page[0]?.explain.score ?? 0,
  };
}

function summary(name, perQuery, queries, documents) {
  const answerable = perQuery.filter(({ arms }) => arms !== null);
  const judged = queries.filter(({ judgments }) => judgments.size > 0);
  const pages = averaged(
    answerable.map(({ page: { ndcg10, concentration: share } }) => ({ ndcg10, concentration: share })),
  );
  return {
    name,
    queries: answerable.length,
    arms: Object.fromEntries(
      ARMS.map((arm) => [arm, answerable[0].arms[arm] && averaged(answerable.map(({ arms }) => arms[arm]))]),
    ),
    page: pages,
    references: {
      bm25: referenceFigures(referenceBm25(documents), judged),
      minisearch: referenceFigures(miniSearch(documents), judged),
    },
    perQuery,
  };
}

function referenceFigures(rank, judged) {
  return rank && averaged(judged.map(({ text, judgments }) => figuresOf(rank(text), judgments)));
}

/** What the index read of each file, so that references get the text of PDFs, too. */
function readAsDocuments(reader, paths) {
  return paths.map((path) => {
    const chunks = reader.chunksOf(path);
    return { id: path, title: chunks[0]?.title ?? '', text: chunks.map(({ text }) => text).join('\n') };
  });
}
