/** How long the dense arm of a reader takes until it is as quick as it gets, and what else has to wait meanwhile. */
import { monitorEventLoopDelay, performance } from 'node:perf_hooks';

/** All is read when for so long nothing keeps the event loop busy. */
const [BUSY_SHARE, QUIET_MS] = [0.3, 300];

/**
 * What is kept in memory is read in the background: how long that takes, and how long it holds up whatever else runs.
 * @param {() => unknown} ask the first search after it
 * @returns {Promise<{all: number, first: number, longest: number}>} milliseconds
 */
export async function loadTime(reader, ask) {
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  const began = performance.now();
  reader.prepareDense();
  let busyUntil = began;
  while (performance.now() - busyUntil < QUIET_MS) {
    const before = performance.eventLoopUtilization();
    await new Promise((resolve) => setTimeout(resolve, 20));
    if (performance.eventLoopUtilization(before).utilization > BUSY_SHARE) busyUntil = performance.now();
  }
  delay.disable();
  const asked = performance.now();
  ask();
  return { all: busyUntil - began, first: performance.now() - asked, longest: delay.max / 1e6 };
}
