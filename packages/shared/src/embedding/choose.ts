/**
 * The one place that turns the configuration's `embedding` section into an embedder. Danger: everything a user can
 * set wrongly about embedding must be refused here, at start and by name, not at the first note.
 */
import type { Logger } from '../log.ts';
import { createBuiltinEmbedder } from './builtin.ts';
import type { Embedder } from './embedder.ts';
import { createLexicalEmbedder } from './lexical.ts';
import { createOllamaEmbedder } from './ollama.ts';
import { createOpenAiEmbedder } from './openai.ts';
import { type EmbeddingSettings, resolveSpace } from './settings.ts';

export interface EmbedderDeps {
  readonly logger: Logger;
  /** Only for the two remote providers; default the global fetch. */
  readonly fetch?: typeof fetch;
  /** `search.embed_timeout_seconds`: how long a query's one try may take; default 3. */
  readonly queryTimeoutSeconds?: number;
}

/**
 * Makes the embedder the settings name. Connects to nothing that must answer: a dead endpoint shows in `health()`.
 *
 * @throws EmbedderError `configuration` that says which setting to change
 */
export async function createEmbedder(settings: EmbeddingSettings, deps: EmbedderDeps): Promise<Embedder> {
  const space = resolveSpace(settings);
  switch (settings.provider) {
    case 'lexical':
      return createLexicalEmbedder(space);
    case 'builtin':
      return createBuiltinEmbedder({ space, logger: deps.logger });
    case 'ollama':
      return createOllamaEmbedder(settings, space, deps);
    case 'openai':
      return createOpenAiEmbedder(settings, space, deps);
  }
}
