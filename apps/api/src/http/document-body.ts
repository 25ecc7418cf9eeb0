/**
 * A document's bytes from a request, as they come. Danger: what comes in becomes the file byte for byte, so a body that
 * wraps or packs the document is refused: what was filed then would be no document, and nobody would notice.
 */
import { AppError } from '@vault-mcp/shared/errors';
import { bodyParts, mediaType, requireUncompressed, statedLength } from './body-bytes.ts';
import type { HttpContext } from './env.ts';

/** The bytes once, as they come. */
export interface DocumentBody {
  readonly body: AsyncIterable<Uint8Array>;
  /** What the request says will come; null when it does not say. */
  readonly statedBytes: number | null;
}

/**
 * The content type says nothing of what a document is, only whether the body is one.
 *
 * @throws AppError `invalid_request` for a form and for a compressed body
 */
export function readDocumentBody(c: HttpContext): DocumentBody {
  if (mediaType(c).startsWith('multipart/')) {
    throw new AppError(
      'invalid_request',
      'A document is sent as the body itself, not in a form: with curl, --data-binary @file.pdf or -T file.pdf.',
    );
  }
  requireUncompressed(c);
  return { body: bodyParts(c), statedBytes: statedLength(c) };
}
