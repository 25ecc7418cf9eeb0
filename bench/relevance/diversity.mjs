/**
 * `npm run relevance:diversity`: what the page gains and loses by its two rules for variety, maximal marginal relevance and the cap
 * per note. Each query is asked once for all its candidates, and pages of 5, 10 and 20 are chosen of them by the product's own
 * `diversify`, with both rules, with either alone and with none. Danger: where a note is judged as a whole, neither rule can make a
 * page worse (both only let other notes up), so these sets tell what is gained; what is lost, a second answer in the same
 * note, only joined notes tell, whose lines are judged.
 *
 *   npm run relevance:diversity -- --embedder builtin|minilm [--write] [--cache DIR]
 *   npm run relevance:diversity -- --joined [--write]      joined notes, by words alone
 */
import { diversify } from '@vault-mcp/api/search/diversify';
import { search } from '@vault-mcp/api/search/search';
import { measuredBy } from '../report.mjs';
import { withEachJoinedSet, withEachSet } from './indexed-sets.mjs';
import { concentration, ndcg } from './metrics.mjs';
import { runReport } from './report-run.mjs';

const PAGES = [5, 10, 20];
/** More than both arms together return. */
const ALL = 800;
const FILTER = { excludeDirs: [], includeSuperseded: false, readable: null };
/** `diversify` caps at a third of k, rounded up: of three times as many as there are, no note is at its cap. */
const WAYS = [
  ['neither', { capped: false, mmr: false }],
  ['MMR alone', { capped: false, mmr: true }],
  ['cap alone', { capped: true, mmr: false }],
  ['both, as in force', { capped: true, mmr: true }],
];

await runReport(
  'npm run relevance:diversity',
  async ({ options: { joined }, ...run }) => {
    const withEach = joined ? withEachJoinedSet : withEachSet;
    return render(await withEach(run, (set) => pagesOfSet(set, joined)));
  },
  {
    more: { joined: { type: 'boolean', default: false } },
    embedderOf: ({ joined, embedder }) => (joined ? 'lexical' : embedder),
    variantOf,
  },
);

function variantOf({ joined, embedder }) {
  return joined ? '--joined' : `--embedder ${embedder}`;
}

/** @returns {Promise<{name: string, queries: number, pages: Record<string, object[]>}>} a page a query, by way and k */
async function pagesOfSet({ name, queries, read, dependencies: whole }, byWords) {
  const dependencies = byWords ? { ...whole, embedder: null } : whole;
  const placesOf = placesBy(dependencies.reader);
  const pages = {};
  for (const { text, judgments } of queries) {
    const { results, degraded } = await search(dependencies, { query: text, k: ALL, filter: FILTER, explain: true });
    if (degraded.length > 0) throw new Error(`A query was answered in part (${degraded.join(', ')}): ${text}`);
    const candidates = asCandidates(results, placesOf);
    for (const k of PAGES) {
      for (const [label, rules] of WAYS) {
        const page = pageOf(candidates, k, rules, dependencies.settings.mmr_lambda).map(({ place }) => place);
        pages[`${k} ${label}`] ??= [];
        pages[`${k} ${label}`].push(figuresOfPage(page, ndcg(read(page, judgments), judgments, k)));
      }
    }
  }
  return { name, queries: queries.length, pages };
}

/** A result says where its chunk begins; the index, where it ends. */
function placesBy(reader) {
  const known = new Map();
  return ({ path, line, text }) => {
    if (!known.has(path)) known.set(path, reader.chunksOf(path));
    const chunk = known.get(path).find((of) => of.lineStart === line && of.text === text);
    if (!chunk) throw new Error(`${path} has no chunk at line ${line}.`);
    return { path, lineStart: line, lineEnd: chunk.lineEnd };
  };
}

/** A note's path stands for its id; of equal scores the one that search put first stays first. */
function asCandidates(results, placesOf) {
  const all = results.map((result, at) => ({
    chunkId: at,
    fileId: result.path,
    pinned: result.pinned,
    score: result.explain.score,
    place: placesOf(result),
  }));
  return { all, pins: all.filter(({ pinned }) => pinned) };
}

function pageOf({ all, pins }, k, { capped, mmr }, lambda) {
  return diversify(pins, all, { k: capped ? k : 3 * Math.max(all.length, k), lambda: mmr ? lambda : 1 }).slice(0, k);
}

function figuresOfPage(page, gain) {
  const notes = page.map(({ path }) => path);
  return {
    ndcg: gain,
    distinct: new Set(notes).size,
    share: notes.length > 0 ? concentration(notes) : 0,
    key: page.map(({ path, lineStart }) => `${path}:${lineStart}`).join('\n'),
  };
}

function render(sets) {
  const row = (label, values) => `| ${label} | ${values.join(' | ')} |`;
  const rows = PAGES.flatMap((k) =>
    WAYS.map(([label]) =>
      row(
        `k ${k}: ${label}`,
        sets.map(({ pages }) => cell(pages[`${k} ${label}`], pages[`${k} ${WAYS[0][0]}`])),
      ),
    ),
  );
  return `${measuredBy('npm run relevance:diversity')}: nDCG@k of the page / different notes on it / share of it in one note;
in brackets, of how many queries the page is another than with neither, and is better, worse by nDCG@k.

${row(
  '',
  sets.map(({ name, queries }) => `${name} (${queries} queries)`),
)}
${row(
  '---',
  sets.map(() => '---'),
)}
${rows.join('\n')}
`;
}

function cell(pages, plain) {
  const mean = (name) => pages.reduce((sum, page) => sum + page[name], 0) / pages.length;
  const figures = `${mean('ndcg').toFixed(4)} / ${mean('distinct').toFixed(2)} / ${mean('share').toFixed(3)}`;
  if (pages === plain) return figures;
  const count = (differs) => pages.filter((page, at) => differs(page, plain[at])).length;
  const other = count(({ key }, { key: before }) => key !== before);
  const better = count(({ ndcg: now }, { ndcg: before }) => now > before + 1e-9);
  const worse = count(({ ndcg: now }, { ndcg: before }) => now < before - 1e-9);
  return `${figures} (${other}: ${better}, ${worse})`;
}
