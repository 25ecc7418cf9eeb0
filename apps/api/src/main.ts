/**
 * The api's own program (`npm run start:api`, the image's command): configuration in, parts opened, server up, and
 * everything closed in the reverse order on SIGTERM. Danger: this process never writes the index; it opens it
 * read-only and starts just as well before there is one.
 */
import { createAnalyzer } from '@vault-mcp/shared/analysis/analyzer';
import { ConfigError, loadConfig } from '@vault-mcp/shared/config/load';
import type { Config } from '@vault-mcp/shared/config/schema';
import { createEmbedder } from '@vault-mcp/shared/embedding/choose';
import { EmbedderError } from '@vault-mcp/shared/embedding/embedder';
import { openIndexReader } from '@vault-mcp/shared/index-db/reader';
import { createLogger } from '@vault-mcp/shared/log';
import { createBullmqQueue } from '@vault-mcp/shared/queue/bullmq';
import { openVault, VaultOpenError } from '@vault-mcp/shared/vault/vault';
import { describeProgram } from './about.ts';
import type { OperationContext } from './context.ts';
import { rebuildDamagedIndex } from './rebuild-damaged-index.ts';
import { ListenError } from './serve.ts';
import { startApi } from './start-api.ts';

/** Raised for what the configuration's own rules make impossible; kept so that no `!` is needed. */
function required<T>(value: T | null, what: string): T {
  if (value === null) throw new ConfigError([`${what} is missing`]);
  return value;
}

async function openContext(config: Config): Promise<OperationContext> {
  const log = createLogger({ name: 'api', level: config.log.level });
  const vault = await openVault(config.vault.path, { docSuffixes: config.vault.doc_suffixes });
  const embedder = await createEmbedder(config.embedding, {
    logger: log,
    queryTimeoutSeconds: config.search.embed_timeout_seconds,
  });
  const redisUrl = required(config.queue.redis_url, 'queue.redis_url (REDIS_URL)');
  const queue = createBullmqQueue({ redisUrl, prefix: config.queue.prefix, log });
  const reader = openIndexReader(config.index.path, {
    onDamaged: rebuildDamagedIndex({ indexPath: config.index.path, queue, log }),
  });
  return { config, log, vault, reader, analyzer: createAnalyzer(config.search.language), embedder, queue };
}

async function closeContext({ queue, embedder, reader }: OperationContext): Promise<void> {
  await queue.close();
  await embedder?.close();
  reader.close();
}

async function run(): Promise<void> {
  const startedAt = Date.now();
  const config = loadConfig({ mode: 'containers' });
  const context = await openContext(config);
  const apiKey = required(config.server.api_key, 'server.api_key (VAULT_MCP_API_KEY)');
  const server = await startApi(context, { apiKey, about: describeProgram(startedAt) });
  let stopping = false;
  const stop = (signal: NodeJS.Signals) => {
    if (stopping) return;
    stopping = true;
    context.log.info({ signal }, 'stopping');
    server
      .close()
      .then(() => closeContext(context))
      .then(
        () => process.exit(0),
        (error: unknown) => {
          context.log.error({ err: error }, 'could not stop cleanly');
          process.exit(1);
        },
      );
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
}

/** What a person can act on is one plain line each; anything else is a defect and keeps its stack. */
function report(error: unknown): void {
  if (error instanceof ConfigError && error.problems.length === 1) {
    console.error(`The configuration cannot be used: ${error.problems[0]}`);
    return;
  }
  const known = [ConfigError, VaultOpenError, ListenError, EmbedderError].some((kind) => error instanceof kind);
  console.error(known ? (error as Error).message : error);
}

run().catch((error: unknown) => {
  report(error);
  process.exit(1);
});
