/** What was measured as tables. Pure: figures in, markdown out. */

/**
 * @typedef {import('./contenders.mjs').Contender} Contender
 * @typedef {{contender: Contender, figures: object}} Row `figures` as asked.mjs prints them
 */

const NONE = '–';
const digits = (value) => value.toFixed(value < 1 ? 2 : 1);
const two = ({ p50, p95 }) => `${digits(p50)} / ${digits(p95)} ms`;
const seconds = (value) => `${value.toFixed(2)} s`;
const percent = (share) => `${(100 * share).toFixed(0)} %`;
const megabytes = (now, peak) => (now === null ? NONE : `${now} (${peak}) MB`);

/** @param {string} vault @param {number} notes @param {readonly Row[]} rows */
export function renderSpeed(vault, notes, rows) {
  return table(
    [`${vault}: ${notes} notes`, 'kept in', 'index', 'a query, p50 / p95', 'answered', 'memory once indexed (peak)'],
    rows.map(({ contender, figures }) => [
      contender.label,
      contender.kept,
      indexTime(contender, figures),
      two(figures.search),
      percent(figures.answered),
      contender.ranks === 0 ? NONE : megabytes(figures.afterIndex, figures.memory.peak),
    ]),
  );
}

function indexTime({ ranks }, figures) {
  if (ranks === 0) return NONE;
  if (figures.settled === null) return seconds(figures.seconds);
  return `${seconds(figures.seconds)}, all embedded ${seconds(figures.settled)}`;
}

/** @param {readonly string[]} collections @param {readonly {contender: Contender, figures: (object | null)[]}[]} rows a figure each */
export function renderQuality(collections, rows) {
  return table(
    ['nDCG@10 (recall@50)', ...collections, 'average'],
    rows.map(({ contender, figures }) => {
      const average = figures.reduce((sum, { ndcg10 }) => sum + ndcg10, 0) / figures.length;
      return [contender.label, ...figures.map((figure) => worth(contender, figure)), three(average)];
    }),
  );
}

/** Who ranks a page of ten has no recall among fifty. */
function worth({ ranks }, { ndcg10, recall50 }) {
  return `${three(ndcg10)} (${ranks < 50 ? NONE : three(recall50)})`;
}

/** @param {readonly {label: string, sizes: object[]}[]} rows */
export function renderVectors(rows) {
  return rows[0].sizes
    .map(({ count }, size) =>
      table(
        [
          `${spaced(count)} vectors × 768`,
          'stored in',
          'a query for 50, p50 / p95',
          'recall@50',
          'memory before, after (peak)',
        ],
        rows.map(({ label, sizes }) => {
          const { seconds: stored, search, recall, memory } = sizes[size];
          const held = `${memory.before}, ${megabytes(memory.now, memory.peak)}`;
          return [label, seconds(stored), two(search), recall.toFixed(4), held];
        }),
      ),
    )
    .join('\n');
}

function table(head, rows) {
  const line = (cells) => `| ${cells.join(' | ')} |`;
  return `${[line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n')}\n`;
}

function three(value) {
  return value.toFixed(3);
}

function spaced(count) {
  return count.toLocaleString('en').replaceAll(',', ' ');
}
