/**
 * What the image's HEALTHCHECK runs. The writer is well while its heartbeat in the index is fresh; a worker, which has no
 * index, while Redis is reached and the lanes of its roles have consumers. Danger: it opens the index beside the writer,
 * so it only reads, and ends at once.
 */
import { loadConfig } from '@vault-mcp/shared/config/load';
import type { Config } from '@vault-mcp/shared/config/schema';
import { openIndexReader } from '@vault-mcp/shared/index-db/reader';
import { silentLogger } from '@vault-mcp/shared/log';
import { isWriter } from './roles.ts';
import { openQueue } from './running-program.ts';

/** As old may a heartbeat be, in milliseconds, before the api calls the indexer dead (SPEC §16). */
const FRESH_MS = 15_000;
const CONNECT_TRIES = 20;
const CONNECT_PAUSE_MS = 100;

try {
  const config = loadConfig({ mode: 'containers', requireApiKey: false });
  const problem = isWriter(config.indexer.roles) ? writerProblem(config) : await workerProblem(config);
  if (problem !== null) throw new Error(problem);
} catch (error) {
  // Shown by `docker inspect`.
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}

function writerProblem(config: Config): string | null {
  const reader = openIndexReader(config.index.path);
  try {
    const status = reader.indexerStatus();
    if (status === null) return 'the indexer has not said anything yet';
    const age = Date.now() - status.heartbeatMs;
    return age <= FRESH_MS ? null : `the indexer was last heard of ${Math.round(age / 1000)} s ago`;
  } finally {
    reader.close();
  }
}

async function workerProblem(config: Config): Promise<string | null> {
  const { queue } = openQueue(config, silentLogger());
  try {
    let stats = await queue.stats();
    // A connection takes a moment, and until then the queue says that there is none.
    for (let tries = 1; !stats.ok && tries < CONNECT_TRIES; tries += 1) {
      await new Promise((resolve) => setTimeout(resolve, CONNECT_PAUSE_MS));
      stats = await queue.stats();
    }
    if (!stats.ok) return stats.error;
    const lanes = (['extract', 'embed'] as const).filter((lane) => config.indexer.roles.includes(lane));
    const idle = lanes.find((lane) => stats.consumers && stats.consumers[lane] === 0);
    return idle === undefined ? null : `nobody takes jobs from the ${idle} lane`;
  } finally {
    await queue.close();
  }
}
