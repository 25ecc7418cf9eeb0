/**
 * A remote embedder pointed at a fake server, with pauses short enough for tests. It is the real one, made by the
 * real `createEmbedder`: only address and patience differ.
 */
import { createEmbedder, type EmbedderDeps } from '@vault-mcp/shared/embedding/choose';
import type { Embedder } from '@vault-mcp/shared/embedding/embedder';
import type { EmbeddingSettings } from '@vault-mcp/shared/embedding/settings';
import { silentLogger } from '@vault-mcp/shared/log';
import { afterEach, beforeEach } from 'vitest';
import { type FakeOllama, type Misbehaviour, type Row, startFakeOllama } from './fake-ollama.ts';

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

export interface EmbedderSuite {
  /** The running test's own server. */
  readonly server: FakeOllama;
  /** An embedder at that server, closed after the test. */
  embedderWith(change?: Partial<EmbeddingSettings>, deps?: Partial<EmbedderDeps>): Promise<Embedder>;
}

/** For a whole test file: every test gets a server of its own, and what it opened is closed after it. */
export function embedderSuite(): EmbedderSuite {
  let server: FakeOllama | undefined;
  let open: Embedder[] = [];
  const running = (): FakeOllama => {
    if (server === undefined) throw new Error('The server runs within a test only.');
    return server;
  };
  beforeEach(async () => {
    server = await startFakeOllama();
  });
  afterEach(async () => {
    for (const embedder of open) await embedder.close();
    open = [];
    await running().close();
    server = undefined;
  });
  return {
    get server() {
      return running();
    },
    async embedderWith(change = {}, deps = {}) {
      const embedder = await remoteEmbedder(remoteSettings(running(), change), deps);
      open.push(embedder);
      return embedder;
    },
  };
}

/** `count` texts that can be told apart. */
export function texts(count: number): string[] {
  return Array.from({ length: count }, (_, i) => `note ${i}`);
}

/** An answer whose rows were changed. */
export function rows(change: (all: Row[]) => unknown): Misbehaviour {
  return { kind: 'rows', change };
}

/** An answer with this status; the body defaults to an OpenAI-style error that names it. */
export function status(code: number, more: { body?: unknown; headers?: Record<string, string> } = {}): Misbehaviour {
  return { kind: 'status', status: code, ...more };
}
