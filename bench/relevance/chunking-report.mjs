/**
 * What each rule of the chunker is worth, as markdown: one table of all rules and sets, and one a set with every figure. Pure. Danger:
 * a rule that hurts must be as plain to see as one that helps, so each cell is what changes without the rule, never a verdict.
 */

/**
 * @typedef {import('./metrics.mjs').Figures} Figures
 * @typedef {{worse: number, better: number}} Moved questions, by nDCG@10
 * @typedef {{rule: string, how: string, same: boolean, sizes?: import('./chunks-made.mjs').ChunkSizes,
 *   arms?: Record<string, Figures | null>, moved?: Record<string, Moved | null>}} Compared `same`: no chunk differs
 * @typedef {{name: string, about: string, by: string, inForce: Compared, variants: Compared[]}} MeasuredRules
 * @typedef {Omit<Compared, 'moved'> & {perQuery?: Record<string, Figures | null>[]}} Asked
 */

const ARMS = ['lexical', 'dense', 'hybrid'];
const FIGURES = ['ndcg10', 'recall10', 'recall50', 'mrr'];
const SAME = '=';

const three = (value) => value.toFixed(3);
const signed = (value) => {
  const shown = three(Math.abs(value));
  if (shown === '0.000') return '0';
  return `${value < 0 ? '−' : '+'}${shown}`;
};

/**
 * What is kept of the answers to every question: averages, and how many moved.
 *
 * @param {Asked} inForce
 * @param {readonly Asked[]} variants asked the same questions
 * @returns {{inForce: Compared, variants: Compared[]}}
 */
export function comparedWith(inForce, variants) {
  const withoutQueries = ({ rule, how, same, sizes, arms }) => ({ rule, how, same, sizes, arms });
  return {
    inForce: withoutQueries(inForce),
    variants: variants.map((variant) => ({
      ...withoutQueries(variant),
      moved: variant.same ? undefined : movedByArm(inForce.perQuery, variant.perQuery),
    })),
  };
}

function movedByArm(before, after) {
  const moved = ARMS.map((arm) => {
    if (before[0][arm] === null) return [arm, null];
    const changes = after.map((figures, n) => figures[arm].ndcg10 - before[n][arm].ndcg10);
    const count = (holds) => changes.filter(holds).length;
    return [arm, { worse: count((change) => change < -1e-9), better: count((change) => change > 1e-9) }];
  });
  return Object.fromEntries(moved);
}

/** @param {readonly MeasuredRules[]} sets the same variants in each */
export function renderChunking(sets) {
  return [summaryTable(sets), ...sets.map(renderSet)].join('\n');
}

/** One table of all rules and sets, and how it was measured. */
export function renderSummary(sets) {
  return `${[...new Set(sets.map(({ by }) => by))].join('. ')}.\n\n${summaryTable(sets)}`;
}

function summaryTable(sets) {
  const rows = sets[0].variants.map(({ rule, how }, n) => {
    const cells = sets.map(({ inForce, variants }) => changeOf(inForce, variants[n]));
    return row(`${rule}: ${how}`, cells);
  });
  const bases = sets.map(({ inForce }) => three(inForce.arms[mainArm(inForce)].ndcg10));
  const arms = sets.map(({ inForce }) => mainArm(inForce));
  return [
    row(
      'rule: instead of it',
      sets.map(({ name }) => name),
    ),
    row(
      '---',
      sets.map(() => '---'),
    ),
    row('nDCG@10 is of', arms),
    row('**all rules in force**', bases),
    ...rows,
    '',
  ].join('\n');
}

/** `−0.012 (8 worse, 3 better)` by the arm that stands for the set. */
function changeOf(inForce, variant) {
  if (variant.same) return SAME;
  const arm = mainArm(inForce);
  const { worse, better } = variant.moved[arm];
  return `${signed(variant.arms[arm].ndcg10 - inForce.arms[arm].ndcg10)} (${worse} worse, ${better} better)`;
}

function mainArm({ arms }) {
  return arms.hybrid ? 'hybrid' : 'lexical';
}

function renderSet({ name, about, by, inForce, variants }) {
  const arms = ARMS.filter((arm) => inForce.arms[arm]);
  const differing = variants.filter(({ same }) => !same);
  const same = variants.filter((variant) => variant.same);
  const changes = (variant, arm) =>
    FIGURES.map((figure) => signed(variant.arms[arm][figure] - inForce.arms[arm][figure])).join(' / ');
  return [
    `### ${name}`,
    '',
    `${about}. ${by}.`,
    '',
    row('rule: instead of it', ['chunks a note', 'tokens: median / largest', 'below 120 tokens', ...arms]),
    row(
      '---',
      [...sizeCells(inForce.sizes), ...arms].map(() => '---'),
    ),
    row('**all rules in force**', [
      ...sizeCells(inForce.sizes),
      ...arms.map((arm) => FIGURES.map((figure) => three(inForce.arms[arm][figure])).join(' / ')),
    ]),
    ...differing.map((variant) =>
      row(`${variant.rule}: ${variant.how}`, [
        ...sizeCells(variant.sizes),
        ...arms.map((arm) => changes(variant, arm)),
      ]),
    ),
    '',
    ...(same.length > 0
      ? [`No chunk differs with: ${same.map(({ rule, how }) => `${rule}: ${how}`).join('; ')}.`, '']
      : []),
  ].join('\n');
}

function sizeCells({ perNote, median, largest, belowMinimum }) {
  return [perNote.toFixed(1), `${median.toFixed(0)} / ${largest.toFixed(0)}`, `${(100 * belowMinimum).toFixed(0)} %`];
}

function row(label, cells) {
  return `| ${[label, ...cells].join(' | ')} |`;
}
