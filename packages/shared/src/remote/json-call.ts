/**
 * One HTTP call to a remote model, with every way it can go wrong told apart. Danger: whatever the other side says is
 * untrusted: it may be endless, may not be JSON, and may echo the key.
 */
import { mentionsKey } from './base-url.ts';

/**
 * `transient`: worth another try. `refused`: any 4xx about this very request. `configuration`: 401, 403, 404, a
 * redirect. `aborted`: the caller's own signal.
 */
export type CallFailureKind = 'transient' | 'refused' | 'configuration' | 'aborted';

export class CallFailure extends Error {
  readonly kind: CallFailureKind;
  readonly status: number | null;
  /** How long the other side asked to be left alone, in milliseconds. */
  readonly retryAfterMs: number | null;
  /** Cleaned words of the other side; empty when it said nothing that may be shown. */
  readonly said: string;

  constructor(
    kind: CallFailureKind,
    message: string,
    facts: { status?: number; retryAfterMs?: number | null; said?: string } = {},
  ) {
    super(message);
    this.name = 'CallFailure';
    this.kind = kind;
    this.status = facts.status ?? null;
    this.retryAfterMs = facts.retryAfterMs ?? null;
    this.said = facts.said ?? '';
  }
}

/** Whom is called: how messages name it, and the key it is sent. */
export interface CallTarget {
  /** Origin and path without query and user info: what messages may say. */
  readonly shown: string;
  /** Null when none is sent. */
  readonly key: string | null;
}

export interface CallOptions {
  readonly fetch: typeof fetch;
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
  /** A longer answer is broken off. */
  readonly maxBytes: number;
  readonly words: {
    /** What is called, after "the": `embedder`. */
    readonly who: string;
    /** What to set its address by. */
    readonly setting: string;
  };
}

const MAX_SAID_CHARACTERS = 200;

/**
 * POSTs JSON and returns the JSON of a 2xx answer.
 * @throws CallFailure always, whatever went wrong
 */
export async function postJson(target: CallTarget, url: URL, body: unknown, options: CallOptions): Promise<unknown> {
  const timeout = AbortSignal.timeout(options.timeoutMs);
  const signal = options.signal === undefined ? timeout : AbortSignal.any([options.signal, timeout]);
  try {
    const response = await options.fetch(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json',
        ...(target.key === null ? {} : { authorization: `Bearer ${target.key}` }),
      },
      body: JSON.stringify(body),
      // A redirect could carry the key and the notes to another host.
      redirect: 'manual',
      signal,
    });
    const text = await readBounded(response, options);
    if (!response.ok) throw failureOf(response, text, target, options);
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof CallFailure) throw error;
    throw failureOfThrown(error, target, options, timeout);
  }
}

async function readBounded(response: Response, { maxBytes, words }: CallOptions): Promise<string> {
  if (response.body === null) return '';
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  for await (const part of response.body as unknown as AsyncIterable<Uint8Array>) {
    bytes += part.byteLength;
    if (bytes > maxBytes) throw new CallFailure('transient', `The ${words.who} answered far more than was asked for.`);
    text += decoder.decode(part, { stream: true });
  }
  return text + decoder.decode();
}

function failureOf(response: Response, body: string, target: CallTarget, { words: names }: CallOptions): CallFailure {
  const { status } = response;
  if (response.type === 'opaqueredirect' || (status >= 300 && status < 400)) {
    return new CallFailure(
      'configuration',
      `${target.shown} redirects elsewhere: set ${names.setting} to the final address.`,
      { status },
    );
  }
  const said = status === 401 || status === 403 ? '' : saidIn(body, target.key);
  const words = said === '' ? '' : `: ${said}`;
  if (status === 401 || status === 403 || status === 404) {
    return new CallFailure('configuration', `${target.shown} answered ${status}${words}`, { status, said });
  }
  const transient = status === 408 || status === 425 || status === 429 || status >= 500;
  return new CallFailure(transient ? 'transient' : 'refused', `${target.shown} answered ${status}${words}`, {
    status,
    said,
    retryAfterMs: retryAfterMs(response.headers.get('retry-after')),
  });
}

function failureOfThrown(error: unknown, target: CallTarget, options: CallOptions, timeout: AbortSignal): CallFailure {
  if (options.signal?.aborted) return new CallFailure('aborted', `The call to the ${options.words.who} was cancelled.`);
  if (timeout.aborted) {
    return new CallFailure('transient', `${target.shown} did not answer within ${options.timeoutMs / 1000} s.`);
  }
  if (error instanceof SyntaxError)
    return new CallFailure('transient', `${target.shown} answered something that is not JSON.`);
  const code = transportCode(error);
  return new CallFailure('transient', `${target.shown} cannot be reached${code === '' ? '' : ` (${code})`}.`);
}

/** ECONNREFUSED and the like; only the code, since a client's message may quote headers. */
function transportCode(error: unknown): string {
  for (let at = error, depth = 0; at instanceof Error && depth < 5; at = at.cause, depth++) {
    const code = (at as { code?: unknown }).code;
    if (typeof code === 'string' && /^[A-Z_]{2,40}$/.test(code)) return code;
  }
  return '';
}

/** The message inside an error body, on one line and short; empty when it has anything of the key in it. */
function saidIn(body: string, key: string | null): string {
  if (mentionsKey(body, key)) return '';
  const text = errorText(body).replace(/\s+/g, ' ').trim();
  return mentionsKey(text, key) ? '' : text.slice(0, MAX_SAID_CHARACTERS);
}

function errorText(body: string): string {
  try {
    const parsed = JSON.parse(body) as { error?: unknown; message?: unknown } | null;
    const error = parsed?.error;
    if (typeof error === 'string') return error;
    const nested = (error as { message?: unknown } | null | undefined)?.message ?? parsed?.message;
    return typeof nested === 'string' ? nested : '';
  } catch {
    return body;
  }
}

/** Retry-After as seconds or as an HTTP date. */
function retryAfterMs(header: string | null): number | null {
  if (header === null) return null;
  const seconds = Number(header);
  if (Number.isFinite(seconds)) return Math.max(0, seconds * 1000);
  const at = Date.parse(header);
  return Number.isNaN(at) ? null : Math.max(0, at - Date.now());
}
