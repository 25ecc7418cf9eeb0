/**
 * Tells the person at the terminal how far a server just started has come with the index: a bar while it works, a line
 * once words find every note, and a line at the end. Danger: the server answers all the while, so nothing here may end
 * it or hold up its stop.
 */
import type { IndexCounts } from '@vault-mcp/shared/index-db/rows';
import { describeCounts, type IndexProgress, waitForIndex } from './indexing-progress.ts';
import { counted } from './output.ts';
import type { Progress } from './progress.ts';

export interface AnnounceOptions {
  readonly read: () => Promise<IndexProgress>;
  readonly progress: Progress;
  readonly say: (line: string) => void;
  /** The server stops: nothing more is said. */
  readonly signal: AbortSignal;
  /** Between two looks; tests shorten it. */
  readonly everyMs?: number;
}

/** Resolves once there is no more to say; never rejects, since the log has what failed. */
export async function announceIndex(options: AnnounceOptions): Promise<void> {
  const { say, signal } = options;
  try {
    const text = await waitForIndex({ ...options, until: 'text' });
    if (text.state === 'ready' && text.counts.pending > 0) {
      say(`Words find ${counted(text.counts.notes, 'note')} now; search by meaning follows.`);
    }
    for (const line of endLines(await waitForIndex({ ...options, until: 'vectors' }))) say(line);
  } catch (error) {
    if (!signal.aborted) say(`How far the index has come cannot be told: ${(error as Error).message}`);
  }
}

function endLines({ state, error, counts, documents, embedder }: IndexProgress): string[] {
  if (state !== 'ready') return [`The index could not be built: ${error ?? 'the log says why'}`];
  const lines = [`Ready: ${describeCounts(counts)}.`];
  if (counts.pending > 0 && !embedder.ok) {
    lines.push(`Search goes by words alone until the embedder (${embedder.provider}) answers: ${embedder.error ?? ''}`);
  }
  const needsOcr = documents?.needsOcr ?? 0;
  if (needsOcr > 0) lines.push(`${counted(needsOcr, 'scan was', 'scans were')} not read.`);
  if (needsPerson(counts) || needsOcr > 0)
    lines.push('npx vault-mcp doctor names the files that are not whole, and why.');
  return lines;
}

function needsPerson({ quarantined, failed }: IndexCounts): boolean {
  return quarantined > 0 || failed > 0;
}
