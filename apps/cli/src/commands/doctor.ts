/**
 * `vault-mcp doctor`: reconciles the index with the vault, then names everything that is not well and what to do about
 * it. Danger: "all is well" must mean that it was looked at, so a part that could not be asked is itself a finding.
 */

import { oneLine } from '@vault-mcp/api/rendering/one-line';
import type { Config } from '@vault-mcp/shared/config/schema';
import { type IndexReader, openIndexReader } from '@vault-mcp/shared/index-db/reader';
import type { Logger } from '@vault-mcp/shared/log';
import type { Command } from 'commander';
import { audited } from '../audited-command.ts';
import { type BuildOptions, buildLocally, buildThroughServer } from '../build-index.ts';
import { commandLog } from '../command-log.ts';
import { describeDocuments } from '../documents-progress.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { type Finding, findingsOf, needsPerson } from '../findings.ts';
import { describeCounts, type IndexProgress } from '../indexing-progress.ts';
import { type LinkContext, linkFindings } from '../link-findings.ts';
import type { LocalIndex } from '../local-index.ts';
import { type CommonOptions, withCommonOptions, withLexicalOption } from '../options.ts';
import { answer, counted } from '../output.ts';
import { settlePlace } from '../place.ts';
import { connectToServer, type ServerClient } from '../server-client.ts';
import { listenForStop } from '../stop-signal.ts';

interface DoctorOptions extends CommonOptions {
  readonly rebuild?: boolean;
}

/** Adds options and action to the command of the table. */
export function define(command: Command, setExitCode: (code: ExitCode) => void): void {
  command.option('--rebuild', 'build the index anew first');
  withLexicalOption(
    withCommonOptions(command),
    'for an index of words only: the lexical embedder in place of the configured one',
  );
  command.action(async (options: DoctorOptions) => setExitCode(await doctor(options)));
}

async function doctor(options: DoctorOptions): Promise<ExitCode> {
  const { config } = settlePlace(options, 'use-example');
  const { signal } = listenForStop();
  const build = { rebuild: options.rebuild ?? false, until: 'text' as const, signal };
  const client = await connectToServer(config);
  const seen =
    client === undefined
      ? await examineHere(config, commandLog(config, options), build)
      : await examineServer(client, await buildThroughServer(client, build), config, commandLog(config, options));
  const report = { server: client?.url ?? null, vault: config.vault.path, data: config.data.path, ...seen };
  answer(options.json, report, () => render(seen.progress, seen.findings));
  return seen.findings.some(needsPerson) ? EXIT.findings : EXIT.ok;
}

interface Examination {
  readonly progress: IndexProgress;
  readonly findings: readonly Finding[];
}

function examineHere(config: Config, log: Logger, build: BuildOptions): Promise<Examination> {
  const { rebuild } = build;
  return audited(config, log, { operation: 'doctor', args: { rebuild } }, () =>
    buildLocally(config, log, build, (local, progress) => examineLocal(local, progress, { config, log })),
  );
}

async function examineLocal(
  local: LocalIndex,
  progress: IndexProgress,
  { config, log }: Pick<LinkContext, 'config' | 'log'>,
): Promise<Examination> {
  // An embedder that was never used knows nothing of its health: one query asks it.
  const embedderError = await local.embedder.embedQuery('vault').then(
    () => null,
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  );
  const embedder = { ...progress.embedder, ok: embedderError === null, error: embedderError };
  const seen = { ...progress, embedder };
  const { reader } = local;
  const findings = [...findingsOf(seen, reader, null), ...(await linkFindings({ config, reader, log }))];
  return { progress: seen, findings };
}

async function examineServer(
  client: ServerClient,
  progress: IndexProgress,
  config: Config,
  log: Logger,
): Promise<Examination> {
  const status = await client.status();
  const reader: IndexReader = openIndexReader(config.index.path);
  try {
    const links = await linkFindings({ config, reader, log });
    return { progress, findings: [...findingsOf(progress, reader, status.watcher), ...links] };
  } finally {
    reader.close();
  }
}

function render(progress: IndexProgress, findings: readonly Finding[]): string {
  const { documents, embedder } = progress;
  const inWork = documents && describeDocuments(documents);
  const head = [
    `Index     ${progress.state}: ${describeCounts(progress.counts)}`,
    ...(inWork ? [`Documents ${inWork}`] : []),
    `Embedder  ${embedder.provider} ${embedder.model}: ${embedder.ok ? 'answers' : 'does not answer'}`,
  ];
  const lines = findings.flatMap(findingLines);
  const count = findings.filter(needsPerson).length;
  const verdict = count === 0 ? 'Nothing needs you.' : `${counted(count, 'finding needs', 'findings need')} you.`;
  return [...head, '', ...lines, ...(lines.length > 0 ? [''] : []), verdict].join('\n');
}

/** What can be pasted stands on lines of its own. */
function findingLines({ severity, path, line, message, fix, paste = [] }: Finding): string[] {
  const place = path === undefined ? '' : `${path}${line === undefined ? '' : `:${line}`}  `;
  const lead = paste.length === 0 ? '' : paste.length === 1 ? ' Paste:' : ' Paste one of:';
  const indented = (text: string) => `${' '.repeat(9)}${oneLine(text)}`;
  const advice = fix === undefined ? [] : [fix];
  if (paste.length === 0) return [oneLine([`${severity.padEnd(8)} ${place}${message}`, ...advice].join(' '))];
  return [oneLine(`${severity.padEnd(8)} ${place}${message}${lead}`), ...[...paste, ...advice].map(indented)];
}
