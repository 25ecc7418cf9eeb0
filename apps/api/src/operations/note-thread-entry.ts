/**
 * Entry file of the thread that does one task on one long note and ends. Danger: nothing may run at its import but this
 * wiring, and it only makes sense inside a worker.
 */
import { parentPort, workerData } from 'node:worker_threads';
import { toAppError } from '@vault-mcp/shared/errors';
import { doTask, type NoteTask } from './note-tasks.ts';
import type { ThreadReply } from './note-thread.ts';

let reply: ThreadReply;
try {
  reply = { result: doTask(workerData as NoteTask) };
} catch (error) {
  const { code, message, cause } = toAppError(error);
  // What is no refusal is a defect: thrown on, it reaches the other side with its stack.
  if (code === 'internal_error') throw cause;
  reply = { code, message };
}
parentPort?.postMessage(reply);
