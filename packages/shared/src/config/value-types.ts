/**
 * The value types that several configuration keys share. Messages complete the sentence "<key> …", so that an error
 * reads as one line: what is wrong with which key.
 */
import { z } from 'zod';
import { isHeaderKey } from './remote-endpoint.ts';

/** Text with at least one character that is not white space. */
export const filledText = z.string('must be text').refine((value) => value.trim() !== '', 'must not be empty');

/** A key that travels in an HTTP header; with any other character it could never be matched. */
export const headerKey = z.string().refine(isHeaderKey, 'must be visible ASCII characters without spaces');

/** A path on this machine, absolute or relative to the working directory. */
export const localPath = filledText.refine((value) => !value.includes('\0'), 'must not hold a NUL');

/** Whole number from `min` to `max`, both included. */
export function wholeNumber(min: number, max: number = Number.MAX_SAFE_INTEGER) {
  const range = max === Number.MAX_SAFE_INTEGER ? `of at least ${min}` : `from ${min} to ${max}`;
  return z
    .number(`must be a whole number ${range}`)
    .int(`must be a whole number ${range}`)
    .min(min, `must be a whole number ${range}`)
    .max(max, `must be a whole number ${range}`);
}

/** Number from `min` to `max`, both included; fractions allowed. */
export function decimal(min: number, max: number) {
  const range = `must be a number from ${min} to ${max}`;
  return z.number(range).min(min, range).max(max, range);
}

/** One of a closed set of words. */
export function choice<const T extends readonly [string, ...string[]]>(words: T) {
  return z.enum(words, { error: `must be one of ${words.join(', ')}` });
}

/** A URL of one of the given protocols (`http:`). */
export function urlOf(protocols: readonly string[]) {
  const wanted = protocols.map((protocol) => `${protocol}//`).join(' or ');
  return z.string(`must be a URL starting with ${wanted}`).refine((value) => {
    return URL.canParse(value) && protocols.includes(new URL(value).protocol);
  }, `must be a URL starting with ${wanted}`);
}

export const httpUrl = urlOf(['http:', 'https:']);

/**
 * A folder or file inside the vault, from its root: `/`-separated, outer slashes dropped, no `.`, `..`, empty or
 * dotted segment. The same shape as a vault path, checked here without touching the vault.
 */
export const vaultRelativePath = filledText
  .transform((value) => value.trim().replace(/^\/+|\/+$/g, ''))
  .refine(
    (value) => value.split('/').every((segment) => segment !== '' && !segment.startsWith('.')),
    'must be a path from the vault’s root such as Projects/Archive, without empty segments or ones starting with a dot',
  )
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is being refused
  .refine((value) => !/[\\\u0000-\u001f\u007f]/.test(value), 'must not hold backslashes or control characters');

/** A pattern for file names or root-relative paths (`*.tmp`). */
export const globPattern = filledText.transform((value) => value.trim());

/** An IANA time zone this Node knows (`Europe/Berlin`). */
export const timeZone = filledText.refine(isTimeZone, 'must be an IANA time zone such as UTC or Europe/Berlin');

function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false; // RangeError: the only thing the constructor throws for a zone
  }
}
