/**
 * Which documents are being read right now, on whatever machine, as the queue tells it. Danger: the queue is looked at
 * once a second for as long as the program runs, so one look must not begin before the last has ended.
 */
import type { DocumentInHand } from '@vault-mcp/shared/index-db/rows';
import { JOBS } from '@vault-mcp/shared/queue/jobs';
import type { JobInHand, JobQueue } from '@vault-mcp/shared/queue/producer';

export interface DocumentsInHand {
  /** As of the last look; empty before the first, and while the queue cannot be reached. */
  now(): readonly DocumentInHand[];
  stop(): void;
}

const EVERY_MS = 1_000;

/** @param onChange another document, or another page of one */
export function watchDocumentsInHand(
  queue: Pick<JobQueue, 'inHand'>,
  onChange: () => void,
  everyMs: number = EVERY_MS,
): DocumentsInHand {
  let seen: readonly DocumentInHand[] = [];
  let looking = false;
  let stopped = false;
  const look = async (): Promise<void> => {
    if (looking) return;
    looking = true;
    const found = (await queue.inHand('extract')).flatMap(asDocument);
    looking = false;
    if (stopped || JSON.stringify(found) === JSON.stringify(seen)) return;
    seen = found;
    onChange();
  };
  const timer = setInterval(() => void look(), everyMs);
  return {
    now: () => seen,
    stop() {
      stopped = true;
      clearInterval(timer);
    },
  };
}

/** A job of another version, whose payload is something else, is left out. */
function asDocument({ payload, progress }: JobInHand): DocumentInHand[] {
  const job = JOBS['extract-document'].payload.safeParse(payload).data;
  if (job === undefined) return [];
  const { step, page, pages } = progress ?? { step: 'text', page: 0, pages: 0 };
  return [{ path: job.path, sha256: job.sha256, step, page, pages }];
}
