/** `vault-mcp reindex`: reconciles the index with every file, or builds it anew, and waits until that is done. */
import type { Config } from '@vault-mcp/shared/config/schema';
import type { Logger } from '@vault-mcp/shared/log';
import type { Command } from 'commander';
import { audited } from '../audited-command.ts';
import { type BuildOptions, buildLocally, buildThroughServer } from '../build-index.ts';
import { commandLog } from '../command-log.ts';
import { CliError, EXIT, type ExitCode } from '../exit-codes.ts';
import { describeCounts, type IndexProgress } from '../indexing-progress.ts';
import { type CommonOptions, withCommonOptions, withLexicalOption } from '../options.ts';
import { answer } from '../output.ts';
import { settlePlace } from '../place.ts';
import { connectToServer } from '../server-client.ts';
import { listenForStop } from '../stop-signal.ts';

interface ReindexOptions extends CommonOptions {
  readonly rebuild?: boolean;
  readonly vectors: boolean;
}

/** Adds options and action to the command of the table. */
export function define(command: Command, setExitCode: (code: ExitCode) => void): void {
  command
    .option('--rebuild', 'empty the index and build it anew')
    .option('--no-vectors', 'return once every note is findable by words; vectors follow while a server runs');
  withLexicalOption(
    withCommonOptions(command),
    'index words only: the lexical embedder in place of the configured one',
  );
  command.action(async (options: ReindexOptions) => setExitCode(await reindex(options)));
}

async function reindex(options: ReindexOptions): Promise<ExitCode> {
  const { config } = settlePlace(options, 'use-example');
  const { signal } = listenForStop();
  const build = {
    rebuild: options.rebuild ?? false,
    until: options.vectors ? ('vectors' as const) : ('text' as const),
    signal,
  };
  const client = await connectToServer(config);
  if (client !== undefined && options.lexical === true) {
    throw new CliError(
      EXIT.usage,
      `A server runs at ${client.url} and its embedder decides; stop it or leave out --lexical.`,
    );
  }
  const done =
    client === undefined
      ? await reindexHere(config, commandLog(config, options), build)
      : await buildThroughServer(client, build);
  answer(options.json, { server: client?.url ?? null, state: done.state, error: done.error, ...report(done) }, () =>
    [describeCounts(done.counts), ...remarks(done, options.vectors)].join('\n'),
  );
  if (done.state === 'failed') throw new CliError(EXIT.failed, done.error ?? 'The index could not be built.');
  return needsPerson(done, options.vectors) ? EXIT.findings : EXIT.ok;
}

function reindexHere(config: Config, log: Logger, build: BuildOptions): Promise<IndexProgress> {
  const { rebuild, until } = build;
  return audited(config, log, { operation: 'reindex', args: { rebuild, until } }, () =>
    buildLocally(config, log, build, (_local, progress) => progress),
  );
}

function report({ counts, embedder }: IndexProgress) {
  return { index: counts, embedder };
}

function needsPerson({ counts }: IndexProgress, vectors: boolean): boolean {
  return counts.quarantined > 0 || counts.failed > 0 || (vectors && counts.pending > 0);
}

function remarks({ counts, embedder }: IndexProgress, vectors: boolean): string[] {
  const lines: string[] = [];
  if (vectors && counts.pending > 0) {
    lines.push(`The embedder (${embedder.provider}) gives no vectors now: ${embedder.error ?? 'no reason given'}`);
  }
  if (counts.quarantined > 0 || counts.failed > 0) lines.push('vault-mcp doctor names the files and why.');
  return lines;
}
