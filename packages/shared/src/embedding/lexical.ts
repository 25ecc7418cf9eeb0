/**
 * A stand-in embedder without any semantics: words and character trigrams hashed into a fixed number of signed
 * buckets. Texts that share words come out near each other, synonyms do not. It is instant and the same on every
 * machine, which is what tests and `--lexical` need. Danger: its vectors look like any other's, so nothing learnt
 * from its ranking says anything about semantic search.
 */
import { type Embedder, EmbedderError, type EmbedderHealth, type EmbedOutcome } from './embedder.ts';
import { spaceDigest, type VectorSpace } from './space.ts';
import { toUnitVector } from './unit-vector.ts';

/** Words weigh more than the trigrams inside them, so that exact words decide and spelling variants only help. */
const WORD_WEIGHT = 1;
const TRIGRAM_WEIGHT = 0.3;
/** A word this long is a blob (base64, a URL); its head is enough and keeps the work bounded. */
const MAX_WORD_CHARACTERS = 64;
const WORD = /[\p{L}\p{N}\p{M}]+/gu;
/** Scripts that put no space between words: there every pair of neighbours counts as a word. */
const UNSPACED = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/u;

/**
 * @param space model name, dims (at least 2) and prefixes; prefixes are hashed with the text like any other word
 */
export function createLexicalEmbedder(space: VectorSpace): Embedder {
  const health: EmbedderHealth = { ok: true, provider: 'lexical', model: space.model };
  return {
    provider: 'lexical',
    model: space.model,
    dims: space.dims,
    space: spaceDigest(space),
    async embedDocuments(texts, signal) {
      refuseAborted(signal);
      return texts.map((text): EmbedOutcome => ({ vector: hashText(space.documentPrefix + text, space.dims) }));
    },
    async embedQuery(text, signal) {
      refuseAborted(signal);
      return hashText(space.queryPrefix + text, space.dims);
    },
    health: () => health,
    close: async () => {},
  };
}

/** @returns the unit-length signed hash of a text's words and trigrams; never zero, whatever the text. */
export function hashText(text: string, dims: number): Float32Array {
  const buckets = new Float32Array(dims);
  for (const [found] of text.normalize('NFKC').toLowerCase().matchAll(WORD)) {
    if (UNSPACED.test(found)) {
      for (let i = 0; i + 2 <= found.length; i++) add(buckets, found.slice(i, i + 2), WORD_WEIGHT);
      if (found.length === 1) add(buckets, found, WORD_WEIGHT);
      continue;
    }
    const word = found.slice(0, MAX_WORD_CHARACTERS);
    add(buckets, `w ${word}`, WORD_WEIGHT);
    for (let i = 0; i + 3 <= word.length; i++) add(buckets, word.slice(i, i + 3), TRIGRAM_WEIGHT);
  }
  const outcome = toUnitVector(buckets);
  if ('vector' in outcome) return outcome.vector;
  // No word at all, or words that cancel out: one bucket of its own per text keeps the vector from being zero.
  buckets[fnv1a(text) % dims] = 1;
  return buckets;
}

function add(buckets: Float32Array, feature: string, weight: number): void {
  const hash = fnv1a(feature);
  const bucket = (hash >>> 1) % buckets.length;
  buckets[bucket] = (buckets[bucket] ?? 0) + (hash & 1 ? weight : -weight);
}

/** 32-bit FNV-1a over UTF-16 code units, with a final mix since its low bits alone are weak. */
function fnv1a(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  return (hash ^ (hash >>> 13)) >>> 0;
}

function refuseAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw new EmbedderError('aborted', 'Embedding was cancelled.');
}
