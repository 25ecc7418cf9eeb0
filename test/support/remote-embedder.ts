/**
 * A remote embedder pointed at a fake server, with pauses short enough for tests. It is the real one, made by the
 * real `createEmbedder`: only address and patience differ.
 */
import { createEmbedder, type EmbedderDeps } from '@vault-mcp/shared/embedding/choose';
import type { Embedder } from '@vault-mcp/shared/embedding/embedder';
import type { EmbeddingSettings } from '@vault-mcp/shared/embedding/settings';
import { silentLogger } from '@vault-mcp/shared/log';
import type { FakeOllama, Misbehaviour } from './fake-ollama.ts';

/** Settings for an `ollama` embedder at `server`, changed where asked. */
export function remoteSettings(server: FakeOllama, change: Partial<EmbeddingSettings> = {}): EmbeddingSettings {
  return {
    provider: 'ollama',
    ollama_url: server.url,
    batch_size: 64,
    timeout_seconds: 10,
    max_attempts: 3,
    backoff_seconds: 0.001,
    backoff_max_seconds: 0.01,
    ...change,
  };
}

export function remoteEmbedder(settings: EmbeddingSettings, deps: Partial<EmbedderDeps> = {}): Promise<Embedder> {
  return createEmbedder(settings, { logger: silentLogger(), ...deps });
}

/** An answer with this status; the body defaults to an OpenAI-style error that names it. */
export function status(code: number, more: { body?: unknown; headers?: Record<string, string> } = {}): Misbehaviour {
  return { kind: 'status', status: code, ...more };
}
