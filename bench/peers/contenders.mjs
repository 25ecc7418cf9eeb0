/**
 * Who takes part, each a file of contenders/ or vectors/, with where it keeps what it searches. Danger: who cannot be had here is
 * left out with the reason, never in silence.
 */
import { ripgrepVersion } from './contenders/ripgrep.mjs';
import { installQmd, QMD_VERSION } from './install-qmd.mjs';

/**
 * @typedef {{label: string, file: string, kept: string, node?: string, options?: object, ranks: number}} Contender `ranks` is how
 *   many notes it ranks a query, 0 when it does not
 */

const DEPTH = 50;
const PAGE = 10;

const LIBRARIES = [
  { label: 'minisearch', file: 'minisearch', kept: 'memory', ranks: DEPTH },
  { label: 'minisearch with our terms', file: 'minisearch-our-terms', kept: 'memory', ranks: DEPTH },
  { label: 'orama', file: 'orama', kept: 'memory', ranks: DEPTH },
];

const OURS = { label: '**vault-mcp, lexical arm**', file: 'ours-words', kept: 'disk', ranks: DEPTH };

/** @param {boolean} embeds whether the built-in model has the time to embed all of the vault */
export function served(embeds) {
  const [label, options] = embeds
    ? ['**vault-mcp over HTTP**, built-in model', { words: false }]
    : ['**vault-mcp over HTTP**, words', { words: true }];
  return { label, file: 'ours-served', kept: 'disk', ranks: PAGE, options };
}

/** @param {string} vectors the file that the built-in model's are kept in */
export function page(vectors) {
  const options = { vectors };
  return { label: '**vault-mcp, first page**, built-in model', file: 'ours-page', kept: 'disk', ranks: PAGE, options };
}

/** Those that answer by words. @param {string} cache where qmd is installed @returns {{contenders: Contender[], missing: string[]}} */
export function wordContenders(cache) {
  const qmd = installQmd(cache);
  const missing = [];
  const contenders = [OURS, ...LIBRARIES];
  if ('unavailable' in qmd) missing.push(`qmd ${QMD_VERSION} is left out: ${qmd.unavailable}.`);
  else {
    const { node, module } = qmd;
    contenders.push({
      label: `qmd ${QMD_VERSION}, search`,
      file: 'qmd',
      kept: 'disk',
      node,
      options: { module },
      ranks: DEPTH,
    });
  }
  const version = ripgrepVersion();
  if (version === null) missing.push('ripgrep is left out: there is no rg here (apt-get install ripgrep).');
  else contenders.push({ label: `ripgrep ${version}, literal`, file: 'ripgrep', kept: 'nothing', ranks: 0 });
  return { contenders, missing };
}

/** The first is exact and says what is nearest. */
export const VECTOR_CONTENDERS = [
  { label: 'sqlite-vec, vec0 table', file: 'vec0' },
  { label: 'sqlite-vec, plain scan', file: 'plain-scan' },
  { label: '**vault-mcp, dense arm**', file: 'ours' },
];
