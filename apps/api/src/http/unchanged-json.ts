/**
 * Answers as JSON, written down once for as long as an operation gives the same object: megabytes of callouts take longer
 * to write than to find. Danger: what changes within such an object is not seen, so this is for those alone that never do.
 */
import type { HttpContext } from './env.ts';

const written = new WeakMap<object, Uint8Array<ArrayBuffer>>();

export function unchangedJson(c: HttpContext, answer: object): Response {
  const bytes = written.get(answer) ?? new TextEncoder().encode(JSON.stringify(answer));
  written.set(answer, bytes);
  return c.body(bytes, 200, { 'Content-Type': 'application/json' });
}
