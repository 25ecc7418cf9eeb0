/**
 * `vault-mcp restore`: puts records back from a backup, or completes a restore that was cut short. Danger: it works only
 * while nothing else does, and keeps what was there before; keys that were revoked since come back only on request.
 */
import { OPERATOR, recordCall } from '@vault-mcp/api/audited-call';
import type { Config } from '@vault-mcp/shared/config/schema';
import { acquireWriterLock } from '@vault-mcp/shared/index-db/writer-lock';
import { openAuditLog } from '@vault-mcp/shared/records/audit';
import { completeRestore, type RestoreReport, restoreRecords } from '@vault-mcp/shared/records/restore';
import { unfinishedRestore } from '@vault-mcp/shared/records/restore-marker';
import { readBackup } from '@vault-mcp/shared/records/verify-backup';
import type { Command } from 'commander';
import { auditPath } from '../audited-command.ts';
import { commandLog } from '../command-log.ts';
import { CliError, EXIT, type ExitCode } from '../exit-codes.ts';
import { type CommonOptions, withCommonOptions } from '../options.ts';
import { answer, counted, remark } from '../output.ts';
import { settlePlace } from '../place.ts';
import { recordLines, recordPlaces } from '../record-places.ts';
import { findRunningServer } from '../server-json.ts';

interface RestoreOptions extends CommonOptions {
  readonly replace?: boolean;
  readonly keys?: boolean;
  readonly dryRun?: boolean;
}

/** Adds options and action to the command of the table. */
export function define(command: Command, setExitCode: (code: ExitCode) => void): void {
  command
    .argument(
      '[folder]',
      'a backup, as `vault-mcp backup` made it; without one a restore that was cut short is completed',
    )
    .option('--replace', 'also where there is something already: it goes aside, and is kept')
    .option('--keys', 'agents’ keys too; those revoked since the backup open again')
    .option('--dry-run', 'check it and say what would be done');
  withCommonOptions(command).action(async (folder: string | undefined, options: RestoreOptions) =>
    setExitCode(await restore(folder, options)),
  );
}

async function restore(folder: string | undefined, options: RestoreOptions): Promise<ExitCode> {
  const { config } = settlePlace(options, 'use-example');
  if (folder === undefined) refuseIdleCall(config, options);
  const running = await findRunningServer(config.data.path);
  if (running !== undefined) {
    throw new CliError(EXIT.failed, `The server at ${running.url} works with these records: stop it first.`);
  }
  const started = performance.now();
  const lock = acquireWriterLock(config.data.path);
  try {
    if (folder === undefined) await complete(config, options);
    else await restoreFrom(folder, config, options);
  } finally {
    lock.release();
  }
  if (options.dryRun !== true) writeDown(config, options, folder, performance.now() - started);
  return EXIT.ok;
}

function refuseIdleCall({ data }: Config, { replace, keys, dryRun }: RestoreOptions): void {
  if (unfinishedRestore(data.path) === null) {
    throw new CliError(EXIT.usage, 'No restore was cut short: name the folder of a backup.');
  }
  if (replace === true || keys === true || dryRun === true) {
    throw new CliError(EXIT.usage, 'A restore that was cut short is completed as it was begun: leave the options out.');
  }
}

async function complete(config: Config, options: RestoreOptions): Promise<void> {
  const { records, aside, notIgnored } = await completeRestore(recordPlaces(config));
  answer(options.json, { completed: records, aside }, () =>
    [`The restore that was cut short is complete: ${records.join(', ')}`, ...asideLine(aside)].join('\n'),
  );
  remarkOnIgnored(notIgnored);
}

async function restoreFrom(folder: string, config: Config, options: RestoreOptions): Promise<void> {
  const backup = await readBackup(folder);
  const dryRun = options.dryRun ?? false;
  const report = await restoreRecords(recordPlaces(config), backup, {
    replace: options.replace ?? false,
    keys: options.keys ?? false,
    dryRun,
    readOnly: config.server.read_only,
    now: new Date(),
  });
  const { restored, aside, discardsThere, agents } = report;
  const json = { dry_run: dryRun, restored, aside, discards_there: discardsThere, agents_back: agents.back };
  const more = { agents_left_out: agents.leftOut, other_vault: report.otherVault, made_at: backup.manifest.made_at };
  answer(options.json, { ...json, ...more }, () => asText(report, folder, dryRun));
  remarkOn(report, dryRun);
}

function asText({ restored, aside }: RestoreReport, folder: string, dryRun: boolean): string {
  if (restored.length === 0) return 'Nothing to restore: what the backup has is there, or was not asked for.';
  const head = dryRun ? `It can be done. From ${folder} would be restored` : `Restored from ${folder}`;
  return [head, ...recordLines(restored), ...asideLine(aside)].join('\n');
}

function asideLine(aside: string | null): string[] {
  return aside === null ? [] : [`What was there before is kept in ${aside}`];
}

function remarkOn({ discardsThere, agents, otherVault, notIgnored }: RestoreReport, dryRun: boolean): void {
  if (otherVault) remark('The backup was made of a vault that stood elsewhere, or of another one.');
  if (discardsThere > 0) remark(`${counted(discardsThere, 'discarded text')} of the backup are in the vault already.`);
  remarkOnIgnored(notIgnored);
  if (agents.back.length > 0)
    remark(`Keys of the backup ${dryRun ? 'would ' : ''}open again, of ${agents.back.join(', ')}.`);
  if (agents.leftOut.length > 0) {
    remark(`Keys of the backup were left out, of ${agents.leftOut.join(', ')}: with --keys they would open again.`);
  }
}

function remarkOnIgnored(problem: string | null): void {
  if (problem !== null) remark(`Add the line /.discarded* to the vault's .gitignore yourself: ${problem}.`);
}

/** In the log that was restored. */
function writeDown(config: Config, options: RestoreOptions, folder: string | undefined, durationMs: number): void {
  const log = commandLog(config, options);
  const audit = openAuditLog(auditPath(config), { retentionDays: config.audit.retention_days, logger: log });
  const args = { folder, replace: options.replace, keys: options.keys };
  recordCall(audit, { surface: 'cli', agent: OPERATOR, operation: 'restore', args, outcome: 'ok', durationMs });
  audit.close();
}
