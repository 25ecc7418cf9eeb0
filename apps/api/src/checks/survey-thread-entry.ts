/**
 * Entry file of the thread that looks at every note. Danger: nothing may run at its import but this wiring, and it only
 * makes sense inside a worker.
 */
import { parentPort, workerData } from 'node:worker_threads';
import { toAppError } from '@vault-mcp/shared/errors';
import { readNoteVectors } from '@vault-mcp/shared/index-db/note-vectors';
import { type ReadRules, visibleBy } from '@vault-mcp/shared/vault/access';
import { ignoredBy } from '@vault-mcp/shared/vault/indexed-paths';
import { createNoteCache, type Looked } from '@vault-mcp/shared/vault/note-cache';
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

function answer({ folder, maxBytes, ignore, readable, question }: SurveyRequest) {
  if (question.about === 'links' || question.about === 'near-duplicates') {
    // Asked by the program itself, of the whole vault; answering anybody else would answer too much.
    if (readable !== null) throw new Error('this question cannot be narrowed to what may be read');
  }
  if (question.about === 'links') return readLinks(question, maxBytes);
  if (question.about === 'near-duplicates') {
    return { answer: nearDuplicates.compare(readNoteVectors(question.indexPath, nearDuplicates)), leftOut: [] };
  }
  const wanted = { maxBytes, isIgnored: ignoredBy(ignore) };
  if (isAboutContent(question)) {
    const { notes, leftOut } = readableOf(contents.look(folder, wanted), readable);
    return { answer: contentSurvey.answer(notes, `${folder}\0${JSON.stringify(readable)}`, question), leftOut };
  }
  const { notes, leftOut } = readableOf(facts.look(folder, wanted), readable);
  const surveyed = survey(notes, question);
  return { ...surveyed, leftOut: [...leftOut, ...surveyed.leftOut] };
}

/** All notes are looked at, whoever asks: those that a look does not come to are forgotten. */
function readableOf<T>({ notes, leftOut }: Looked<T>, rules: ReadRules | null): Looked<T> {
  const isVisible = visibleBy(rules);
  return {
    notes: rules === null ? notes : notes.filter(({ path }) => isVisible(path, false)),
    leftOut: leftOut
      .filter(({ path, isFolder = false }) => isVisible(path, isFolder))
      .map(({ path, reason }) => ({ path, reason })),
  };
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
