/**
 * The indexer container's program: configuration from file and environment, BullMQ on Redis. Its roles decide whether it
 * is the one that writes the index or one of any number that work for it. Ends with 0 after a stop, with 2 for a wrong
 * configuration, with 3 when it could not run or another writer has taken its place. `--pulse FILE` has it touch a file
 * while it is well, for the image's health check.
 */
import { parseArgs } from 'node:util';
import { loadConfig } from '@vault-mcp/shared/config/load';
import { createLogger, type Logger } from '@vault-mcp/shared/log';
import { programEndOf } from '@vault-mcp/shared/program-end';
import { WriterLeasedError } from '@vault-mcp/shared/queue/writer-lease';
import { rootWarning } from '@vault-mcp/shared/vault/running-user';
import { startPulse } from './pulse.ts';
import { isWriter } from './roles.ts';
import type { RunningProgram } from './running-program.ts';
import { startWorker } from './worker-program.ts';
import { startWriter } from './writer-program.ts';

/**
 * Docker sends SIGKILL ten seconds after SIGTERM. What is cut off needs a second to go back to the queue, and what is
 * closed afterwards another. Only a job of the index gets all of it; see jobs/consume-lanes for the others.
 */
const STOP_TIMEOUT_MS = 7_000;

try {
  await run();
} catch (error) {
  endWith(error);
}

async function run(): Promise<void> {
  // The key guards the api; nobody calls this program.
  const config = loadConfig({ mode: 'containers', requireApiKey: false });
  const logger = createLogger({ name: 'indexer', level: config.log.level });
  const stopper = createStopper(logger);
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      // Nothing was begun that a start would not find again.
      if (!stopper.stop(signal)) process.exit(0);
    });
  }
  const start = isWriter(config.indexer.roles) ? startWriter : startWorker;
  const program = await start(config, logger, (error) => {
    logger.fatal(error.message);
    endWith(error);
    stopper.stop('another writer');
  });
  const asRoot = await rootWarning();
  if (asRoot !== null) logger.warn(asRoot);
  logger.info({ roles: config.indexer.roles }, 'started');
  const { pulse } = parseArgs({ options: { pulse: { type: 'string' } } }).values;
  if (pulse !== undefined) startPulse({ file: pulse, isWell: () => program.isWell(), logger });
  stopper.runs(program);
}

interface Stopper {
  /** Stops the program, once; false while there is none yet, which is then stopped as soon as there is. */
  stop(reason: string): boolean;
  runs(program: RunningProgram): void;
}

function createStopper(logger: Logger): Stopper {
  let running: RunningProgram | null = null;
  let wanted: string | null = null;
  let stopping = false;
  const stopNow = (program: RunningProgram) => {
    if (stopping) return;
    stopping = true;
    logger.info({ reason: wanted }, 'stopping');
    program.stop({ timeoutMs: STOP_TIMEOUT_MS }).then(
      // Not left to the event loop: a connection that is still being tried would keep it alive.
      () => process.exit(),
      (error: unknown) => {
        logger.error({ err: error }, 'could not stop cleanly');
        process.exit(3);
      },
    );
  };
  return {
    stop(reason) {
      wanted ??= reason;
      if (running) stopNow(running);
      return running !== null;
    },
    runs(program) {
      running = program;
      if (wanted !== null) stopNow(program);
    },
  };
}

function endWith(error: unknown): void {
  const { exitCode, text } = programEndOf(error, [WriterLeasedError]);
  process.stderr.write(`${text}\n`);
  process.exitCode = exitCode;
}
