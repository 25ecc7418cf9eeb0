/**
 * Makes a caller's query safe to analyse and to embed. Pure. Danger: control characters and lone surrogates reach
 * SQLite and JSON from here, so nothing past this file sees the raw query.
 */
import { AppError } from '@vault-mcp/shared/errors';

/** Longer than any question; beyond it the caller has sent something else. */
export const MAX_QUERY_CHARACTERS = 20_000;

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are exactly what is being removed
const CONTROL = /[\u0000-\u001f\u007f-\u009f]+/g;
const LONE_SURROGATE = /\p{Surrogate}/gu;

/**
 * The query with control characters as spaces, lone surrogates replaced and outer white space gone.
 * @throws AppError invalid_request when nothing is left or it is longer than MAX_QUERY_CHARACTERS
 */
export function cleanQuery(raw: string): string {
  if (raw.length > MAX_QUERY_CHARACTERS) {
    throw new AppError(
      'invalid_request',
      `The query holds ${raw.length} characters; ask with at most ${MAX_QUERY_CHARACTERS}, best with a few words.`,
    );
  }
  const query = raw.replace(CONTROL, ' ').replace(LONE_SURROGATE, '\ufffd').trim();
  if (query === '') throw new AppError('invalid_request', 'The query is empty; say in a few words what to look for.');
  return query;
}

/** At most `limit` UTF-16 units from the start, never half a surrogate pair. */
export function firstCharacters(text: string, limit: number): string {
  const cut = text.slice(0, limit);
  return /[\ud800-\udbff]$/.test(cut) ? cut.slice(0, -1) : cut;
}
