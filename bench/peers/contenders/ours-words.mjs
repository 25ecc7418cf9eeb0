/**
 * Our lexical arm by itself, in this process: notes parsed, chunked and stored on the disk by the product's indexer, then 50
 * chunks a query and the rows they stand in. No vectors, no fusion, no pins.
 */
import { lexicalMatch, queryFrequencies } from '@vault-mcp/api/search/lexical';
import { createAnalyzer } from '@vault-mcp/shared/analysis/analyzer';
import { openIndexReader } from '@vault-mcp/shared/index-db/reader';
import { startLoneIndexer } from '../../lone-indexer.mjs';

const CANDIDATES = 50;
const EVERYTHING = { excludeDirs: [], includeSuperseded: false, readable: null };

export async function index(folder) {
  const indexer = await startLoneIndexer(folder);
  const analyzer = createAnalyzer('en');
  const reader = openIndexReader(indexer.indexPath);
  return {
    ask(query) {
      const match = lexicalMatch(queryFrequencies(reader, analyzer, query, null), reader.chunkCount());
      if (match === null) return [];
      const found = reader.lexicalCandidates(match, EVERYTHING, CANDIDATES);
      return [...new Set(reader.chunks(found.map(({ chunkId }) => chunkId)).map(({ path }) => path))];
    },
    async close() {
      reader.close();
      await indexer.close();
    },
  };
}
