/**
 * What it takes until words find notes. Cold: every note of a vault, with no index before and nothing embedded, beside
 * peers on the same files in the same run, each in a process of its own. Then one edit at a time, from its job to the
 * committed rows, in vaults of 100 to 10 000 notes. Danger: ours is the real path, which parses, chunks, keeps links and
 * stores all of it on the disk; peers hold an index of words in memory and no more.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writeNotes } from './gate-vault.mjs';

const CONTENDERS = ['vault-mcp', 'minisearch', 'orama'];
/** Of so many runs the quickest counts: what else a machine does makes a run slower and never quicker. */
const RUNS = 3;
const SMALL_NOTES = 5_000;
const SIZES = [100, 1_000, 10_000];

/** @param {{path: string}} vault @returns the quickest run of each contender */
export function measureCold({ path }) {
  const best = {};
  for (let run = 0; run < RUNS; run++) {
    for (const name of CONTENDERS) {
      const took = inProcess('bench/indexing-contender.mjs', name, path);
      if (!best[name] || took.seconds < best[name].seconds) best[name] = { ...took, processor: best[name]?.processor };
      best[name].processor = Math.min(took.processor, best[name].processor ?? took.processor);
    }
  }
  return best;
}

/** @param {(line: string) => void} say */
export function measureSmallNotes(say) {
  return withNotes(SMALL_NOTES, (vault) => {
    say(`${SMALL_NOTES} small notes`);
    return measureCold({ path: vault });
  });
}

/** @param {(line: string) => void} say */
export function measureEdits(say) {
  return SIZES.map((notes) =>
    withNotes(notes, (vault) => {
      say(`edits among ${notes} notes`);
      return { notes, ...inProcess('bench/indexing-edits.mjs', vault) };
    }),
  );
}

function withNotes(count, use) {
  const vault = mkdtempSync(join(tmpdir(), 'vault-mcp-bench-notes-'));
  try {
    writeNotes(vault, count);
    return use(vault);
  } finally {
    rmSync(vault, { recursive: true, force: true });
  }
}

function inProcess(...command) {
  return JSON.parse(
    execFileSync(process.execPath, command, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] }),
  );
}
