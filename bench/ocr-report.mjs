/** The table of `npm run bench:ocr`, and below it whether the figure that the project holds itself to is met. */
import { OPERATIONS } from './ocr-load.mjs';
import { PAGES } from './ocr-scan.mjs';
import { percentiles } from './percentiles.mjs';
import { measuredBy } from './report.mjs';

export const COMMAND = 'npm run bench:ocr';
/** How much longer the slowest call in a hundred may take while a scan is read. */
const ALLOWED = 2;
/** OCR is one thread: with less of a processor than this it is not what the calls stood beside. */
const PROVEN_BY = 0.5;
const FORMS = { pair: 'two programs', one: '`npm start`' };

/** @param rows one for each vault and form, as bench/ocr-latency.mjs measures them */
export function renderOcr(rows, { rounds, seconds, 'per-second': perSecond }) {
  const line = (label, cell) => `| ${label} | ${rows.map(cell).join(' | ')} |`;
  const title = ({ name, form }) => `${name}, ${FORMS[form]}`;
  return [
    `${measuredBy(COMMAND)}: a scan of ${PAGES} pages, ${perSecond} calls a second, ${rounds} turns of ${seconds} s each.`,
    'p50 / p95 / p99 in ms.',
    '',
    line('', title).replace('|  |', '| |'),
    `| --- | ${rows.map(() => '---').join(' | ')} |`,
    line('all calls, OCR stopped', ({ kinds }) => triple(all(kinds.idle))),
    line('all calls, OCR running', ({ kinds }) => triple(all(kinds.busy))),
    line(`**p99 running ÷ stopped**`, (row) => `**${ratio(row).toFixed(2)}**`),
    ...OPERATIONS.map((name) =>
      line(`${name}, stopped → running: p99, ratio`, ({ kinds }) =>
        change(kinds.idle.times[name], kinds.busy.times[name]),
      ),
    ),
    line(`all calls while the text of ${PAGES} pages is stored`, ({ kinds }) => triple(all(kinds.stored))),
    line('event loop of the api held up at most, stopped / running / storing', ({ kinds }) =>
      [kinds.idle, kinds.busy, kinds.stored].map(({ loopMs }) => `${loopMs.toFixed(0)} ms`).join(' / '),
    ),
    line(
      'a call sent late at most',
      ({ kinds }) => `${Math.max(kinds.idle.lateness, kinds.busy.lateness).toFixed(0)} ms`,
    ),
    line(
      'OCR: processors used; nice, of its session',
      ({ ocrShare, priority }) => `${ocrShare.toFixed(2)}; ${priority.nice}, ${priority.session ?? 'none'}`,
    ),
    '',
    verdict(rows, title),
    '',
  ].join('\n');
}

function verdict(rows, title) {
  const worst = rows.reduce((found, row) => (ratio(row) > ratio(found) ? row : found));
  const met = ratio(worst) <= ALLOWED;
  const least = Math.min(...rows.map(({ ocrShare }) => ocrShare));
  const doubt =
    least < PROVEN_BY
      ? ` The machine was busy: OCR got only ${least.toFixed(2)} processors at the least, so this proves little.`
      : '';
  return `**p99 of all calls while a scan is read within ${ALLOWED} × of idle: ${met ? 'yes' : 'no'}**, at most ${ratio(worst).toFixed(2)} (${title(worst)}).${doubt}`;
}

function ratio({ kinds }) {
  return percentiles(all(kinds.busy)).p99 / percentiles(all(kinds.idle)).p99;
}

function all({ times }) {
  return Object.values(times).flat();
}

function triple(times) {
  const { p50, p95, p99 } = percentiles(times);
  return [p50, p95, p99].map((value) => value.toFixed(1)).join(' / ');
}

function change(before, after) {
  const [from, to] = [percentiles(before).p99, percentiles(after).p99];
  return `${from.toFixed(1)} → ${to.toFixed(1)}, ${(to / from).toFixed(2)}`;
}
