/**
 * The api's own program (`npm run start:api`, the image's command): configuration in, parts opened, server up, and
 * everything closed in the reverse order on SIGTERM. Ends with 0 after a stop, with 2 for a wrong configuration, with 3
 * when it could not run. Danger: this process never writes the index; it opens it
 * read-only and starts just as well before there is one.
 */
import { createAnalyzer } from '@vault-mcp/shared/analysis/analyzer';
import { ConfigError, loadConfig, settingFiles } from '@vault-mcp/shared/config/load';
import type { Config } from '@vault-mcp/shared/config/schema';
import { createEmbedder } from '@vault-mcp/shared/embedding/choose';
import { openIndexReader } from '@vault-mcp/shared/index-db/reader';
import { createLogger } from '@vault-mcp/shared/log';
import { programEndOf } from '@vault-mcp/shared/program-end';
import { createBullmqQueue } from '@vault-mcp/shared/queue/bullmq';
import { openVault } from '@vault-mcp/shared/vault/vault';
import { describeProgram } from './about.ts';
import type { OperationContext, ServedContext } from './context.ts';
import { openWriting } from './open-writing.ts';
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
  reader.prepareDense();
  const analyzer = createAnalyzer(config.search.language);
  return { config, log, vault, reader, analyzer, embedder, queue, settingFiles: settingFiles() };
}

async function closeContext({ queue, embedder, reader }: OperationContext): Promise<void> {
  await queue.close();
  await embedder?.close();
  reader.close();
}

async function run(): Promise<void> {
  const startedAt = Date.now();
  const config = loadConfig({ mode: 'containers' });
  const reading = await openContext(config);
  const writing = await openWriting(config, reading.vault, reading.log).catch(async (error: unknown) => {
    await closeContext(reading);
    throw error;
  });
  const context: ServedContext = { ...reading, ...writing.parts };
  await writing.recover(context);
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
      .then(() => writing.close())
      .then(
        () => process.exit(0),
        (error: unknown) => {
          context.log.error({ err: error }, 'could not stop cleanly');
          process.exit(3);
        },
      );
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
}

run().catch((error: unknown) => {
  const { exitCode, text } = programEndOf(error, [ListenError]);
  console.error(text);
  process.exit(exitCode);
});
