/** Configuration of meaning and ranking: `embedding.*`, `chunking.*`, `search.*`, `gate.*`. */
import { z } from 'zod';
import { SEARCH_LANGUAGES } from '../languages.ts';
import { DEFAULT_OLLAMA_URL } from '../remote-endpoint.ts';
import { list, number, text } from '../setting.ts';
import { choice, decimal, filledText, headerKey, httpUrl, vaultRelativePath, wholeNumber } from '../value-types.ts';

const EMBEDDING_PROVIDERS = ['ollama', 'openai', 'builtin', 'lexical'] as const;

export const embeddingSection = z.strictObject({
  provider: text(choice(EMBEDDING_PROVIDERS), {
    variable: 'EMBED_PROVIDER',
    doc: 'Who turns text into vectors: ollama; openai (any compatible endpoint); builtin (a small model of our own, no network); lexical (words only). In embedded mode the default is builtin.',
    default: 'ollama',
    embedded: 'builtin',
  }),
  ollama_url: text(httpUrl, {
    variable: 'OLLAMA_URL',
    doc: 'Base URL of the endpoint that ollama and openai speak to.',
    default: DEFAULT_OLLAMA_URL,
    sensitive: true,
  }),
  model: text(filledText.nullable(), {
    variable: 'EMBED_MODEL',
    doc: 'Model name. Unset: the provider’s own (ollama: nomic-embed-text). openai must name one.',
    default: null,
    whenEmpty: null,
  }),
  dims: number(wholeNumber(1, 16_384).nullable(), {
    variable: 'EMBED_DIMS',
    doc: 'Length of the model’s vectors. Unset: the provider’s own (ollama: 768). openai must name it.',
    default: null,
    whenEmpty: null,
  }),
  query_prefix: text(z.string('must be text').nullable(), {
    variable: 'EMBED_QUERY_PREFIX',
    doc: 'Put before every query. Unset: by model ("search_query: " for nomic). An empty text means no prefix.',
    default: null,
    whenEmpty: '',
  }),
  document_prefix: text(z.string('must be text').nullable(), {
    variable: 'EMBED_DOCUMENT_PREFIX',
    doc: 'Put before every indexed text. Unset: by model ("search_document: " for nomic). An empty text means no prefix.',
    default: null,
    whenEmpty: '',
  }),
  batch_size: number(wholeNumber(1, 2_048), {
    variable: 'EMBED_BATCH_SIZE',
    doc: 'Most texts in one request; also capped by total characters.',
    default: 64,
  }),
  timeout_seconds: number(decimal(0.1, 3_600), {
    variable: 'EMBED_TIMEOUT_SECONDS',
    doc: 'Longest wait for one batch.',
    default: 120,
  }),
  max_attempts: number(wholeNumber(1, 100), {
    variable: 'EMBED_MAX_ATTEMPTS',
    doc: 'Tries per batch before it is left for later.',
    default: 5,
  }),
  backoff_seconds: number(decimal(0, 3_600), {
    variable: 'EMBED_BACKOFF_SECONDS',
    doc: 'Wait before the second try; doubles with each further one.',
    default: 1.0,
  }),
  backoff_max_seconds: number(decimal(0, 86_400), {
    variable: 'EMBED_BACKOFF_MAX_SECONDS',
    doc: 'Longest wait between two tries.',
    default: 30.0,
  }),
  api_key: text(headerKey.nullable(), {
    variable: 'EMBED_API_KEY',
    doc: 'Key for the endpoint. Sent only when embedding.ollama_url was set by you.',
    default: null,
    secret: true,
  }),
});

export const chunkingSection = z.strictObject({
  target_tokens: number(wholeNumber(32, 8_192), {
    variable: 'CHUNK_TARGET_TOKENS',
    doc: 'Size a chunk aims at, in tokens (about 3.6 characters; one per CJK character).',
    default: 400,
  }),
  overlap_tokens: number(wholeNumber(0, 4_096), {
    variable: 'CHUNK_OVERLAP_TOKENS',
    doc: 'Tokens repeated from the piece before where a section had to be split. Less than target_tokens.',
    default: 60,
  }),
  min_tokens: number(wholeNumber(0, 8_192), {
    variable: 'CHUNK_MIN_TOKENS',
    doc: 'Sections smaller than this are merged with their neighbour. At most target_tokens.',
    default: 120,
  }),
});

export const searchSection = z.strictObject({
  default_k: number(wholeNumber(1, 20), {
    variable: 'SEARCH_DEFAULT_K',
    doc: 'Results when the caller names no number (1 to 20).',
    default: 6,
  }),
  embed_timeout_seconds: number(decimal(0, 600), {
    variable: 'SEARCH_EMBED_TIMEOUT_SECONDS',
    doc: 'A query whose embedding takes longer is answered by words alone, and says so.',
    default: 3,
  }),
  exclude_dirs: list(vaultRelativePath, {
    variable: 'SEARCH_EXCLUDE_DIRS',
    doc: 'Folders whose notes are indexed but not found by search, for example Workflows, Reports.',
    default: [],
  }),
  language: text(choice(SEARCH_LANGUAGES), {
    variable: 'SEARCH_LANGUAGE',
    doc: 'Language whose stop words and stemming apply to words in Latin and related scripts.',
    default: 'en',
  }),
  rrf_k: number(decimal(0, 10_000), {
    variable: 'SEARCH_RRF_K',
    doc: 'Fusion: rank damping of reciprocal rank fusion.',
    default: 10,
  }),
  dense_weight: number(decimal(0, 100).nullable(), {
    variable: 'SEARCH_DENSE_WEIGHT',
    doc: 'Fusion: weight of the meaning arm. Unset: the one that suits the embedder (1).',
    default: null,
    whenEmpty: null,
  }),
  lexical_weight: number(decimal(0, 100).nullable(), {
    variable: 'SEARCH_LEXICAL_WEIGHT',
    doc: 'Fusion: weight of the words arm. Unset: the one that suits the embedder (ollama and openai 1; builtin 3, lexical 4, since they are weaker than words).',
    default: null,
    whenEmpty: null,
  }),
  candidates: number(wholeNumber(1, 1_000), {
    variable: 'SEARCH_CANDIDATES',
    doc: 'Fusion: candidates taken from each arm.',
    default: 50,
  }),
  document_weight: number(decimal(0, 10), {
    variable: 'SEARCH_DOCUMENT_WEIGHT',
    doc: 'Factor on the score of chunks from documents.',
    default: 0.7,
  }),
  mmr_lambda: number(decimal(0, 1), {
    variable: 'SEARCH_MMR_LAMBDA',
    doc: 'Diversity: 1 ranks by relevance alone, less spreads results over notes.',
    default: 0.9,
  }),
});

export const gateSection = z.strictObject({
  distance_ceiling: number(decimal(0, 2).nullable(), {
    variable: 'GATE_DISTANCE_CEILING',
    doc: 'Write gate: cosine distance above which a note is not similar. Unset: the calibrated one of the embedder, where there is one.',
    default: null,
    whenEmpty: null,
  }),
  bm25_ceiling: number(decimal(-1_000_000, 0).nullable(), {
    variable: 'GATE_BM25_CEILING',
    doc: 'Write gate: word rank (negative, lower is better) above which a note is not similar, unless it is half of what the proposal would rank itself; 0 admits all. Unset: as above.',
    default: null,
    whenEmpty: null,
  }),
  model: text(filledText.nullable(), {
    variable: 'GATE_MODEL',
    doc: 'Chat model that decides proposals, and merges notes in a consolidation. Unset: the calling agent decides.',
    default: null,
    whenEmpty: null,
  }),
  url: text(httpUrl.nullable(), {
    variable: 'GATE_URL',
    doc: 'OpenAI-compatible endpoint of gate.model. Unset: embedding.ollama_url.',
    default: null,
    whenEmpty: null,
    sensitive: true,
  }),
  api_key: text(headerKey.nullable(), {
    variable: 'GATE_API_KEY',
    doc: 'Key for gate.url. Sent only to an endpoint set by you.',
    default: null,
    secret: true,
  }),
  timeout_seconds: number(wholeNumber(1, 600), {
    variable: 'GATE_TIMEOUT_SECONDS',
    doc: 'Seconds that gate.model has for one proposal, second tries included, and for each merge. MCP clients give up after 60.',
    default: 40,
  }),
});
