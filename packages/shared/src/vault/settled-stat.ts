/**
 * When a stat stands for what was read under it. Danger: two changes within one tick of a file system's clock leave the
 * same times, so what was read right after a change proves nothing of what came right after the reading.
 */

/** The coarsest clock of a file system that vaults stand on: FAT's, in milliseconds. */
const TICK_MS = 2000;
/**
 * What is this old by its own times is believed at the first look. Those may come from another machine's clock, hence more
 * than a tick: what such a clock is behind by must be less.
 */
const OLD_MS = 60_000;

export interface StatClock {
  /** Milliseconds that never go back. */
  monotonic(): number;
  /** Milliseconds since 1970, as the calendar of this machine has them. */
  wall(): number;
}

export const systemClock: StatClock = { monotonic: () => performance.now(), wall: () => Date.now() };

/** Both in nanoseconds since 1970. */
export interface StatTimes {
  readonly mtime: bigint;
  readonly ctime: bigint;
}

/**
 * Whether a read that begins now comes so late that no change since can leave the same stat.
 *
 * @param firstSeen when this stat was first seen, by the monotonic clock
 */
export function isSettled({ mtime, ctime }: StatTimes, firstSeen: number, clock: StatClock): boolean {
  if (clock.monotonic() - firstSeen > TICK_MS) return true;
  const latest = mtime > ctime ? mtime : ctime;
  return clock.wall() - Number(latest / 1_000_000n) > OLD_MS;
}
