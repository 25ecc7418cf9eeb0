/**
 * A run of one of the reports on retrieval that ask an embedder: its options, the embedder for as long as it is measured, and where
 * the report goes. Danger: an embedder may be a server that was started for the run, so it is stopped whatever happens.
 */
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { writeSection } from '../report.mjs';
import { embeddingOf } from './embedder-options.mjs';

const OPTIONS = {
  embedder: { type: 'string', default: 'builtin' },
  write: { type: 'boolean', default: false },
  cache: { type: 'string', default: join(tmpdir(), 'vault-mcp-relevance-cache') },
};

const say = (line) => process.stderr.write(`${line}\n`);

/**
 * @param {string} command the report's section in RESULTS.md is named by it and by what `variantOf` gives
 * @param {(run: {options: object, embedding: object, vectors: string, say: (line: string) => void}) => Promise<string | null>} measure
 *   gives the report in markdown; null when it has said why there is none
 * @param {{more?: object, embedderOf?: (options: object) => string, variantOf?: (options: object) => string}} [differing] options besides
 *   the common ones, and what is measured by them
 */
export async function runReport(command, measure, { more = {}, embedderOf = ofOptions, variantOf = byEmbedder } = {}) {
  const { values: options } = parseArgs({ options: { ...OPTIONS, ...more } });
  const report = await reportOf(options, embedderOf(options), measure);
  if (report === null) return;
  process.stdout.write(report);
  if (options.write) writeSection(`${command} -- ${variantOf(options)}`, report);
}

const ofOptions = ({ embedder }) => embedder;
const byEmbedder = ({ embedder }) => `--embedder ${embedder}`;

async function reportOf(options, embedder, measure) {
  const embedding = await embeddingOf(embedder);
  try {
    if (!embedding.without) {
      const vectors = join(resolve(options.cache), 'vectors.db');
      return await measure({ options, embedding, vectors, say });
    }
    say(`Skipped: ${embedding.without}.`);
    return null;
  } finally {
    await embedding.stop();
  }
}
