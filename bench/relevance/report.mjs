/**
 * Measured sets as markdown: one table of all sets, one of our own queries by what kind they are, and which of the promised figures
 * are missed by how much. Pure.
 */

import { ARMS } from './measure.mjs';
import { averaged } from './metrics.mjs';

/**
 * How far below its better arm both arms together may lie with embedders that are weaker than words. With any other, a full-size
 * sentence model, they have to lie above it.
 */
const WEAK_SLACK = 0.005;
const WEAK = ['builtin', 'lexical'];

const three = (value) => (value === null || value === undefined ? '–' : value.toFixed(3));
const signed = (value) => (value === null ? '–' : `${value < 0 ? '−' : '+'}${Math.abs(value).toFixed(3)}`);

const ROWS = [
  ['queries with an answer', ({ queries }) => String(queries)],
  ...[
    ['nDCG@10', 'ndcg10'],
    ['recall@10', 'recall10'],
    ['recall@50', 'recall50'],
    ['MRR', 'mrr'],
  ].flatMap(([label, figure]) => [
    ...ARMS.map((arm) => [`${label}, ${arm}`, ({ arms }) => three(arms[arm]?.[figure])]),
    [`${label}, reference BM25`, ({ references }) => three(references.bm25?.[figure])],
    [`${label}, MiniSearch as it comes`, ({ references }) => three(references.minisearch?.[figure])],
  ]),
  ['nDCG@10 of the first page (10 results)', ({ page }) => three(page.ndcg10)],
  ['share of the page in one note', ({ page }) => three(page.concentration)],
  ['nDCG@10, lexical − reference BM25', (set) => signed(lexicalLead(set))],
  ['nDCG@10, hybrid − its better arm', (set) => signed(hybridLead(set))],
];

/** @param {readonly import('./measure.mjs').MeasuredSet[]} sets */
export function renderSets(sets) {
  return [
    `| | ${sets.map(({ name }) => name).join(' | ')} |`,
    `| --- | ${sets.map(() => '---').join(' | ')} |`,
    ...ROWS.map(([label, value]) => `| ${label} | ${sets.map(value).join(' | ')} |`),
    '',
  ].join('\n');
}

/** Our own queries, a line a tag: what each arm and the first page give. */
export function renderTags({ perQuery }) {
  const tags = [...new Set(perQuery.flatMap((query) => query.tags))];
  const lines = tags.map((tag) => {
    const of = perQuery.filter((query) => query.tags.includes(tag));
    const judged = of.filter(({ arms }) => arms !== null);
    const pinned = of.filter(({ page }) => page.pinned > 0).length;
    return `| ${tag} | ${[of.length, ...figuresOfTag(judged), pinned].join(' | ')} |`;
  });
  return [
    '| kind of query | queries | first is relevant: lexical | dense | hybrid | nDCG@10: lexical | dense | hybrid | page | with a pin |',
    '| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |',
    ...lines,
    '',
  ].join('\n');
}

/**
 * What is promised and missed, a sentence each.
 * @param {readonly import('./measure.mjs').MeasuredSet[]} sets
 * @param {string} embedder
 */
export function missedTargets(sets, embedder) {
  return sets.flatMap((set) => [
    ...below(lexicalLead(set), 0, `${set.name}: lexical below the reference BM25`),
    ...(WEAK.includes(embedder)
      ? below(hybridLead(set), -WEAK_SLACK, `${set.name}: hybrid below its better arm`)
      : notAbove(hybridLead(set), `${set.name}: hybrid not above its better arm`)),
    ...notAbove(paraphraseLead(set), `${set.name}: on paraphrase, hybrid not above lexical`),
    ...set.perQuery.filter(isMissedIdentifier).map(({ id, text }) => `${set.name}: ${id} (${text}) is not found first`),
    ...set.perQuery
      .filter(({ arms, page }) => arms === null && page.pinned > 0)
      .map(({ id, text }) => `${set.name}: ${id} (${text}) has no answer and a pinned result`),
  ]);
}

function below(lead, least, what) {
  return lead === null || lead >= least ? [] : [`${what} by ${Math.abs(lead).toFixed(3)} nDCG@10`];
}

function notAbove(lead, what) {
  return lead === null || lead > 0 ? [] : [`${what}: ${signed(lead)} nDCG@10`];
}

function isMissedIdentifier({ tags, arms }) {
  if (!tags.includes('identifier') || arms === null) return false;
  return [arms.lexical, arms.hybrid].some((figures) => figures !== null && figures.mrr < 1);
}

function paraphraseLead({ perQuery }) {
  const asked = perQuery.filter(({ tags, arms }) => tags.includes('paraphrase') && arms?.hybrid);
  if (asked.length === 0) return null;
  return averaged(asked.map(({ arms: { hybrid, lexical } }) => ({ lead: hybrid.ndcg10 - lexical.ndcg10 }))).lead;
}

function lexicalLead({ arms, references }) {
  return references.bm25 && arms.lexical.ndcg10 - references.bm25.ndcg10;
}

function hybridLead({ arms: { lexical, dense, hybrid } }) {
  return hybrid && hybrid.ndcg10 - Math.max(lexical.ndcg10, dense.ndcg10);
}

function figuresOfTag(judged) {
  if (judged.length === 0) return Array.from({ length: 2 * ARMS.length + 1 }, () => '–');
  const first = ARMS.map((arm) => {
    if (judged[0].arms[arm] === null) return '–';
    return `${judged.filter(({ arms }) => arms[arm].mrr === 1).length} of ${judged.length}`;
  });
  const gain = ARMS.map((arm) => judged[0].arms[arm] && averaged(judged.map(({ arms }) => arms[arm])).ndcg10);
  return [...first, ...gain.map(three), three(averaged(judged.map(({ page: { ndcg10 } }) => ({ ndcg10 }))).ndcg10)];
}
