/**
 * The chat model that decides proposals and writes merged notes (`gate.model`), at any OpenAI-compatible address. Danger:
 * it is sent note text, and its key may neither show in what it says nor in what is said of it.
 */
import { parseBase, shownAddress, withPath } from '@vault-mcp/shared/remote/base-url';
import { CallFailure, type CallOptions, type CallTarget, postJson } from '@vault-mcp/shared/remote/json-call';
import type { ChatModel, ChatTime } from '../ports.ts';

/** What `ask` throws when it answered, and not with a whole text. The message is ours, and quotes nothing of the answer. */
export class ChatAnswerError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'ChatAnswerError';
  }
}

/** The part of the configuration's `gate` section that says whom to ask. */
export interface ChatSettings {
  readonly model: string | null;
  /** Null: where the embedder is. */
  readonly url: string | null;
  /** Null as well where `url` is nobody's choice: the configuration sees to it. */
  readonly api_key: string | null;
}

export interface ChatDeps {
  readonly fetch?: typeof fetch;
}

const MAX_ANSWER_BYTES = 1024 * 1024;
/** Shorter keys are often words ("ollama", "lm-studio") that a note may well hold. */
const MIN_SECRET_CHARACTERS = 16;

/**
 * @returns null when no chat model is set
 * @throws BaseUrlError when the address cannot be used
 */
export function createChatModel(
  gate: ChatSettings,
  embedding: { readonly ollama_url: string },
  deps: ChatDeps = {},
): ChatModel | null {
  const { model } = gate;
  if (model === null) return null;
  const setting =
    gate.url === null
      ? { address: 'OLLAMA_URL (embedding.ollama_url)', key: 'EMBED_API_KEY' }
      : { address: 'GATE_URL (gate.url)', key: 'GATE_API_KEY' };
  const base = parseBase(gate.url ?? embedding.ollama_url, setting);
  const target: CallTarget = { shown: shownAddress(base), key: gate.api_key || null };
  const url = withPath(base, `${base.pathname === '/' ? '' : base.pathname}/chat/completions`);
  const call: Omit<CallOptions, 'timeoutMs'> = {
    fetch: deps.fetch ?? fetch,
    maxBytes: MAX_ANSWER_BYTES,
    words: { who: 'chat model', setting: setting.address },
  };
  return {
    shown: `${model} at ${target.shown}`,
    async ask(messages, { maxChars, time, signal }) {
      const body = { model, messages, temperature: 0, stream: false };
      const answer = await inTime(target, time, signal, (ended) =>
        postJson(target, url, body, { ...call, timeoutMs: time.seconds * 1000, signal: ended }),
      );
      const text = contentOf(answer);
      if (text.length > maxChars) throw new ChatAnswerError(`It said more than ${maxChars} characters.`);
      if (holdsSecret(text, target.key)) throw new ChatAnswerError('It repeated its key.');
      return text;
    },
  };
}

/** @throws CallFailure that says so where the time is over, whichever ask it was; what `call` throws */
async function inTime(
  target: CallTarget,
  time: ChatTime,
  signal: AbortSignal,
  call: (ended: AbortSignal) => Promise<unknown>,
): Promise<unknown> {
  try {
    return await call(AbortSignal.any([signal, time.over]));
  } catch (error) {
    if (signal.aborted || !time.over.aborted) throw error;
    const message = `${target.shown} did not answer within ${time.seconds} s (gate.timeout_seconds).`;
    throw new CallFailure('transient', message);
  }
}

/** @throws ChatAnswerError */
function contentOf(answer: unknown): string {
  const choices = (answer as { choices?: unknown } | null)?.choices;
  const [choice] = Array.isArray(choices) ? choices : [];
  const { message, finish_reason: reason } = (choice ?? {}) as { message?: unknown; finish_reason?: unknown };
  const content = (message as { content?: unknown } | null | undefined)?.content;
  if (typeof content !== 'string') throw new ChatAnswerError('Its answer holds no text.');
  if (reason === 'length') throw new ChatAnswerError('Its answer was cut off before the end.');
  return content;
}

/** In whole: pieces of a key, as looked for in errors, stand in any long text. */
function holdsSecret(text: string, key: string | null): boolean {
  return key !== null && key.length >= MIN_SECRET_CHARACTERS && text.includes(key);
}
