/**
 * Preloaded (`--import`) into a program under measurement: writes how late its event loop ran, every quarter of a second,
 * as lines of JSON into a file of this thread's own in the folder LOOP_DELAY_FOLDER. Danger: preloaded into every thread,
 * so the file's name says which one it is.
 */
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { threadId } from 'node:worker_threads';

const RESOLUTION_MS = 5;
const folder = process.env.LOOP_DELAY_FOLDER;
if (folder) {
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  delay.enable();
  const report = () => {
    // Counted from when the timer was due.
    const maxMs = Math.max(0, delay.max / 1e6 - RESOLUTION_MS);
    appendFileSync(join(folder, `${process.pid}-${threadId}`), `${JSON.stringify({ at: Date.now(), maxMs })}\n`);
    delay.reset();
  };
  setInterval(report, 250).unref();
}
