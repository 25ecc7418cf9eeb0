/**
 * Entry file of the thread that looks at every note. Danger: nothing may run at its import but this wiring, and it only
 * makes sense inside a worker.
 */
import { parentPort, workerData } from 'node:worker_threads';
import { toAppError } from '@vault-mcp/shared/errors';
import { readNoteVectors } from '@vault-mcp/shared/index-db/note-vectors';
import { ignoredBy } from '@vault-mcp/shared/vault/indexed-paths';
import { createNoteCache } from '@vault-mcp/shared/vault/note-cache';
import { ContentSurvey, isAboutContent } from './content-survey.ts';
import { NearDuplicates } from './near-duplicates.ts';
import { noteContent } from './note-content.ts';
import { factsFromHead, noteFacts } from './note-facts.ts';
import { createLinksReader } from './read-links.ts';
import { survey } from './survey.ts';
import type { SurveyReply, SurveyRequest, SurveyThreadData } from './survey-thread.ts';

const { root } = workerData as SurveyThreadData;
const facts = createNoteCache(root, {
  derive: noteFacts,
  deriveFromHead: factsFromHead,
  weight: ({ weight }) => weight,
});
const contents = createNoteCache(root, { derive: noteContent, weight: ({ weight }) => weight });
const contentSurvey = new ContentSurvey();
const readLinks = createLinksReader(root);
const nearDuplicates = new NearDuplicates();

function answer({ folder, maxBytes, ignore, question }: SurveyRequest) {
  if (question.about === 'links') return readLinks(question, maxBytes);
  if (question.about === 'near-duplicates') {
    return { answer: nearDuplicates.compare(readNoteVectors(question.indexPath, nearDuplicates)), leftOut: [] };
  }
  const wanted = { maxBytes, isIgnored: ignoredBy(ignore) };
  if (isAboutContent(question)) {
    const { notes, leftOut } = contents.look(folder, wanted);
    return { answer: contentSurvey.answer(notes, folder, question), leftOut };
  }
  const { notes, leftOut } = facts.look(folder, wanted);
  const surveyed = survey(notes, question);
  return { ...surveyed, leftOut: [...leftOut, ...surveyed.leftOut] };
}

parentPort?.on('message', (request: SurveyRequest) => {
  let reply: SurveyReply;
  try {
    reply = { result: answer(request) };
  } catch (error) {
    const { code, message, cause } = toAppError(error);
    // What is no refusal is a defect: thrown on, it reaches the other side with its stack.
    if (code === 'internal_error') throw cause;
    reply = { code, message };
  }
  parentPort?.postMessage(reply);
});
