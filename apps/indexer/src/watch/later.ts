/**
 * Does one thing later, and later still each time it is asked for again without having succeeded: a full disk stays
 * full for a while.
 */
export interface Later {
  /** Asks for it; one that is already waiting is enough. */
  ask(): void;
  /** It worked: the next time it begins with the short delay again. */
  succeeded(): void;
  stop(): void;
}

/** @param delays.firstMs first delay, doubled each time up to `maxMs` */
export function createLater(work: () => void, delays: { firstMs: number; maxMs: number }): Later {
  let delay = delays.firstMs;
  let timer: NodeJS.Timeout | null = null;
  let stopped = false;
  return {
    ask() {
      if (timer || stopped) return;
      timer = setTimeout(() => {
        timer = null;
        work();
      }, delay);
      delay = Math.min(delay * 2, delays.maxMs);
    },
    succeeded() {
      delay = delays.firstMs;
    },
    stop() {
      stopped = true;
      if (timer) clearTimeout(timer);
    },
  };
}
