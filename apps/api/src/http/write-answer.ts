/** Answers a write: always JSON, whatever was asked for, with the version that is there now for the next one's If-Match. */
import type { HttpContext } from './env.ts';

/** @param answer the operation's; its `etag` is null where there is no version */
export function sendWritten(c: HttpContext, answer: { readonly etag?: string | null }): Response {
  if (answer.etag) c.header('ETag', `"${answer.etag}"`);
  return c.json(answer);
}
