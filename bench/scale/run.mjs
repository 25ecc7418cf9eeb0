/**
 * `npm run bench:scale`: what a search takes among many chunks of 768 numbers each, without embedding the query: the dense arm
 * alone, the lexical arm alone, both with all that comes after them, and the plain scan of sqlite-vec in the same run, which is
 * exact and so says how much of what is nearest the dense arm finds. Every size is measured in a process of its own.
 *
 *   npm run bench:scale -- --write                     puts the table into bench/RESULTS.md
 *   npm run bench:scale -- --sizes 20k,200k,1m         4 KB of disk a chunk; default 20k,200k
 *   npm run bench:scale -- --folder DIR                where the indexes are made, and found again by the next run
 */
import { execFileSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { measuredBy, writeSection } from '../report.mjs';

const { values: options } = parseArgs({
  options: {
    sizes: { type: 'string', default: '20k,200k' },
    folder: { type: 'string', default: join(tmpdir(), 'vault-mcp-scale') },
    write: { type: 'boolean', default: false },
  },
});

const FIGURES = fileURLToPath(new URL('./figures.mjs', import.meta.url));
const columns = options.sizes.split(',').map((size) => {
  process.stderr.write(`measuring ${size} …\n`);
  const args = ['--expose-gc', FIGURES, options.folder, String(numberOf(size))];
  return JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] }));
});
const report = render(columns);
process.stdout.write(report);
if (options.write) writeSection('npm run bench:scale', report);

function numberOf(size) {
  const [, digits, unit] = /^(\d+)(k|m)?$/i.exec(size) ?? [];
  if (digits === undefined) throw new Error(`--sizes takes numbers such as 20k, 200k and 1m, not "${size}"`);
  return Number(digits) * ({ k: 1_000, m: 1_000_000 }[unit?.toLowerCase()] ?? 1);
}

function render(all) {
  const row = (label, of) => `| ${label} | ${all.map((figures) => of(figures)).join(' | ')} |`;
  const two = ({ p50, p95 }) => `${p50.toFixed(1)} / ${p95.toFixed(1)} ms`;
  const ms = (value) => `${value.toFixed(0)} ms`;
  return `${measuredBy('npm run bench:scale')}: 768 numbers a vector, 50 candidates an arm, p50 / p95.

${row('chunks', ({ count }) => count.toLocaleString('en').replaceAll(',', ' '))}
| --- | ${all.map(() => '---').join(' | ')} |
${row('dense arm', ({ dense }) => two(dense))}
${row('the same within a folder of half of all notes', ({ half }) => two(half))}
${row('within a folder of one in a hundred', ({ percent }) => two(percent))}
${row('lexical arm', ({ lexical }) => two(lexical))}
${row('whole search', ({ whole }) => two(whole))}
${row('recall@50 of the dense arm', ({ recall }) => recall.toFixed(4))}
${row('peer: plain scan by sqlite-vec', ({ peer }) => two(peer))}
${row('peer ÷ dense arm, p50', ({ peer, dense }) => (peer.p50 / dense.p50).toFixed(1))}
${row('what is kept in memory, read in the background', ({ load }) => ms(load.all))}
${row('the longest that this holds up the event loop', ({ load }) => ms(load.longest))}
${row('first dense search after it', ({ load }) => ms(load.first))}
${row('resident memory before it, once all is loaded', ({ memory }) => `${memory.before}, ${memory.after} MB`)}
${row('a note of ten chunks and its vectors stored', ({ edit }) => two(edit.stored))}
${row('the dense arm right after that', ({ edit }) => two(edit.asked))}
`;
}
