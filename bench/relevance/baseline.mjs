/**
 * What was measured against what was measured before: baseline/<embedder>/<set>.jsonl, its first line about the run, then a line a
 * query. Danger:
 * a change that helps on average and spoils a query that worked passes unseen, so every query is compared by itself.
 *
 * A query is worse when its nDCG@10 fell by more than TOLERANCE in an arm or on the first page, or, where nothing is relevant, when
 * more results are pinned than before. A set is worse when one of its averages fell by more than AVERAGE_TOLERANCE. Concentration
 * and the score of an unanswerable query's first result are told, not judged: neither has a right direction by itself. What the
 * baseline has and the run has not, a figure, a query or a set, is worse too: left out, it would pass for unchanged.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const FOLDER = join(dirname(fileURLToPath(import.meta.url)), 'baseline');

/** Below one swap of neighbours at the end of the first ten; above what another processor's rounding moves. */
export const TOLERANCE = 0.01;
/** Figures are kept to four digits; a tenth of what the product promises to hold (0.005) is noise of that. */
export const AVERAGE_TOLERANCE = 0.0005;

/**
 * @typedef {{embedder: string, averages: Record<string, number>, queries: Map<string, Record<string, number>>}} Baseline
 * @typedef {{worse: string[], better: string[], unknown: number}} Comparison sentences; `unknown` counts queries the baseline has not
 */

/** A baseline that cannot be read: its message names the file and is for who started the run. */
export class BaselineError extends Error {}

/**
 * @returns {Baseline | null} of that embedder, else the built-in model's; null when there is none yet
 * @throws BaselineError for a file that is none
 */
export function readBaseline(name, embedder, folder = FOLDER) {
  const file = [embedder, 'builtin'].map((one) => fileOf(name, one, folder)).find(existsSync);
  if (file === undefined) return null;
  try {
    const [head, ...lines] = readFileSync(file, 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    if (typeof head.averages !== 'object') throw new Error('its first line holds no averages');
    return { ...head, queries: new Map(lines.map(({ id, ...values }) => [id, values])) };
  } catch (error) {
    throw new BaselineError(
      `${file} is no baseline: ${error.message}. Take it back from git, or delete it and run with --write.`,
      {
        cause: error,
      },
    );
  }
}

/**
 * @param {readonly string[]} measured names of the sets that were measured
 * @returns {string[]} names of the sets that embedder's baseline has besides
 */
export function setsMissing(measured, embedder, folder = FOLDER) {
  const own = join(folder, embedder);
  if (!existsSync(own)) return [];
  const names = readdirSync(own).flatMap((file) => (file.endsWith('.jsonl') ? [file.slice(0, -'.jsonl'.length)] : []));
  return names.filter((name) => !measured.includes(name)).sort();
}

/** @param {import('./measure.mjs').MeasuredSet} measured */
export function writeBaseline(measured, embedder, folder = FOLDER) {
  const file = fileOf(measured.name, embedder, folder);
  mkdirSync(dirname(file), { recursive: true });
  const lines = [
    { embedder, averages: averagesOf(measured) },
    ...measured.perQuery.map((query) => ({ id: query.id, ...valuesOf(query) })),
  ];
  writeFileSync(file, `${lines.map((line) => JSON.stringify(line)).join('\n')}\n`);
}

/**
 * @param {import('./measure.mjs').MeasuredSet} measured
 * @param {Baseline} baseline with another embedder, what words alone rank is compared and nothing else
 * @returns {Comparison}
 */
export function compare(measured, embedder, baseline) {
  const comparable = (name) => embedder === baseline.embedder || name.startsWith('lexical');
  const found = { worse: [], better: [], unknown: 0 };
  const note = (what, name, before, now, tolerance) => {
    if (before === undefined || !comparable(name)) return;
    if (now === undefined) {
      found.worse.push(`${measured.name}, ${what}: ${name} ${before} → not measured`);
      return;
    }
    const gain = name === 'pinned' ? before - now : now - before;
    if (Math.abs(gain) <= tolerance) return;
    found[gain < 0 ? 'worse' : 'better'].push(`${measured.name}, ${what}: ${name} ${before} → ${now}`);
  };
  const averages = averagesOf(measured);
  for (const [name, before] of Object.entries(baseline.averages)) {
    note('on average', name, before, averages[name], AVERAGE_TOLERANCE);
  }
  for (const query of measured.perQuery) {
    const before = baseline.queries.get(query.id);
    if (!before) {
      found.unknown += 1;
      continue;
    }
    const now = valuesOf(query);
    for (const name of JUDGED) note(`${query.id} (${shortened(query.text)})`, name, before[name], now[name], TOLERANCE);
  }
  const ids = new Set(measured.perQuery.map(({ id }) => id));
  for (const id of baseline.queries.keys()) {
    if (!ids.has(id)) found.worse.push(`${measured.name}, ${id}: not measured`);
  }
  return found;
}

const JUDGED = ['lexical', 'dense', 'hybrid', 'page', 'pinned'];

/** Of a query with an answer nDCG@10 by arm and page; of one without, how many results are pinned and the first one's score. */
function valuesOf({ arms, page }) {
  if (arms === null) return { pinned: page.pinned, topScore: rounded(page.topScore) };
  const byArm = Object.entries(arms).flatMap(([arm, figures]) => (figures ? [[arm, rounded(figures.ndcg10)]] : []));
  return { ...Object.fromEntries(byArm), page: rounded(page.ndcg10), concentration: rounded(page.concentration) };
}

function averagesOf({ arms, page }) {
  const byArm = Object.entries(arms).flatMap(([arm, figures]) =>
    Object.entries(figures ?? {}).map(([name, value]) => [`${arm} ${name}`, rounded(value)]),
  );
  return { ...Object.fromEntries(byArm), 'page ndcg10': rounded(page.ndcg10) };
}

function rounded(value) {
  return Number(value.toFixed(4));
}

function shortened(text) {
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}

function fileOf(name, embedder, folder) {
  return join(folder, embedder, `${name}.jsonl`);
}
