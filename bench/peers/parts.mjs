/**
 * The three parts of the comparison. Danger: a peer that fails must not cost the others their figures, and must not vanish either:
 * what it said stands below the table.
 */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { askVectors, askWords } from './child.mjs';
import { page, served, VECTOR_CONTENDERS } from './contenders.mjs';
import { drawQueries } from './drawn-queries.mjs';
import { judgedNotes } from './judged-notes.mjs';
import { notePaths, notesOf } from './note-files.mjs';
import { recallAgainst } from './recall.mjs';
import { renderQuality, renderSpeed, renderVectors } from './report.mjs';

/** Of so many runs the quickest index counts: what else a machine does makes it slower and never quicker. */
const RUNS = 2;
const DRAWN = 100;
/** The built-in model takes some 40 chunks a second: of more notes than this, words alone are asked for over HTTP. */
const EMBEDDED_NOTES = 1_000;

/** @typedef {{report?: string, missing: string[]}} Part `missing` says who is left out, a sentence each */

/**
 * @param {{name: string, folder: string, queries: string[]}[]} vaults
 * @param {{contenders: import('./contenders.mjs').Contender[], missing: string[], scratch: string, say: (line: string) => void}} options
 * @returns {Part}
 */
export function measureSpeed(vaults, { contenders, missing, scratch, say }) {
  const failed = [];
  const tables = vaults.map(({ name, folder, queries }) => {
    const notes = notePaths(folder).length;
    const asked = [...queries, ...drawQueries([...notesOf(folder)], DRAWN)];
    const rows = [...contenders, served(notes <= EMBEDDED_NOTES)].flatMap((contender) => {
      say(`${name}: ${contender.label}`);
      return attempt(contender, failed, () => quickest(contender, scratch, { folder, queries: asked }));
    });
    return renderSpeed(name, notes, rows);
  });
  return { report: tables.join('\n'), missing: [...missing, ...failed] };
}

/** Once is enough of what takes longest, and starts a program besides. */
function quickest(contender, scratch, job) {
  const runs = contender.file === 'ours-served' || contender.ranks === 0 ? 1 : RUNS;
  const all = Array.from({ length: runs }, () => askWords(contender, scratch, job));
  return all.reduce((best, one) => ({
    ...(one.search.p50 < best.search.p50 ? one : best),
    seconds: Math.min(one.seconds, best.seconds),
  }));
}

/**
 * @param {string} shared folder that holds `collections`
 * @param {{contenders: import('./contenders.mjs').Contender[], missing: string[], scratch: string, vectors: string,
 *   say: (line: string) => void}} options
 * @returns {Part}
 */
export function measureQuality(shared, { contenders, missing, scratch, vectors, say }) {
  const collections = judgedNotes(shared, join(scratch, 'judged'));
  if (collections.length === 0)
    return { missing: [`There are no judged collections in ${shared}: set TEST_SHARED_FOLDER.`] };
  const failed = [];
  const ranking = [...contenders.filter(({ ranks }) => ranks > 0), page(vectors)];
  const rows = ranking.flatMap((contender) =>
    attempt(contender, failed, () =>
      collections.map(({ name, folder, judged }) => {
        say(`${name}: ${contender.label}`);
        return askWords(contender, scratch, { folder, judged }).quality;
      }),
    ),
  );
  return {
    report: renderQuality(
      collections.map(({ name }) => name),
      rows,
    ),
    missing: [...missing, ...failed],
  };
}

function attempt(contender, failed, measure) {
  try {
    return [{ contender, figures: measure() }];
  } catch (error) {
    failed.push(`${contender.label} could not be measured: ${error.message.split('\n')[0]}`);
    return [];
  }
}

/**
 * @param {number[]} sizes
 * @param {{folder: string, say: (line: string) => void}} options `folder` is where the vectors are made, and found again
 * @returns {Part}
 */
export function measureVectors(sizes, { folder, say }) {
  const bySize = sizes.map((count) => {
    let exact;
    return VECTOR_CONTENDERS.map((contender) => {
      say(`${count} vectors: ${contender.label}`);
      const { ids, ...figures } = storeAndSearch(contender, folder, count);
      exact ??= ids;
      return { ...figures, count: figures.vectors, recall: recallAgainst(ids, exact) };
    });
  });
  const rows = VECTOR_CONTENDERS.map(({ label }, at) => ({ label, sizes: bySize.map((all) => all[at]) }));
  return { report: renderVectors(rows), missing: [] };
}

function storeAndSearch(contender, folder, count) {
  mkdirSync(folder, { recursive: true });
  const data = mkdtempSync(join(folder, 'peers-'));
  const where = { path: join(data, 'vectors.db'), folder, count };
  try {
    return { ...askVectors(contender, 'store', where), ...askVectors(contender, 'search', where) };
  } finally {
    rmSync(data, { recursive: true, force: true });
  }
}
