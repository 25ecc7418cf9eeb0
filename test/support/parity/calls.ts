/** The calls of each surface, as short as a table needs them. */
import type { RestCall, ToolCall } from './row.ts';

type Headers = Readonly<Record<string, string>>;
type Query = Readonly<Record<string, string | number | boolean>>;

interface Extras {
  readonly headers?: Headers;
  readonly query?: Query;
}

export function tool(name: string, args: Record<string, unknown>): ToolCall {
  return { tool: `vault_${name}`, args };
}

export function get(path: string, query?: Query): RestCall {
  return { method: 'GET', url: url('/vault/', path, query), headers: { accept: 'application/json' } };
}

export function put(path: string, body: string | Uint8Array, { headers, query }: Extras = {}): RestCall {
  return { method: 'PUT', url: url('/vault/', path, query), headers: { ...MARKDOWN, ...headers }, body };
}

export function post(path: string, body: string | Uint8Array, { headers, query }: Extras = {}): RestCall {
  return { method: 'POST', url: url('/vault/', path, query), headers: { ...MARKDOWN, ...headers }, body };
}

/** In the header dialect; a body of JSON where it is an object. */
export function patch(path: string, headers: Headers, body?: string | object, query?: Query): RestCall {
  const call: RestCall = { method: 'PATCH', url: url('/vault/', path, query), headers };
  if (body === undefined) return call;
  if (typeof body === 'string') return { ...call, headers: { ...MARKDOWN, ...headers }, body };
  return { ...call, headers: { ...JSON_TYPE, ...headers }, body: JSON.stringify(body) };
}

/** In the JSON dialect. */
export function patchJson(path: string, instruction: object, { headers, query }: Extras = {}): RestCall {
  const body = JSON.stringify(instruction);
  return { method: 'PATCH', url: url('/vault/', path, query), headers: { ...JSON_TYPE, ...headers }, body };
}

export function remove(path: string, { headers = {}, query }: Extras = {}): RestCall {
  return { method: 'DELETE', url: url('/vault/', path, query), headers };
}

export function move(body: object, { headers = {}, query }: Extras = {}): RestCall {
  return {
    method: 'POST',
    url: url('/move', '', query),
    headers: { ...JSON_TYPE, ...headers },
    body: JSON.stringify(body),
  };
}

export function makeFolder(path: string, query?: Query): RestCall {
  return { method: 'PUT', url: url('/folder/', path, query) };
}

export function removeFolder(path: string, query?: Query): RestCall {
  return { method: 'DELETE', url: url('/folder/', path, query) };
}

export function search(query: Query): RestCall {
  return { method: 'GET', url: url('/search', '', query), headers: { accept: 'application/json' } };
}

export function links(query: Query = {}): RestCall {
  return { method: 'GET', url: url('/links', '', query), headers: { accept: 'application/json' } };
}

export function searchByJson(body: object): RestCall {
  const headers = { ...JSON_TYPE, accept: 'application/json' };
  return { method: 'POST', url: '/search', headers, body: JSON.stringify(body) };
}

export function ifMatch(etag: string): Extras {
  return { headers: { 'If-Match': `"${etag}"` } };
}

const MARKDOWN: Headers = { 'content-type': 'text/markdown; charset=utf-8' };
const JSON_TYPE: Headers = { 'content-type': 'application/json' };

function url(mount: string, path: string, query: Query = {}): string {
  const parameters = new URLSearchParams(
    Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]),
  );
  const encoded = path.split('/').map(encodeURIComponent).join('/');
  return `${mount}${encoded}${parameters.size > 0 ? `?${parameters}` : ''}`;
}
