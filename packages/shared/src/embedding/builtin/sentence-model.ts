/**
 * The built-in sentence model, from text to vector: Universal Sentence Encoder lite, English, 512 dimensions. Danger:
 * to the model every letter outside its alphabet is one and the same token, so all Japanese notes would share one
 * vector and match any Japanese query perfectly. Such texts get a hashed vector instead (lexical.ts), which is near
 * only to texts that share their characters, and far from all the model's own.
 */
import { truncateAtBoundary } from '../batches.ts';
import { hashText } from '../lexical.ts';
import { BUILTIN_DIMS } from '../settings.ts';
import { createEncoder } from './encoder.ts';
import type { SentenceModel } from './request-loop.ts';
import { createTokenizer, UNKNOWN } from './tokenizer.ts';
import { readModelFiles } from './weight-files.ts';

/** The model reads 128 tokens, some 500 characters of English; four times that covers any text of long words. */
const MAX_CHARACTERS = 2000;
const MOSTLY_UNKNOWN = 0.5;

/** @throws Error when the package with the weights is not installed or not complete */
export async function loadSentenceModel(): Promise<SentenceModel> {
  const files = readModelFiles();
  const { tokenize, unknownShare } = createTokenizer(files.vocabulary);
  const encoder = createEncoder(files);
  return {
    dims: BUILTIN_DIMS,
    embed(text) {
      // The model never saw a line break: it would be an unknown token between every two lines.
      const line = truncateAtBoundary(
        text
          .slice(0, 2 * MAX_CHARACTERS)
          .replace(/\s+/g, ' ')
          .trim(),
        MAX_CHARACTERS,
      );
      if (unknownShare(line) > MOSTLY_UNKNOWN) return hashText(line, BUILTIN_DIMS);
      const tokens = tokenize(line);
      return encoder.encode(tokens.length === 0 ? [UNKNOWN] : tokens);
    },
  };
}
