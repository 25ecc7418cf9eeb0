/** A text's size in the chunker's own measure. */
import { createRuler } from '@vault-mcp/shared/chunk/tokens';

/** Estimated tokens, rounded up. */
export function tokensOf(text: string): number {
  return Math.ceil(createRuler(text).tokens(0, text.length));
}
