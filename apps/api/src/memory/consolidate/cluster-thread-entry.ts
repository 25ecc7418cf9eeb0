/**
 * Entry file of the thread that groups notes. Danger: nothing may run at its import but this wiring, and it only makes sense
 * inside a worker.
 */
import { parentPort, workerData } from 'node:worker_threads';
import { toAppError } from '@vault-mcp/shared/errors';
import { type ClusterTask, clusterNotes } from './cluster-notes.ts';
import type { ClusterReply } from './cluster-thread.ts';

function answer(task: ClusterTask): ClusterReply {
  try {
    return { result: clusterNotes(task) };
  } catch (error) {
    const { code, message, cause } = toAppError(error);
    // What is no refusal is a defect: thrown on, it reaches the other side with its stack.
    if (code === 'internal_error') throw cause;
    return { code, message };
  }
}

parentPort?.postMessage(answer(workerData as ClusterTask));
