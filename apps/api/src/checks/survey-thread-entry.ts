/**
 * Entry file of the thread that looks at every note. Danger: nothing may run at its import but this wiring, and it only
 * makes sense inside a worker.
 */
import { parentPort, workerData } from 'node:worker_threads';
import { toAppError } from '@vault-mcp/shared/errors';
import { ignoredBy } from '@vault-mcp/shared/vault/indexed-paths';
import { createNoteCache } from '@vault-mcp/shared/vault/note-cache';
import { noteFacts } from './note-facts.ts';
import { survey } from './survey.ts';
import type { SurveyReply, SurveyRequest, SurveyThreadData } from './survey-thread.ts';

const cache = createNoteCache((workerData as SurveyThreadData).root, {
  derive: noteFacts,
  weight: ({ weight }) => weight,
});

function answer({ folder, maxBytes, ignore, question }: SurveyRequest) {
  const { notes, leftOut } = cache.look(folder, { maxBytes, isIgnored: ignoredBy(ignore) });
  const surveyed = survey(notes, question);
  return { ...surveyed, leftOut: [...leftOut, ...surveyed.leftOut] };
}

parentPort?.on('message', (request: SurveyRequest) => {
  let reply: SurveyReply;
  try {
    reply = { id: request.id, result: answer(request) };
  } catch (error) {
    const { code, message, cause } = toAppError(error);
    // What is no refusal is a defect: thrown on, it reaches the other side with its stack.
    if (code === 'internal_error') throw cause;
    reply = { id: request.id, code, message };
  }
  parentPort?.postMessage(reply);
});
