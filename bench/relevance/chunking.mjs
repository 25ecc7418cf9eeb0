/**
 * `npm run relevance:chunking`: what each rule of the chunker is worth. Every set is indexed by the product's own indexer once with the
 * rules in force and once with each rule changed, and asked the same questions. Danger: standard output is the report; what happens
 * meanwhile is said on standard error. A difference of one or two questions is none, so they are counted beside the averages.
 *
 *   npm run relevance:chunking                 all sets; the collections are taken from $TEST_SHARED_FOLDER/collections
 *   … --set NAME                               only that one; may be given several times
 *   … --embedder builtin|lexical|none|minilm   default builtin
 *   … --all-dense                              meaning for the joined collections, too: with the built-in model minutes a rule
 *   … --by-chunk                               in joined notes every chunk is one place: what ranking alone gives; its summary has a
 *                                              place of its own in bench/RESULTS.md
 *   … --write                                  keeps what is measured (chunking-kept.mjs), and puts the tables of all that is kept into
 *                                              bench/RESULTS.md
 *   … --cache DIR                              where vectors are kept from run to run
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { createRuler } from '@vault-mcp/shared/chunk/tokens';
import { measuredBy, writeSection } from '../report.mjs';
import { chunksByArm } from './arms.mjs';
import { chunkSets } from './chunk-sets.mjs';
import { IN_FORCE, VARIANTS } from './chunk-variants.mjs';
import { keepMeasured, readKept } from './chunking-kept.mjs';
import { comparedWith, renderChunking, renderSummary } from './chunking-report.mjs';
import { chunkSizes, fingerprint } from './chunks-made.mjs';
import { embeddingOf } from './embedder-options.mjs';
import { indexVault } from './index-vault.mjs';
import { averaged, figuresOf } from './metrics.mjs';

const COMMAND = 'npm run relevance:chunking';
/** chunking.min_tokens */
const MIN_TOKENS = 120;

const { values: options } = parseArgs({
  options: {
    set: { type: 'string', multiple: true, default: [] },
    embedder: { type: 'string', default: 'builtin' },
    'all-dense': { type: 'boolean', default: false },
    'by-chunk': { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
    cache: { type: 'string', default: join(tmpdir(), 'vault-mcp-relevance-cache') },
  },
});
const isKept = options.write && !options['by-chunk'];
const say = (line) => process.stderr.write(`${line}\n`);

const sets = chunkSets({ allDense: options['all-dense'], byChunk: options['by-chunk'], say });
const unknown = options.set.filter((name) => sets.every((set) => set.name !== name));
if (unknown.length > 0) {
  say(`No set is called ${unknown.join(', ')}; there are ${sets.map(({ name }) => name).join('; ')}.`);
  process.exitCode = 2;
} else {
  await report(options.set.length === 0 ? sets : sets.filter(({ name }) => options.set.includes(name)));
}

async function report(chosen) {
  const embedding = await embeddingOf(options.embedder);
  if (embedding.without) say(`Words only: ${embedding.without}`);
  const measured = [];
  try {
    for (const set of chosen) {
      const found = await measureSet(set, embedding);
      measured.push(found);
      if (isKept) keepMeasured(found);
    }
  } finally {
    await embedding.stop();
  }
  process.stdout.write(renderChunking(measured));
  if (options.write && options['by-chunk']) writeSection(`${COMMAND} -- --by-chunk`, renderSummary(measured));
  if (isKept) writeSection(COMMAND, renderChunking(readKept(sets.map(({ name }) => name))));
}

/** @returns {Promise<import('./chunking-report.mjs').MeasuredRules>} */
async function measureSet(set, embedding) {
  const inForce = await measureVariant(set, IN_FORCE, embedding, null);
  const variants = [];
  for (const variant of VARIANTS) variants.push(await measureVariant(set, variant, embedding, inForce));
  return {
    ...{ name: set.name, about: set.about },
    by: `${measuredBy(COMMAND)}; embedder ${set.dense ? embedding.label : 'none'}`,
    ...comparedWith(inForce, variants),
  };
}

/** @param inForce what the rules in force made; with the same chunks nothing is asked again */
async function measureVariant(set, variant, embedding, inForce) {
  const label = [set.name, variant.rule, variant.how].filter((part) => part !== '').join(': ');
  say(label);
  const base = mkdtempSync(join(tmpdir(), 'vault-mcp-chunking-'));
  try {
    const vault = join(base, 'vault');
    set.write(vault);
    const dense = set.dense && !embedding.without;
    const { dependencies, paths, close } = await indexVault({
      ...{ vault, data: join(base, 'data') },
      vectors: dense ? join(resolve(options.cache), 'vectors.db') : null,
      embedding: dense ? embedding.env : { EMBED_PROVIDER: 'lexical' },
      say: (line) => say(`${label}: ${line}`),
      ...{ chunk: variant.chunk, embedAs: dense ? variant.embedAs : undefined },
    });
    try {
      const chunks = paths.flatMap((path) => dependencies.reader.chunksOf(path));
      const made = fingerprint(chunks);
      if (made === inForce?.made && !(dense && variant.embedAs)) return { ...variant, made, same: true };
      const sizes = chunkSizes(chunks, { notes: paths.length, tokensOf, minTokens: MIN_TOKENS });
      const asked = await askAll(dense ? dependencies : { ...dependencies, embedder: null }, set, chunks);
      return { ...variant, made, same: false, sizes, ...asked };
    } finally {
      await close();
    }
  } finally {
    rmSync(base, { recursive: true, force: true });
  }
}

/** Figures of every question by arm, and their averages. */
async function askAll(dependencies, { queries, read }, chunks) {
  const places = new Map(chunks.map((chunk) => [keyOf(chunk.path, chunk.lineStart, chunk.text), chunk]));
  const perQuery = [];
  for (const { text, judgments } of queries) {
    const ranked = Object.entries(await chunksByArm(dependencies, text));
    const figures = ranked.map(([arm, results]) => {
      const found = results?.map((result) => places.get(keyOf(result.path, result.line, result.text)));
      return [arm, found ? figuresOf(read(found, judgments), judgments) : null];
    });
    perQuery.push(Object.fromEntries(figures));
  }
  const arms = Object.keys(perQuery[0]).map((arm) => [
    arm,
    perQuery[0][arm] && averaged(perQuery.map((figures) => figures[arm])),
  ]);
  return { perQuery, arms: Object.fromEntries(arms) };
}

function keyOf(path, line, text) {
  return JSON.stringify([path, line, text]);
}

function tokensOf(text) {
  return createRuler(text).tokens(0, text.length);
}
