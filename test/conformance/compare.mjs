/**
 * What was observed against what is expected, in both directions: a check that falls short without being expected to,
 * and one that no longer does. Pure. Danger: a check expected to fall short would do so on a broken server as well, so
 * the reason it gives has to match, and the checks that pass are counted.
 */

/**
 * @typedef {{ why: string, says: RegExp }} Reason `why` for readers; `says` matches what a check for that reason reports
 * @typedef {object} Expectation
 * @property {(number | null)[]} passed one per run, in their order: how many checks succeed; null where it does not run
 * @property {Record<string, string[]>} [short] reason → ids of the checks that fail, or are warned about, for it
 * @property {string} [note] what a reader has to know beside the figures
 */

/** Checks that the runner adds to every scenario: they count only when they fall short. */
const ADDED = /^wire-schema-/;

/**
 * @param {readonly string[]} runs names of the runs
 * @param {Record<string, Expectation>} expected
 * @param {Record<string, Reason>} reasons
 * @param {import('./scenario-runs.mjs').Observed} observed
 * @returns {string[]} a sentence for each difference; none when all is as expected
 */
export function differences(runs, expected, reasons, observed) {
  const unknown = [...observed.keys()].filter((name) => !(name in expected));
  return [
    ...unknown.map((name) => `${name} is not in the expected table.`),
    ...Object.entries(expected).flatMap(([name, expectation]) => {
      const ran = observed.get(name) ?? new Map();
      const perRun = runs.flatMap((run, at) =>
        differencesOfRun(expectation, reasons, ran.get(run), expectation.passed[at] ?? null).map(
          (what) => `${name}, ${run}: ${what}`,
        ),
      );
      return [...perRun, ...gone(expectation, ran).map((id) => `${name}: ${id} no longer falls short.`)];
    }),
  ];
}

/** Whether a check is one of those that were made and did not hold. */
const fellShort = ({ status }) => status === 'FAILURE' || status === 'WARNING';

function differencesOfRun({ short = {} }, reasons, checks, passed) {
  if (checks === undefined) return passed === null ? [] : ['it did not run.'];
  if (passed === null) return ['it ran, which was not expected.'];
  const found = [];
  const succeeded = [...checks].filter(([id, { status }]) => status === 'SUCCESS' && !ADDED.test(id)).length;
  if (succeeded !== passed) found.push(`${succeeded} checks pass, expected ${passed}.`);
  for (const [id, check] of checks) {
    if (!fellShort(check)) continue;
    const [name] = Object.entries(short).find(([, ids]) => ids.includes(id)) ?? [];
    const reason = name === undefined ? undefined : reasons[name];
    if (reason === undefined) found.push(`${id} falls short: ${check.message}`);
    else if (!reason.says.test(check.message)) found.push(`${id} falls short, but not for "${name}": ${check.message}`);
  }
  return found;
}

/** Expected to fall short, and does so in no run. */
function gone({ short = {} }, ran) {
  if (ran.size === 0) return [];
  return Object.values(short)
    .flat()
    .filter((id) => ![...ran.values()].some((checks) => checks.has(id) && fellShort(checks.get(id))));
}
