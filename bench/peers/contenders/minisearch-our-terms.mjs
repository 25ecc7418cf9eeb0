/** MiniSearch with the terms of our analyzer in place of its own: what of the difference is words, and what is the rest. */
import { createAnalyzer } from '@vault-mcp/shared/analysis/analyzer';
import { index as indexWith } from './minisearch.mjs';

const analyzer = createAnalyzer('en');
const asTheyAre = (term) => term;

export function index(folder) {
  return indexWith(folder, {
    tokenize: (text) => analyzer.indexTerms(text),
    processTerm: asTheyAre,
    searchOptions: {
      tokenize: (text) => analyzer.queryTerms(text).flatMap(({ phrase }) => phrase),
      processTerm: asTheyAre,
    },
  });
}
