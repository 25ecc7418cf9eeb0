/**
 * Addresses of remote models, and the key that must not show. Pure. Danger: the key. Nothing here puts it, or a part of
 * it, into an error, nor what a user wrote where a password may stand.
 */
import { DEFAULT_OLLAMA_URL } from '../config/remote-endpoint.ts';

/** An address that cannot be used; the message names the setting, and never repeats its value. */
export class BaseUrlError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'BaseUrlError';
  }
}

/**
 * @param raw what a user set: up to and with its `/v1`, slashes at the end aside
 * @param setting what it was set by, as messages name it, and where a key belongs instead
 * @throws BaseUrlError when it is no address over http or https, or holds a user name or password
 */
export function parseBase(raw: string, setting: { readonly address: string; readonly key: string }): URL {
  const wrong = (why: string) =>
    new BaseUrlError(`${setting.address} ${why}: set it to an address such as ${DEFAULT_OLLAMA_URL}.`);
  if (!URL.canParse(raw)) throw wrong('is not a URL');
  const url = new URL(raw);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') throw wrong('is neither http nor https');
  if (url.username !== '' || url.password !== '')
    throw wrong(`holds a user name or password, which belong in ${setting.key}`);
  url.hash = '';
  url.pathname = stripSlash(url.pathname);
  return url;
}

/** Origin and path without query and user info. */
export function shownAddress(base: URL): string {
  return `${base.origin}${stripSlash(base.pathname)}`;
}

/** The same place under another path; a query, which some services need, stays. */
export function withPath(base: URL, pathname: string): URL {
  const url = new URL(base);
  url.pathname = pathname;
  return url;
}

/**
 * Whether a text from outside holds the key or a piece of it (providers echo keys partly masked, so pieces count).
 * Such a text is not shown at all.
 */
export function mentionsKey(text: string, key: string | null): boolean {
  if (key === null) return false;
  const piece = Math.min(key.length, 4);
  for (let i = 0; i + piece <= key.length; i++) {
    if (text.includes(key.slice(i, i + piece))) return true;
  }
  return false;
}

export function stripSlash(path: string): string {
  return path.endsWith('/') ? stripSlash(path.slice(0, -1)) : path;
}
