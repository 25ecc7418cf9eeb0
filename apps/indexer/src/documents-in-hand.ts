/**
 * Which documents are being read right now, on whatever machine, as the queue tells it. Danger: the queue is looked at
 * once a second for as long as the program runs, so one look must not begin before the last has ended; and one that never
 * ends must not keep for good what an earlier one saw.
 */
import type { DocumentInHand } from '@vault-mcp/shared/index-db/rows';
import { JOBS } from '@vault-mcp/shared/queue/jobs';
import type { JobInHand, JobQueue } from '@vault-mcp/shared/queue/producer';
import { settledWithin } from '@vault-mcp/shared/queue/settled-within';

export interface DocumentsInHand {
  /** As of the last look; empty before the first, and while the queue cannot be reached or does not answer. */
  now(): readonly DocumentInHand[];
  /** Its text has come: what the last look saw of it is over, though its job may take a moment more to end. */
  read(sha256: string): void;
  stop(): void;
}

const EVERY_MS = 1_000;
/** A look that has not ended by then is given up: the queue's own limit for a command is 3 seconds, and a look takes two. */
const LOOK_MS = 10_000;

/** @param onChange another document, or another page of one */
export function watchDocumentsInHand(
  queue: Pick<JobQueue, 'inHand'>,
  onChange: () => void,
  everyMs: number = EVERY_MS,
): DocumentsInHand {
  let seen: readonly DocumentInHand[] = [];
  let over: readonly string[] = [];
  let looking = false;
  let stopped = false;
  const look = async (): Promise<void> => {
    if (looking) return;
    looking = true;
    const told = (await inHandWithin(queue, LOOK_MS)).flatMap(asDocument);
    looking = false;
    over = over.filter((sha256) => told.some((document) => document.sha256 === sha256));
    const found = told.filter(({ sha256 }) => !over.includes(sha256));
    if (stopped || JSON.stringify(found) === JSON.stringify(seen)) return;
    seen = found;
    onChange();
  };
  const timer = setInterval(() => void look(), everyMs);
  return {
    now: () => seen,
    read(sha256) {
      over = [...over, sha256];
      seen = seen.filter((document) => document.sha256 !== sha256);
      onChange();
    },
    stop() {
      stopped = true;
      clearInterval(timer);
    },
  };
}

/** Nothing where the queue does not tell in time; what it tells later is not waited for. */
async function inHandWithin(queue: Pick<JobQueue, 'inHand'>, ms: number): Promise<readonly JobInHand[]> {
  let told: readonly JobInHand[] = [];
  const asked = queue.inHand('extract').then((jobs) => {
    told = jobs;
  });
  await settledWithin([asked], ms);
  return told;
}

/** A job of another version, whose payload is something else, is left out. */
function asDocument({ payload, progress }: JobInHand): DocumentInHand[] {
  const job = JOBS['extract-document'].payload.safeParse(payload).data;
  if (job === undefined) return [];
  const { step, page, pages } = progress ?? { step: 'text', page: 0, pages: 0 };
  return [{ path: job.path, sha256: job.sha256, step, page, pages }];
}
