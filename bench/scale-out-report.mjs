/** The scale-out figures as a table, and in bench/RESULTS.md between markers of their own. */
import { readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { commit } from './report.mjs';

const FILE = 'bench/RESULTS.md';
const BEGIN = '<!-- npm run bench:scale-out: begin -->';
const END = '<!-- npm run bench:scale-out: end -->';

export function renderScaleOut(rows) {
  const slowest = rows[0].sinceFirstSeconds;
  const processor = (value) => (Number.isNaN(value) ? 'unknown' : `${value.toFixed(1)} s`);
  const cell = ({ workers, seconds, sinceFirstSeconds, chunks, cpu }) =>
    `| ${workers} | ${seconds.toFixed(1)} s | ${sinceFirstSeconds.toFixed(1)} s | ${(slowest / sinceFirstSeconds).toFixed(2)} | ${Math.round(chunks / sinceFirstSeconds)} | ${processor(cpu.writer)} | ${processor(cpu.worker)} | ${processor(cpu.redis)} |`;
  return [
    `Measured by \`npm run bench:scale-out -- ${process.argv.slice(2).join(' ')}\` on ${new Date().toISOString().slice(0, 10)}, commit ${commit()}, Node ${process.version}, ${cpus().length} × ${cpus()[0]?.model.trim()}: ${rows[0].chunks} chunks × 768, an embedder of 50 ms for every 8 texts for each worker.`,
    '',
    '| workers | all embedded after starting them | since the first vector | speed-up | chunks a second | processor time of the writer | of each worker | of Redis |',
    '| --- | --- | --- | --- | --- | --- | --- | --- |',
    ...rows.map(cell),
    '',
  ].join('\n');
}

export function writeScaleOut(rows) {
  const [head, rest] = readFileSync(FILE, 'utf8').split(BEGIN);
  const tail = rest?.split(END)[1];
  if (tail === undefined) throw new Error(`${FILE} has lost its markers`);
  writeFileSync(FILE, `${head}${BEGIN}\n${renderScaleOut(rows)}${END}${tail}`);
}
