/**
 * A client of the HTTP surface whose calls, bodies and answers are typed by openapi.yaml. Danger: two things no
 * description can say are settled here, how a path with `/` in it is encoded and that a note's text is sent as it is.
 */
import createClient, { type Client } from 'openapi-fetch';
import type { components, paths } from './openapi.ts';

export type Schemas = components['schemas'];
export type VaultClient = Client<paths, 'application/json'>;

/**
 * @param url of the server, without a path
 * @param key the API key
 * @returns calls that answer `{data}` or `{error}`, both typed, and the `response`
 */
export function createVaultClient(url: string, key: string): VaultClient {
  return createClient<paths, 'application/json'>({
    baseUrl: url,
    headers: { Authorization: `Bearer ${key}`, Accept: 'application/json' },
    pathSerializer: (pathname, parameters) =>
      pathname.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodePath(String(parameters[name]))),
  });
}

/** Each part by itself: an encoded `/` would be refused. */
function encodePath(path: string): string {
  return path.split('/').map(encodeURIComponent).join('/');
}

/** For the options of a call whose body is a note's text, or a part of one. */
export function markdown(text: string) {
  return {
    body: text,
    bodySerializer: (body: string) => body,
    headers: { 'Content-Type': 'text/markdown' },
  } as const;
}
