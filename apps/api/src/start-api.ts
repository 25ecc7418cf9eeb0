/**
 * The api as one thing to start and stop: metrics, MCP, app and socket around an operation context. Used by the
 * api's own program and by `vault-mcp serve`, which brings a context with other adapters. Danger: the context is the
 * caller's to close, after this has stopped.
 */
import { rootWarning } from '@vault-mcp/shared/vault/running-user';
import { createApp } from './app.ts';
import type { ServedContext } from './context.ts';
import { createMcpEndpoint } from './mcp/server.ts';
import { createMetrics } from './metrics.ts';
import { openCallers } from './open-callers.ts';
import type { About } from './operations/status.ts';
import { restingEmbedder } from './resting-embedder.ts';
import { type Listening, listen, type RunningServer } from './serve.ts';
import { timedEmbedder } from './timed-embedder.ts';

export interface StartApiOptions {
  /** The operator's key; never empty. */
  readonly apiKey: string;
  readonly about: About;
  /** An address taken before; default: `server.host` and `server.port`. */
  readonly listening?: Listening;
  /** What `/healthz` proves to know, for who finds this server by its record. */
  readonly instanceSecret?: string;
}

/**
 * @throws AgentKeysError when the agents' keys cannot be used; ListenError when the address cannot be had; Error when the
 * operator's key is empty
 */
export async function startApi(context: ServedContext, options: StartApiOptions): Promise<RunningServer> {
  const { config, log } = context;
  const metrics = createMetrics();
  const embedder = context.embedder && restingEmbedder(timedEmbedder(context.embedder, metrics.queryEmbedding), log);
  const timed = { ...context, embedder };
  const { audit } = context;
  const mcp = createMcpEndpoint({ config, log, metrics, version: options.about.version });
  const { apiKey, about, instanceSecret } = options;
  const callers = openCallers(timed, apiKey);
  const app = createApp({ callers, config, log, audit, about, mcp, metrics, instanceSecret });
  const { host, port } = config.server;
  const listening = options.listening ?? (await listen({ host, port, log }));
  const running = listening.answerWith(app, { onStop: () => mcp.close() });
  log.info({ url: running.url }, 'listening');
  const asRoot = await rootWarning();
  if (asRoot !== null) log.warn(asRoot);
  return running;
}
