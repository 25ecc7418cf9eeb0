/**
 * A chat model as the decider of a proposal. Danger: it may be gone, slow or talk nonsense, and then something has to become of
 * the candidate all the same: what went wrong is told to whoever asked, never thrown.
 */
import type { ChatModel } from '../ports.ts';
import type { Candidate, Decision, FellBack, SimilarNote } from '../types.ts';
import { askForJson, type Patience } from './ask-for-json.ts';
import { readDecision } from './decision-answer.ts';
import { DECIDE_SYSTEM, decideData } from './prompts.ts';

export interface DeciderFailure {
  readonly failed: Extract<FellBack, 'decider_unreachable' | 'decider_malformed'>;
  /** May be shown: neither the key nor what the model said is in it. */
  readonly detail: string;
}

/** A whole new note of 64 KiB, with the escapes of JSON. */
const MAX_CHARS = 200_000;

/**
 * @param similar only notes that the caller may read: the model's answer may quote them
 * @throws the signal's reason once it is aborted
 */
export async function decideByModel(
  chat: ChatModel,
  candidate: Candidate,
  similar: readonly SimilarNote[],
  patience: Patience,
): Promise<Decision | DeciderFailure> {
  const question = {
    system: DECIDE_SYSTEM,
    user: decideData(candidate, similar),
    read: readDecision,
    maxChars: MAX_CHARS,
  };
  const asked = await askForJson(chat, question, patience);
  if ('value' in asked) return asked.value;
  return asked.failed === 'unreachable'
    ? { failed: 'decider_unreachable', detail: asked.detail }
    : { failed: 'decider_malformed', detail: `The chat model's answer could not be used. ${asked.detail}` };
}
