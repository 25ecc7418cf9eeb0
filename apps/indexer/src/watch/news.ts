/**
 * Per-path debounce: news about one path is passed on once it has been quiet for a while, and at the latest after
 * `maxWait`, so that a note saved without a pause is still indexed. Danger: debounce lives here and nowhere else; a
 * delayed job would swallow an urgent one for the same path.
 */
export interface NewsDebounce {
  /** Something may have happened at this path. */
  note(path: string): void;
  /** Passes on everything that waits, now. */
  flush(): void;
  /** Drops everything that waits and takes no more. */
  stop(): void;
}

interface Waiting {
  readonly since: number;
  timer: NodeJS.Timeout;
}

/**
 * @param options.quietMs how long a path must have been quiet
 * @param options.maxWaitMs how long constant news may put it off; default ten times `quietMs`
 * @param options.emit called once for each settled path
 */
export function createNewsDebounce(options: {
  quietMs: number;
  maxWaitMs?: number;
  emit: (path: string) => void;
}): NewsDebounce {
  const { quietMs, emit } = options;
  const maxWaitMs = options.maxWaitMs ?? quietMs * 10;
  const waiting = new Map<string, Waiting>();
  let stopped = false;

  const settle = (path: string) => {
    waiting.delete(path);
    emit(path);
  };
  return {
    note(path) {
      if (stopped) return;
      const now = Date.now();
      const before = waiting.get(path);
      if (before) clearTimeout(before.timer);
      const since = before?.since ?? now;
      const delay = Math.max(0, Math.min(quietMs, since + maxWaitMs - now));
      waiting.set(path, { since, timer: setTimeout(settle, delay, path) });
    },
    flush() {
      for (const [path, { timer }] of [...waiting]) {
        clearTimeout(timer);
        settle(path);
      }
    },
    stop() {
      stopped = true;
      for (const { timer } of waiting.values()) clearTimeout(timer);
      waiting.clear();
    },
  };
}
