/**
 * What both arms of the product answer to every query of a collection, with their scores, for trying other ways to fuse them
 * without asking again. Danger: these are chunks of the window that search uses; a way that wants more of them is another way.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { lexicalMatch, queryFrequencies } from '@vault-mcp/api/search/lexical';
import { readCollection } from './collection.mjs';
import { indexVault } from './index-vault.mjs';
import { writeNotes } from './notes.mjs';

const FILTER = { excludeDirs: [], includeSuperseded: false, readable: null };

/**
 * @typedef {{chunkId: number, score: number}} Scored of words BM25, of meaning the cosine: higher is better
 * @typedef {{lexical: Scored[], dense: Scored[], documentOf: Map<number, string>, judgments: Map<string, number>}} Candidates best first
 * @param {string} folder a collection's
 * @param {{embedding: {env: Record<string, string>}, vectors: string, window: number, say: (line: string) => void}} options
 * @returns {Promise<{name: string, queries: Candidates[]}>}
 */
export async function candidatesOf(folder, { embedding, vectors, window, say }) {
  const { name, documents, queries } = readCollection(folder);
  const base = mkdtempSync(join(tmpdir(), 'vault-mcp-fusion-'));
  try {
    const ids = writeNotes(join(base, 'vault'), documents);
    const places = { vault: join(base, 'vault'), data: join(base, 'data') };
    const indexed = await indexVault({
      ...places,
      embedding: embedding.env,
      vectors,
      say: (line) => say(`${name}: ${line}`),
    });
    try {
      const all = [];
      for (const query of queries) all.push(await asked(indexed.dependencies, query, window, ids));
      return { name, queries: all };
    } finally {
      await indexed.close();
    }
  } finally {
    rmSync(base, { recursive: true, force: true });
  }
}

async function asked({ reader, analyzer, embedder }, { text, judgments }, window, ids) {
  const match = lexicalMatch(queryFrequencies(reader, analyzer, text, null), reader.chunkCount());
  const words = match === null ? [] : reader.lexicalCandidates(match, FILTER, window);
  const vector = await embedder.embedQuery(text, AbortSignal.timeout(600_000));
  const near = reader.denseCandidates(vector, FILTER, window);
  const chunks = reader.chunks([...new Set([...words, ...near].map(({ chunkId }) => chunkId))]);
  return {
    lexical: words.map(({ chunkId, bm25 }) => ({ chunkId, score: -bm25 })),
    dense: near.map(({ chunkId, distance }) => ({ chunkId, score: 1 - distance })),
    documentOf: new Map(chunks.map(({ id, path }) => [id, ids.get(path)])),
    judgments,
  };
}
