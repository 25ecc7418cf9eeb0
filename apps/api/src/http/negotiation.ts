/**
 * Which representation a caller wants, and whether it already holds it. `application/vnd.olrapi.note+json`, the
 * Obsidian plugin's type, is understood and answered as `application/json`, which is what its clients parse.
 */
import { accepts } from 'hono/accepts';
import type { HttpContext } from './env.ts';

const JSON_TYPES = ['application/json', 'application/vnd.olrapi.note+json'];
const SUPPORTED = ['text/markdown', 'text/plain', ...JSON_TYPES];

/** True when JSON is preferred over text; a caller that states no preference gets text. */
export function wantsJson(c: HttpContext): boolean {
  return JSON_TYPES.includes(accepts(c, { header: 'Accept', supports: SUPPORTED, default: 'text/markdown' }));
}

/**
 * Whether an `If-None-Match` header names this etag (weak comparison: our tags change exactly with the bytes).
 * @param etag bare, as it stands in JSON
 */
export function matchesEtag(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  if (header.trim() === '*') return true;
  return [...header.matchAll(/(?:W\/)?"([^"]*)"/g)].some((match) => match[1] === etag);
}
