/**
 * `npm run relevance`: how well the product finds what is judged relevant. Danger: standard output is for programs, so nothing but
 * the result goes there; what happens meanwhile is said on standard error.
 *
 *   npm run relevance                          examples/vault and every collection in $TEST_SHARED_FOLDER/collections, as tables,
 *                                              compared with bench/relevance/baseline; exit code 1 when a query got worse
 *   npm run relevance -- --set NAME            of these only that one; may be given several times
 *   npm run relevance -- --write               makes what is measured the baseline, and puts the tables into bench/RESULTS.md
 *   npm run relevance --silent -- --collection DIR --json   one folder (docs.jsonl, queries.jsonl, qrels.tsv), one line of JSON
 *   … --embedder builtin|lexical|none|minilm|URL [--model NAME]   default builtin; minilm is ../sentence-model, started for the run;
 *                                              a URL is an OpenAI-compatible endpoint, up to and with /v1
 *   … --cache DIR                              where vectors are kept from run to run; removed, they are made anew
 *
 * Exit codes: 0, 1 (something got worse), 2 (the options, a collection's files or a baseline are wrong), 3 (it could not be measured: why is said).
 */
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { measuredBy, writeSection } from '../report.mjs';
import { SENTENCE_MODEL } from '../sentence-model/start.mjs';
import { BaselineError, compare, readBaseline, setsMissing, writeBaseline } from './baseline.mjs';
import { CollectionError } from './collection.mjs';
import { EmbedderOptionError, embeddingOf } from './embedder-options.mjs';
import { missedTargets, renderSets, renderTags } from './report.mjs';
import { allSets, collectionSet } from './sets.mjs';

const WORSE = 1;
const USAGE = 2;
const UNMEASURED = 3;
const SECTION = { builtin: 'npm run relevance', [SENTENCE_MODEL.model]: 'npm run relevance -- --embedder minilm' };

class UsageError extends Error {}

const say = (line) => process.stderr.write(`${line}\n`);

try {
  await main(readOptions());
} catch (error) {
  const isCallers = [UsageError, BaselineError, CollectionError, EmbedderOptionError].some(
    (kind) => error instanceof kind,
  );
  say(isCallers ? error.message : error.stack);
  process.exitCode = isCallers ? USAGE : UNMEASURED;
}

function readOptions() {
  try {
    return parseArgs({
      options: {
        collection: { type: 'string' },
        set: { type: 'string', multiple: true, default: [] },
        json: { type: 'boolean', default: false },
        write: { type: 'boolean', default: false },
        embedder: { type: 'string', default: 'builtin' },
        model: { type: 'string' },
        cache: { type: 'string', default: join(tmpdir(), 'vault-mcp-relevance-cache') },
      },
    }).values;
  } catch (error) {
    throw new UsageError(error.message, { cause: error });
  }
}

async function main(options) {
  const sets = chosenSets(options);
  const embedding = await embeddingOf(options.embedder, options.model);
  if (options.write && !(embedding.label in SECTION)) {
    throw new UsageError(
      `There is a baseline with ${Object.keys(SECTION).join(' and ')}, and none with ${embedding.label}.`,
    );
  }
  if (embedding.without) say(`dense and hybrid are null: ${embedding.without}`);
  let measured;
  try {
    measured = await measureAll(sets, embedding, join(resolve(options.cache), 'vectors.db'));
  } finally {
    await embedding.stop();
  }
  if (options.json) {
    const answers = measured.map(({ name, queries, arms }) => ({ name, queries, arms }));
    const answer = options.collection === undefined ? answers : answers[0];
    process.stdout.write(`${JSON.stringify(answer)}\n`);
  } else {
    process.stdout.write(reportOf(measured, embedding.label));
  }
  if (options.collection === undefined) conclude(measured, embedding.label, options);
}

async function measureAll(sets, embedding, vectors) {
  const measured = [];
  for (const { name, about, measure } of sets) {
    say(`${name}: ${about}`);
    measured.push(await measure({ embedding, vectors, say: (line) => say(`${name}: ${line}`) }));
  }
  return measured;
}

function chosenSets({ collection, set: names, write }) {
  if (collection !== undefined) {
    if (write) throw new UsageError('--write is for the sets that have a baseline: leave out --collection.');
    return [collectionSet(collection)];
  }
  const all = allSets(say);
  const unknown = names.filter((name) => all.every((one) => one.name !== name));
  if (unknown.length > 0) {
    throw new UsageError(
      `No set is called ${unknown.join(', ')}; there are ${all.map(({ name }) => name).join(', ')}.`,
    );
  }
  return names.length === 0 ? all : all.filter(({ name }) => names.includes(name));
}

function reportOf(measured, embedder) {
  const own = measured.find(({ name }) => name === 'examples');
  const missed = missedTargets(measured, embedder);
  return [
    `${measuredBy('npm run relevance')}; embedder ${embedder}.\n\n`,
    renderSets(measured),
    own ? `\n${renderTags(own)}` : '',
    missed.length > 0
      ? `\nMissed:\n\n${missed.map((one) => `- ${one}\n`).join('')}`
      : '\nNothing promised is missed.\n',
  ].join('');
}

/** Says what changed against the baseline, and ends with WORSE unless what is measured becomes the baseline. */
function conclude(measured, embedder, { write, set: names }) {
  let worse = 0;
  // Without the collections' folder only the examples can be measured, which is said when the sets are chosen.
  if (names.length === 0 && process.env.TEST_SHARED_FOLDER) {
    const missing = setsMissing(
      measured.map(({ name }) => name),
      embedder,
    );
    for (const name of missing) say(`WORSE: ${name}: not measured`);
    worse += missing.length;
  }
  for (const set of measured) {
    const baseline = readBaseline(set.name, embedder);
    if (baseline === null) say(`${set.name}: no baseline yet; --write makes one`);
    else worse += tell(set, embedder, baseline);
    if (write) writeBaseline(set, embedder);
  }
  if (write) writeSection(SECTION[embedder], reportOf(measured, embedder));
  else if (worse > 0) process.exitCode = WORSE;
}

function tell(set, embedder, baseline) {
  const found = compare(set, embedder, baseline);
  if (embedder !== baseline.embedder) {
    say(`${set.name}: the baseline was measured with ${baseline.embedder}: what words rank is compared, nothing else`);
  }
  for (const line of found.better) say(`better: ${line}`);
  for (const line of found.worse) say(`WORSE: ${line}`);
  if (found.unknown > 0) say(`${set.name}: ${found.unknown} queries are new to the baseline`);
  say(`${set.name}: ${found.worse.length} worse, ${found.better.length} better`);
  return found.worse.length;
}
