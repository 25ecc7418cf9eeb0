/**
 * Entry file of the built-in model's thread. Danger: nothing may run at its import but this wiring, and it only makes
 * sense inside a worker.
 */
import { setPriority } from 'node:os';
import { parentPort } from 'node:worker_threads';
import { serveRequests } from './builtin/request-loop.ts';
import { loadSentenceModel } from './builtin/sentence-model.ts';
import { BUILTIN_DIMS } from './settings.ts';

/** On Linux a priority belongs to the thread; elsewhere it would slow the whole process, requests included. */
const LOW_PRIORITY = 15;

if (parentPort === null) throw new Error('builtin-thread is started by the built-in embedder, as a worker thread.');
if (process.platform === 'linux') {
  try {
    setPriority(LOW_PRIORITY);
  } catch {
    // Not permitted in some sandboxes: the model then competes as an equal, which is slower, not wrong.
  }
}
serveRequests(parentPort, BUILTIN_DIMS, loadSentenceModel);
