/**
 * A process that only works for the one that writes the index: it takes jobs from the slow lanes and hands their results
 * back as jobs. To embed it needs Redis and the embedder and nothing else (jobs carry the texts); to extract, also the
 * vault, which it only reads. Any number may run, on any machine, and each may be killed at any time. Danger: a share that
 * is not mounted leaves an empty folder behind, and no document is found in that.
 */
import { readdir } from 'node:fs/promises';
import { programPlaces } from '@vault-mcp/shared/config/load';
import type { Config } from '@vault-mcp/shared/config/schema';
import { createEmbedder } from '@vault-mcp/shared/embedding/choose';
import type { Logger } from '@vault-mcp/shared/log';
import type { Consumer, JobProblem } from '@vault-mcp/shared/queue/producer';
import { openVault, type Vault } from '@vault-mcp/shared/vault/vault';
import type { Elsewhere } from './extract/extract-document-job.ts';
import { createHandBackLog } from './extract/hand-back-log.ts';
import { createOcrReadiness } from './extract/ocr-readiness.ts';
import { consumeLanes, logJobProblem } from './jobs/consume-lanes.ts';
import { embedHandlers, extractHandlers } from './jobs/handlers.ts';
import { openQueue, type RunningProgram } from './running-program.ts';
import { embeddingSettings, extractionSettings } from './settings.ts';

/** @throws EmbedderError, VaultOpenError when what its roles need cannot be had */
export async function startWorker(config: Config, logger: Logger): Promise<RunningProgram> {
  const { roles } = config.indexer;
  const vault = roles.includes('extract') ? await openMountedVault(config, logger) : null;
  const embedder = roles.includes('embed') ? await createEmbedder(config.embedding, { logger }) : null;
  const { queue: producer } = openQueue(config, logger);
  const onError = (problem: JobProblem) => logJobProblem(logger, problem);
  const { restMs } = embeddingSettings(config);
  const settings = extractionSettings(config, programPlaces());
  const elsewhere: Elsewhere = {
    ocr: createOcrReadiness({ ...settings, logger, elsewhere: true }),
    log: createHandBackLog(logger),
  };
  // Nothing waits for the answer: what has text is read all the same.
  if (vault) void elsewhere.ocr.refresh();
  const consumers: Consumer[] = await consumeLanes(
    producer,
    {
      embed: embedder && embedHandlers({ embedder, producer, logger, restMs }),
      extract: vault && extractHandlers({ vault, producer, logger, settings, elsewhere }),
    },
    onError,
  );
  return {
    isWell: async () => (await producer.stats()).ok,
    async stop(options) {
      await Promise.all(consumers.map((consumer) => consumer.close(options)));
      await producer.close();
      await embedder?.close();
    },
  };
}

/** One without a single entry is used all the same, for there may be nothing in the vault yet. */
async function openMountedVault({ vault }: Config, logger: Logger): Promise<Vault> {
  const opened = await openVault(vault.path, { docSuffixes: vault.doc_suffixes });
  if ((await readdir(opened.root)).length === 0) {
    logger.warn(
      { path: opened.root },
      'the vault is empty: is it mounted here? Until it is, documents are left to others; mount it, then start this again',
    );
  }
  return opened;
}
