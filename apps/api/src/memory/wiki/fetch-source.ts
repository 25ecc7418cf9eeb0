/**
 * Fetches what a URL leads to, to be kept as raw material. Danger: the URL is the caller's and the answer anybody's: it may
 * lead into this server's own network, at once or by a redirect, and it may never end. So each hop is judged anew, before
 * anything is sent, and time and size are limited by what really passes.
 */
import { AppError } from '@vault-mcp/shared/errors';
import { askOnce, type HopOptions, refusedSource } from './source-hop.ts';

const MAX_REDIRECTS = 5;

/** A longer one is no address that anybody shares. */
const MAX_URL_LENGTH = 4_096;

export interface FetchOptions extends Omit<HopOptions, 'signal'> {
  /** For all of it: looking up, connecting, redirects, the last byte. */
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
}

export interface FetchedSource {
  readonly bytes: Buffer;
  /** As it was sent; null when it was not. */
  readonly contentType: string | null;
  /** Where the redirects led. */
  readonly finalUrl: URL;
}

/**
 * @throws AppError `invalid_value` for a URL that may not be fetched, naming the rule and never the address it led to, and
 * for one that does not answer 200 in plain bytes in time; `document_too_large`; `locked` when the caller's signal ended it
 */
export async function fetchSource(url: URL, options: FetchOptions): Promise<FetchedSource> {
  const timeout = AbortSignal.timeout(options.timeoutMs);
  const signal = options.signal === undefined ? timeout : AbortSignal.any([options.signal, timeout]);
  try {
    return await followed(url, { ...options, signal });
  } catch (error) {
    if (options.signal?.aborted) {
      throw new AppError('locked', 'The call was ended before the URL had answered: send it again.', { cause: error });
    }
    if (timeout.aborted) throw refusedSource(`it took longer than ${options.timeoutMs / 1000} s`, error);
    throw error;
  }
}

async function followed(url: URL, options: HopOptions): Promise<FetchedSource> {
  let next = url;
  for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
    const answer = await askOnce(next, options);
    if ('bytes' in answer) return { ...answer, finalUrl: next };
    next = sourceUrl(answer.location, next);
  }
  throw refusedSource(`it leads on to another URL more than ${MAX_REDIRECTS} times`);
}

/**
 * @param base what it is relative to, for where a redirect leads
 * @throws AppError `invalid_value` for what is no URL, has another scheme, or holds a user name or password
 */
export function sourceUrl(text: string, base?: URL): URL {
  if (text.length > MAX_URL_LENGTH || !URL.canParse(text, base?.href)) throw refusedSource('it is no URL');
  const url = new URL(text, base?.href);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') throw refusedSource('only http and https are fetched');
  if (url.username !== '' || url.password !== '') throw refusedSource('it holds a user name or password');
  return url;
}
