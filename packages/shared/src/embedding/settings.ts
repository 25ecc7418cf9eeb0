/**
 * From the configuration's `embedding` section to one settled model: which, how many dimensions, which prefixes.
 * Danger: a wrong guess here costs a whole re-embedding later, so what is not known is asked for, never guessed.
 */
import { missingForOpenAi } from '../config/remote-endpoint.ts';
import { EmbedderError, type EmbedderProvider } from './embedder.ts';
import type { VectorSpace } from './space.ts';

/** The configuration's `embedding` section (SPEC §2); seconds are seconds, an unset value is null or absent. */
export interface EmbeddingSettings {
  readonly provider: EmbedderProvider;
  readonly ollama_url: string;
  readonly model?: string | null | undefined;
  readonly dims?: number | null | undefined;
  readonly query_prefix?: string | null | undefined;
  readonly document_prefix?: string | null | undefined;
  readonly batch_size: number;
  readonly timeout_seconds: number;
  readonly max_attempts: number;
  readonly backoff_seconds: number;
  readonly backoff_max_seconds: number;
  readonly api_key?: string | null | undefined;
}

const DEFAULT_OLLAMA_MODEL = 'nomic-embed-text';
export const BUILTIN_MODEL = 'universal-sentence-encoder-lite';
export const BUILTIN_DIMS = 512;
const LEXICAL_MODEL = 'lexical-hash-1';
const LEXICAL_DIMS = 384;

interface KnownModel {
  readonly name: RegExp;
  readonly dims?: number;
  readonly queryPrefix: string;
  readonly documentPrefix: string;
}

/** What the models' own cards say about dimensions and prefixes; a model not listed has none we know of. */
const KNOWN_MODELS: readonly KnownModel[] = [
  {
    name: /(^|\/)nomic-embed-text(:|$|-v1)/i,
    dims: 768,
    queryPrefix: 'search_query: ',
    documentPrefix: 'search_document: ',
  },
  {
    name: /(^|\/)mxbai-embed-large/i,
    dims: 1024,
    queryPrefix: 'Represent this sentence for searching relevant passages: ',
    documentPrefix: '',
  },
  {
    name: /(^|\/)embeddinggemma/i,
    dims: 768,
    queryPrefix: 'task: search result | query: ',
    documentPrefix: 'title: none | text: ',
  },
  { name: /(^|\/|-)e5-/i, queryPrefix: 'query: ', documentPrefix: 'passage: ' },
  { name: /(^|\/)all-minilm/i, dims: 384, queryPrefix: '', documentPrefix: '' },
  { name: /(^|\/)bge-m3/i, dims: 1024, queryPrefix: '', documentPrefix: '' },
];

/**
 * @returns the model to use with its prefixes: what the user set, else what the provider or the model's card says
 * @throws EmbedderError `configuration` when a setting is needed that is neither set nor known
 */
export function resolveSpace(settings: EmbeddingSettings): VectorSpace {
  const { provider } = settings;
  if (provider === 'lexical') return withPrefixes(settings, LEXICAL_MODEL, LEXICAL_DIMS);
  if (provider === 'builtin') {
    refuseOther('EMBED_MODEL', settings.model, BUILTIN_MODEL);
    refuseOther('EMBED_DIMS', settings.dims, BUILTIN_DIMS);
    return withPrefixes(settings, BUILTIN_MODEL, BUILTIN_DIMS);
  }
  if (provider === 'openai') refuseMissing(settings);
  const model = settings.model || DEFAULT_OLLAMA_MODEL;
  const dims = settings.dims ?? knownModel(model)?.dims;
  if (dims === undefined) {
    throw new EmbedderError(
      'configuration',
      `The number of dimensions of the embedding model "${model}" is not known: set EMBED_DIMS (embedding.dims) to what its model card says.`,
    );
  }
  return withPrefixes(settings, model, dims);
}

/** Nothing about an openai endpoint has a default: not its model, not where it is, not who may use it. */
function refuseMissing(settings: EmbeddingSettings): void {
  const missing = missingForOpenAi(settings);
  if (missing.length > 0) throw new EmbedderError('configuration', `${missing.join('. ')}.`);
}

function withPrefixes(settings: EmbeddingSettings, model: string, dims: number): VectorSpace {
  const known = knownModel(model);
  return {
    model,
    dims,
    queryPrefix: settings.query_prefix ?? known?.queryPrefix ?? '',
    documentPrefix: settings.document_prefix ?? known?.documentPrefix ?? '',
  };
}

function knownModel(model: string): KnownModel | undefined {
  return KNOWN_MODELS.find((known) => known.name.test(model));
}

function refuseOther(variable: string, value: string | number | null | undefined, only: string | number): void {
  if (value === undefined || value === null || value === '' || value === only) return;
  throw new EmbedderError(
    'configuration',
    `The built-in embedder has one model only (${variable} = ${only}): unset ${variable}, or choose another EMBED_PROVIDER.`,
  );
}
