/**
 * Ends the body of a request at the first bytes that are not UTF-8. Danger: the SDK decodes leniently, so without this
 * the text of a note in another encoding would be written with replacement characters in it, and nobody would be told.
 */

/** @returns the same request, whose body cannot be read to its end when it is not UTF-8 */
export function strictlyUtf8(request: Request): Request {
  if (request.body === null) return request;
  const decoded = request.body.pipeThrough(new TextDecoderStream('utf-8', { fatal: true, ignoreBOM: true }));
  const init: RequestInit & { duplex: 'half' } = { body: decoded.pipeThrough(new TextEncoderStream()), duplex: 'half' };
  return new Request(request, init);
}
