/**
 * A chat model asked for one JSON object, and once more when what it says is none. Danger: a model that is told what was
 * wrong must not be told in its own words: they may come from a note.
 */
import { CallFailure } from '@vault-mcp/shared/remote/json-call';
import type { ChatMessage, ChatModel, ChatTime } from '../ports.ts';
import { ChatAnswerError } from './chat-model.ts';
import { parseJsonAnswer } from './json-answer.ts';

export interface Question<T> {
  readonly system: string;
  /** Data alone. */
  readonly user: string;
  /** Reads the JSON of an answer; a text says what is wrong with it, as a sentence of ours. */
  readonly read: (value: unknown) => { readonly value: T } | { readonly problem: string };
  readonly maxChars: number;
}

/** `detail` may be shown: it holds neither the key nor what the model said. */
export type Asked<T> =
  | { readonly value: T }
  | { readonly failed: 'unreachable' | 'malformed'; readonly detail: string };

const TRIES = 2;
const NO_JSON = 'It is not one JSON object: say nothing before or after it.';

/** How long the answer is waited for. */
export interface Patience {
  /** Of both tries together. */
  readonly time: ChatTime;
  /** Ends the wait, when the server stops. */
  readonly signal: AbortSignal;
}

/** @throws the signal's reason once it is aborted; nothing else of the model's doing */
export async function askForJson<T>(chat: ChatModel, question: Question<T>, patience: Patience): Promise<Asked<T>> {
  let problem: string | null = null;
  for (let attempt = 0; attempt < TRIES; attempt++) {
    try {
      const text = await chat.ask(messagesOf(question, problem), { maxChars: question.maxChars, ...patience });
      const read = readAnswer(text, question);
      if ('value' in read) return read;
      problem = read.problem;
    } catch (error) {
      patience.signal.throwIfAborted();
      if (error instanceof CallFailure) return { failed: 'unreachable', detail: error.message };
      if (!(error instanceof ChatAnswerError)) throw error;
      problem = error.message;
    }
  }
  return { failed: 'malformed', detail: problem ?? NO_JSON };
}

function readAnswer<T>(text: string, { read }: Question<T>): { value: T } | { problem: string } {
  const value = parseJsonAnswer(text);
  return value === undefined ? { problem: NO_JSON } : read(value);
}

/** The remark stands among the instructions: some models take no other order than system, user. */
function messagesOf({ system, user }: Question<unknown>, problem: string | null): ChatMessage[] {
  const remark =
    problem === null
      ? ''
      : `\n\nYour last answer to this could not be used. ${problem} Answer again, as described above.`;
  return [
    { role: 'system', content: system + remark },
    { role: 'user', content: user },
  ];
}
