/**
 * From `--embedder` and `--model` to the product's embedding configuration. Danger: a model that is asked for and does not answer
 * must end the run, or the figures are of something else.
 */

import { createEmbedder } from '@vault-mcp/shared/embedding/choose';
import { silentLogger } from '@vault-mcp/shared/log';
import { SENTENCE_MODEL, startSentenceModel } from '../sentence-model/start.mjs';

/** What was asked for cannot be had; the message says what to do. */
export class EmbedderOptionError extends Error {}

/**
 * @typedef {{label: string, env: Record<string, string>, without: string | null, stop: () => Promise<void>}} Embedding `without` says
 *   why there is no dense arm; `stop` ends what was started for it
 * @param {string} name builtin, lexical, none, minilm (see ../sentence-model), or the base URL of an OpenAI-compatible endpoint
 * @param {string | undefined} model needed for an endpoint
 * @returns {Promise<Embedding>} where Python or its packages cannot be had, minilm is told of in `without`
 * @throws EmbedderOptionError
 */
export async function embeddingOf(name, model) {
  if (name === 'none') return without('no embedder was wanted');
  if (name === 'lexical') return embeddingBy(name, { EMBED_PROVIDER: name });
  if (name === 'builtin') return builtinModel();
  if (name === 'minilm') return sentenceModel();
  if (!URL.canParse(name)) {
    throw new EmbedderOptionError(`--embedder takes builtin, lexical, none, minilm or an endpoint's URL, not ${name}.`);
  }
  if (!model) throw new EmbedderOptionError('An endpoint needs --model NAME.');
  return embeddingBy(model, endpoint(name, model, await dimensionsOf(name, model)));
}

/** Its weights are files of a package: whether they can be read is known once a text was embedded. */
async function builtinModel() {
  const embedder = await createEmbedder({ provider: 'builtin' }, { logger: silentLogger() });
  try {
    await embedder.embedQuery('is it there');
    return embeddingBy('builtin', { EMBED_PROVIDER: 'builtin' });
  } catch (error) {
    return without(`the built-in model does not work (${error.message})`);
  } finally {
    await embedder.close();
  }
}

async function sentenceModel() {
  const started = await startSentenceModel();
  if ('unavailable' in started) return without(`the sentence model cannot be had (${started.unavailable})`);
  const { model, dims } = SENTENCE_MODEL;
  return { ...embeddingBy(model, endpoint(`${started.url}/v1`, model, dims)), stop: started.stop };
}

function without(reason) {
  return { ...embeddingBy('none', { EMBED_PROVIDER: 'lexical' }), without: reason };
}

function embeddingBy(label, env) {
  return { label, env, without: null, stop: async () => {} };
}

function endpoint(url, model, dims) {
  return { EMBED_PROVIDER: 'openai', OLLAMA_URL: url, EMBED_MODEL: model, EMBED_DIMS: String(dims) };
}

async function dimensionsOf(url, model) {
  try {
    const answer = await fetch(`${url.replace(/\/$/, '')}/embeddings`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ model, input: ['length of a vector'] }),
      signal: AbortSignal.timeout(60_000),
    });
    if (!answer.ok) throw new Error(`it answered ${answer.status}`);
    const { data } = await answer.json();
    return data[0].embedding.length;
  } catch (error) {
    throw new EmbedderOptionError(
      `${url} gives no vectors of ${model} (${error.cause?.message ?? error.message}): start it, or choose another --embedder.`,
      { cause: error },
    );
  }
}
