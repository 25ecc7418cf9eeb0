/**
 * Which contents are in the lane, in which job, and since when: what must not be handed over twice, and how full the lane
 * is. Pure bookkeeping. Danger: jobs are counted and not texts, so that a lane of small jobs (news, one text each) counts
 * as full, and what waits meanwhile is handed over in large ones.
 */
export interface LaneLedger {
  /** Jobs with contents that have not come back. */
  readonly jobs: number;
  /** Content keys under way. */
  readonly keys: ReadonlySet<string>;
  /** One job was handed over. */
  handed(keys: Iterable<string>, nowMs: number): void;
  /** A content came back, whatever its result; unknown ones are passed over. */
  returned(key: string): void;
  /** Forgets what was handed over before. */
  forgetBefore(ms: number): void;
  clear(): void;
}

interface Job {
  readonly since: number;
  readonly keys: Set<string>;
}

export function createLaneLedger(): LaneLedger {
  const jobs = new Set<Job>();
  const jobOf = new Map<string, Job>();
  const keys = new Set<string>();

  const returned = (key: string) => {
    const job = jobOf.get(key);
    if (!job) return;
    jobOf.delete(key);
    keys.delete(key);
    job.keys.delete(key);
    if (job.keys.size === 0) jobs.delete(job);
  };
  return {
    keys,
    returned,
    get jobs() {
      return jobs.size;
    },
    handed(handedKeys, nowMs) {
      const job: Job = { since: nowMs, keys: new Set(handedKeys) };
      for (const key of job.keys) {
        returned(key);
        jobOf.set(key, job);
        keys.add(key);
      }
      jobs.add(job);
    },
    forgetBefore(ms) {
      for (const job of [...jobs]) if (job.since < ms) for (const key of [...job.keys]) returned(key);
    },
    clear() {
      jobs.clear();
      jobOf.clear();
      keys.clear();
    },
  };
}
