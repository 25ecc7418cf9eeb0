/** The scale-out figures as a table, and in bench/RESULTS.md between markers of their own. */
import { measuredBy, writeSection } from './report.mjs';

export const COMMAND = 'npm run bench:scale-out';
/** Its figures stand apart: another vault, other machinery. */
export const COMPOSE_COMMAND = `${COMMAND} -- --compose`;
export const EXTRACT_COMMAND = `${COMMAND} -- --extract`;

/** @param {{notes: string, groupMs: number}} input what was embedded, and how slow the embedder was */
export function renderScaleOut(rows, { notes, groupMs }) {
  const slowest = rows[0].sinceFirstSeconds;
  const processor = (value) => (Number.isNaN(value) ? 'unknown' : `${value.toFixed(1)} s`);
  const cell = ({ workers, seconds, sinceFirstSeconds, chunks, cpu }) =>
    `| ${workers} | ${seconds.toFixed(1)} s | ${sinceFirstSeconds.toFixed(1)} s | ${(slowest / sinceFirstSeconds).toFixed(2)} | ${Math.round(chunks / sinceFirstSeconds)} | ${processor(cpu.writer)} | ${processor(cpu.worker)} | ${processor(cpu.redis)} |`;
  return [
    `${measuredBy(COMMAND)}: ${notes}, ${rows[0].chunks} chunks × 768, an embedder of ${groupMs} ms for every 8 texts for each worker.`,
    '',
    '| workers | all embedded after starting them | since the first vector | speed-up | chunks a second | processor time of the writer | of each worker | of Redis |',
    '| --- | --- | --- | --- | --- | --- | --- | --- |',
    ...rows.map(cell),
    '',
  ].join('\n');
}

/** The workers' processor time is that of all of them together, tesseract included: work, not waiting. */
export function renderExtraction(rows) {
  const processor = (value) => (Number.isNaN(value) ? 'unknown' : `${value.toFixed(1)} s`);
  const cell = ({ workers, pages, seconds, cpu }) =>
    `| ${workers} | ${seconds.toFixed(1)} s | ${(rows[0].seconds / seconds).toFixed(2)} | ${((pages / seconds) * 60).toFixed(0)} | ${processor(cpu.writer)} | ${processor(cpu.workers)} | ${processor(cpu.redis)} |`;
  return [
    `${measuredBy(COMMAND)}: ${rows[0].scans} scans, ${rows[0].pages} pages, read by the real tesseract.`,
    '',
    '| workers | all scans read | speed-up | pages a minute | processor time of the writer | of all workers | of Redis |',
    '| --- | --- | --- | --- | --- | --- | --- |',
    ...rows.map(cell),
    '',
  ].join('\n');
}

export function writeScaleOut(section, text) {
  writeSection(section, text);
}
