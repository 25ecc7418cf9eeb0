/**
 * Waiting for the index, wherever it is worked on: first until every note is findable by words, then until every chunk
 * has its vector or nothing more comes. Danger: a dead embedder never finishes, so waiting ends when nobody works.
 */

import { setTimeout as sleep } from 'node:timers/promises';
import type { IndexCounts, IndexState } from '@vault-mcp/shared/index-db/rows';
import { type DocumentsProgress, documentBar } from './documents-progress.ts';
import { counted } from './output.ts';
import type { Progress } from './progress.ts';

export interface IndexProgress {
  /** `missing`: there is no index file yet. */
  readonly state: IndexState | 'missing';
  readonly error: string | null;
  /** Files still to be looked at; null when whoever works does not say. */
  readonly waiting: number | null;
  /** Nothing is queued or worked on. */
  readonly idle: boolean;
  readonly counts: IndexCounts;
  /** Absent where whoever works does not say. */
  readonly documents?: DocumentsProgress;
  readonly embedder: {
    readonly ok: boolean;
    readonly provider: string;
    readonly model: string;
    readonly error: string | null;
  };
}

export interface WaitOptions {
  readonly read: () => Promise<IndexProgress>;
  readonly progress: Progress;
  /** `text`: findable by words is enough; `vectors`: until every chunk has its vector too. */
  readonly until: 'text' | 'vectors';
  readonly signal?: AbortSignal;
  /** Between two looks; tests shorten it. */
  readonly everyMs?: number;
}

const EVERY_MS = 200;
/** Between a finished batch and the next one the queue may be empty for a moment: only a longer rest means the end. */
const RESTING_LOOKS = 5;

/**
 * @returns the last look: whole, failed, or resting with vectors missing
 * @throws whatever `read` throws; the signal's reason when aborted
 */
export async function waitForIndex(options: WaitOptions): Promise<IndexProgress> {
  const { read, progress, until, signal, everyMs = EVERY_MS } = options;
  let mostWaiting = 0;
  let restingLooks = 0;
  try {
    for (;;) {
      const now = await read();
      // While an embedder is away its batches stay queued for another try: nothing is idle, and nothing comes.
      restingLooks = now.idle || !now.embedder.ok ? restingLooks + 1 : 0;
      mostWaiting = Math.max(mostWaiting, now.waiting ?? 0);
      if (now.state === 'failed' || (textIsDone(now) && (until === 'text' || vectorsAreDone(now, restingLooks))))
        return now;
      show(progress, now, mostWaiting);
      await sleep(everyMs, undefined, signal === undefined ? {} : { signal });
    }
  } finally {
    progress.end();
  }
}

/** Where nobody counts the files, vectors being waited for mean that the notes are through: they come after. */
function textIsDone({ state, waiting, counts }: IndexProgress): boolean {
  return state === 'ready' && (waiting === null ? counts.pending > 0 : waiting === 0);
}

function vectorsAreDone({ counts, idle }: IndexProgress, restingLooks: number): boolean {
  return counts.pending === 0 ? idle : restingLooks >= RESTING_LOOKS;
}

function show(progress: Progress, now: IndexProgress, mostWaiting: number): void {
  if (!textIsDone(now)) {
    const known = Math.max(mostWaiting, now.counts.notes + now.counts.documents);
    progress.show('Reading notes ', now.waiting === null ? known : mostWaiting - now.waiting, Math.max(known, 1));
    return;
  }
  const document = now.documents && documentBar(now.documents);
  if (document) {
    progress.show(document.label, document.done, document.total);
    return;
  }
  progress.show('Vectors       ', now.counts.embedded + now.counts.failed, Math.max(now.counts.chunks, 1));
}

/** One line of what the index holds: `41 notes, 2 documents, 312 chunks (300 with vectors, 12 waiting)`. */
export function describeCounts(counts: IndexCounts): string {
  const parts = [`${counts.embedded} with vectors`];
  if (counts.pending > 0) parts.push(`${counts.pending} waiting`);
  if (counts.failed > 0) parts.push(`${counts.failed} failed`);
  const bad = counts.quarantined > 0 ? `, ${counted(counts.quarantined, 'file')} in quarantine` : '';
  const held = [
    counted(counts.notes, 'note'),
    counted(counts.documents, 'document'),
    `${counted(counts.chunks, 'chunk')} (${parts.join(', ')})`,
  ];
  return held.join(', ') + bad;
}
