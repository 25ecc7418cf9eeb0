/**
 * `vault-mcp watch`: keeps the index up to date in the foreground without serving anything, and says what it sees;
 * where a server does that already, it only follows along.
 */

import { setTimeout as sleep } from 'node:timers/promises';
import type { Config } from '@vault-mcp/shared/config/schema';
import { openIndexReader } from '@vault-mcp/shared/index-db/reader';
import type { Command } from 'commander';
import { commandLog } from '../command-log.ts';
import { describeDocuments, documentsProgress } from '../documents-progress.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { describeCounts, type IndexProgress } from '../indexing-progress.ts';
import { openLocalIndex } from '../local-index.ts';
import { type CommonOptions, withCommonOptions, withLexicalOption } from '../options.ts';
import { answer, remark } from '../output.ts';
import { settlePlace } from '../place.ts';
import { connectToServer, progressOf } from '../server-client.ts';
import { listenForStop } from '../stop-signal.ts';

const EVERY_MS = 500;

/** Adds options and action to the command of the table. */
export function define(command: Command, setExitCode: (code: ExitCode) => void): void {
  command.addHelpText('after', '\nRuns until Ctrl-C; --json gives one JSON object a line.');
  withLexicalOption(
    withCommonOptions(command),
    'index words only: the lexical embedder in place of the configured one',
  );
  command.action(async (options: CommonOptions) => setExitCode(await watch(options)));
}

async function watch(options: CommonOptions): Promise<ExitCode> {
  const { config } = settlePlace(options, 'use-example');
  const { signal } = listenForStop();
  const client = await connectToServer(config);
  if (client !== undefined) {
    remark(`The server at ${client.url} keeps this index up to date; following it.`);
    const reader = openIndexReader(config.index.path);
    const read = async () => ({ ...progressOf(await client.status()), documents: documentsProgress(reader) });
    await follow(read, options, signal).finally(() => reader.close());
  } else {
    await watchHere(config, options, signal);
  }
  return EXIT.ok;
}

async function watchHere(config: Config, options: CommonOptions, signal: AbortSignal): Promise<void> {
  const local = await openLocalIndex(config, commandLog(config, options), { watch: true });
  try {
    remark(`Watching ${config.vault.path}. Stop with Ctrl-C.`);
    await follow(local.progress, options, signal);
  } finally {
    await local.close();
  }
}

/** Prints a line whenever what the index holds, or how far a document is, has changed. */
async function follow(read: () => Promise<IndexProgress>, options: CommonOptions, signal: AbortSignal): Promise<void> {
  let shown = '';
  while (!signal.aborted) {
    const { state, error, counts, documents, embedder } = await read();
    const inWork = documents && describeDocuments(documents);
    const line = [
      `${state}: ${error ?? describeCounts(counts)}`,
      ...(inWork ? [inWork] : []),
      ...(embedder.ok ? [] : [`embedder: ${embedder.error}`]),
    ].join(' | ');
    if (line !== shown) {
      shown = line;
      const time = new Date().toISOString();
      answer(options.json, { time, state, error, index: counts, documents, embedder }, () => `${time}  ${line}`);
    }
    // Being woken by the stop is no error.
    await sleep(EVERY_MS, undefined, { signal }).catch(() => undefined);
  }
}
