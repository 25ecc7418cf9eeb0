/**
 * `vault-mcp doctor`: completes what crashes left of proposals, reconciles the index with the vault, then names everything
 * that is not well and what to do about it. Danger: "all is well" must mean that it was looked at, so a part that could not
 * be asked is itself a finding.
 */

import { oneLine } from '@vault-mcp/api/rendering/one-line';
import type { Config } from '@vault-mcp/shared/config/schema';
import { type IndexReader, openIndexReader } from '@vault-mcp/shared/index-db/reader';
import type { Logger } from '@vault-mcp/shared/log';
import type { Command } from 'commander';
import { agentFindings } from '../agent-findings.ts';
import { audited } from '../audited-command.ts';
import { awaitIndex, type BuildOptions, buildLocally, buildThroughServer } from '../build-index.ts';
import { commandLog } from '../command-log.ts';
import { describeDocuments } from '../documents-progress.ts';
import { CliError, EXIT, type ExitCode } from '../exit-codes.ts';
import { type Finding, findingsOf, needsPerson, sparePageFinding } from '../findings.ts';
import { describeCounts, type IndexProgress } from '../indexing-progress.ts';
import { type LinkContext, linkFindings } from '../link-findings.ts';
import type { LocalIndex } from '../local-index.ts';
import { memoryFindings } from '../memory-findings.ts';
import { joinLinkFindings, mendLinks } from '../mended-links.ts';
import { type CommonOptions, withCommonOptions, withLexicalOption } from '../options.ts';
import { answer, counted } from '../output.ts';
import { settlePlace } from '../place.ts';
import { recoverLeft } from '../recovered-proposals.ts';
import { connectToServer, type ServerClient } from '../server-client.ts';
import { sparePages } from '../spare-pages.ts';
import { listenForStop } from '../stop-signal.ts';

interface DoctorOptions extends CommonOptions {
  readonly rebuild?: boolean;
  readonly fixLinks?: boolean;
}

/** Adds options and action to the command of the table. */
export function define(command: Command, setExitCode: (code: ExitCode) => void): void {
  command.option(
    '--rebuild',
    'build the index anew first (links whose files were renamed before cannot be mended then)',
  );
  command.option('--fix-links', 'write the links that can be mended with certainty');
  withLexicalOption(
    withCommonOptions(command),
    'for an index of words only: the lexical embedder in place of the configured one',
  );
  command.action(async (options: DoctorOptions) => setExitCode(await doctor(options)));
}

async function doctor(options: DoctorOptions): Promise<ExitCode> {
  const { config } = settlePlace(options, 'use-example');
  const fix = options.fixLinks ?? false;
  if (fix && config.server.read_only) {
    throw new CliError(
      EXIT.usage,
      'server.read_only (READ_ONLY) is true, so no link is written: run it without --fix-links.',
    );
  }
  const { signal } = listenForStop();
  const order = { build: { rebuild: options.rebuild ?? false, until: 'text' as const, signal }, fix };
  const client = await connectToServer(config);
  const log = commandLog(config, options);
  // First, so that the index takes in what is written.
  const recovered = await recoverLeft(config, log);
  const seen =
    client === undefined ? await examineHere(config, log, order) : await examineServer(client, config, log, order);
  const findings = [...seen.findings, ...agentFindings(config), ...(await memoryFindings(config, log, recovered))];
  const place = { server: client?.url ?? null, vault: config.vault.path, data: config.data.path };
  answer(options.json, { ...place, progress: seen.progress, findings }, () => render(seen.progress, findings));
  return findings.some(needsPerson) ? EXIT.findings : EXIT.ok;
}

interface Order {
  readonly build: BuildOptions;
  /** Whether links are written. */
  readonly fix: boolean;
}

interface Examination {
  readonly progress: IndexProgress;
  readonly findings: readonly Finding[];
}

function examineHere(config: Config, log: Logger, { build, fix }: Order): Promise<Examination> {
  return audited(config, log, auditedCall({ build, fix }), () =>
    buildLocally(config, log, build, async (local, progress) => {
      const again = async () => {
        await local.reconcile({ rebuild: false });
        return awaitIndex(local.progress, build);
      };
      const linked = await examineLinks({ config, log, reader: local.reader }, fix, progress, again);
      const seen = await examineLocal(local, linked);
      return { ...seen, findings: [...seen.findings, ...(await sparePages(config)).map(sparePageFinding)] };
    }),
  );
}

async function examineLocal(local: LocalIndex, { progress, findings }: Examination): Promise<Examination> {
  // An embedder that was never used knows nothing of its health: one query asks it.
  const embedderError = await local.embedder.embedQuery('vault').then(
    () => null,
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  );
  const embedder = { ...progress.embedder, ok: embedderError === null, error: embedderError };
  const seen = { ...progress, embedder };
  return { progress: seen, findings: [...findingsOf(seen, local.reader, null), ...findings] };
}

async function examineServer(client: ServerClient, config: Config, log: Logger, order: Order): Promise<Examination> {
  const { build, fix } = order;
  const built = await buildThroughServer(client, build);
  const reader: IndexReader = openIndexReader(config.index.path);
  const again = () => buildThroughServer(client, { ...build, rebuild: false });
  const examine = () => examineLinks({ config, reader, log }, fix, built, again);
  try {
    // The server has the row of the reindexing; that links were written only this process knows.
    const { progress, findings } = fix ? await audited(config, log, auditedCall(order), examine) : await examine();
    const { watcher } = await client.status();
    return { progress, findings: [...findingsOf(progress, reader, watcher), ...findings] };
  } finally {
    reader.close();
  }
}

function auditedCall({ build: { rebuild }, fix }: Order) {
  return { operation: 'doctor', args: { rebuild, fix_links: fix } };
}

/** @param again brings the index up to date with what was written */
async function examineLinks(
  context: LinkContext,
  fix: boolean,
  built: IndexProgress,
  again: () => Promise<IndexProgress>,
): Promise<Examination> {
  const mended = await mendLinks(context, fix);
  const progress = mended.written ? await again() : built;
  return { progress, findings: joinLinkFindings(mended, await linkFindings(context)) };
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
