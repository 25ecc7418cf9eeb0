/**
 * When the index page is looked at: at once after the first of many changes, then now and then while they last, and again
 * some time after it could not be written. Danger: each look at a changed vault writes a page as long as the vault has
 * notes, so a thousand edits must not become a thousand writes; and the last of them must not be left out.
 */
import { createLater } from './later.ts';

export interface PageNews {
  /** The page may have to change. */
  ask(): void;
  /**
   * What the last look came to: one that failed is repeated, later each time.
   * @param tookMs how long it took: a large vault is given longer rests
   */
  looked(ok: boolean, tookMs: number): void;
  stop(): void;
}

/** Between two looks that are asked for one after the other, at least. */
const COOLDOWN_MS = 1000;
/** And so many times as long as a look takes: it must leave time for the changes themselves. */
const REST = 10;
/** Before a look is repeated that failed: a full disk stays full for a while. */
const DELAYS = { firstMs: 5000, maxMs: 300_000 };

/**
 * @param look must not throw
 * @param now milliseconds of a clock that never goes back; tests pass their own
 */
export function createPageNews(look: () => void, now: () => number = () => performance.now()): PageNews {
  let timer: NodeJS.Timeout | null = null;
  let lookedAt = Number.NEGATIVE_INFINITY;
  let cooldownMs = COOLDOWN_MS;
  let stopped = false;
  const lookNow = () => {
    timer = null;
    lookedAt = now();
    look();
  };
  const ask = () => {
    if (timer || stopped) return;
    const wait = lookedAt + cooldownMs - now();
    if (wait <= 0) lookNow();
    else timer = setTimeout(lookNow, wait);
  };
  const later = createLater(ask, DELAYS);
  return {
    ask,
    looked(ok, tookMs) {
      cooldownMs = Math.max(COOLDOWN_MS, tookMs * REST);
      if (ok) later.succeeded();
      else later.ask();
    },
    stop() {
      stopped = true;
      later.stop();
      if (timer) clearTimeout(timer);
    },
  };
}
