/**
 * `vault-mcp audit`: who called what and how it ended, newest first. Reads the log of the data folder, also while a
 * server writes it. Danger: rows tell a person's habits, though no content; they are shown to whoever may read the
 * data folder, and sent nowhere.
 */
import { existsSync } from 'node:fs';
import { openAuditLog } from '@vault-mcp/shared/records/audit';
import type { AuditRow } from '@vault-mcp/shared/records/audit-reads';
import { refuseHalfRestored } from '@vault-mcp/shared/records/restore-marker';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { auditPath } from '../audited-command.ts';
import { commandLog } from '../command-log.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { type CommonOptions, wholeNumber, withCommonOptions } from '../options.ts';
import { answer } from '../output.ts';
import { settlePlace } from '../place.ts';

/** Rows shown when nobody says how many: a screen's worth. */
const DEFAULT_LIMIT = 50;
const MAX_LIMIT = 100_000;

interface AuditOptions extends CommonOptions {
  readonly limit: number;
  readonly since?: number;
  readonly surface?: string;
  readonly operation?: string;
  readonly agent?: string;
  readonly outcome?: string;
}

/** Adds options and action to the command of the table. */
export function define(command: Command, setExitCode: (code: ExitCode) => void): void {
  command
    .option('-n, --limit <number>', 'how many calls, newest first', wholeNumber(1, MAX_LIMIT), DEFAULT_LIMIT)
    .option('--since <time>', 'only calls from then on, such as 2026-07-28 or 2026-07-28T09:00Z', milliseconds)
    .addOption(new Option('--surface <surface>', 'only calls over this surface').choices(['rest', 'mcp', 'cli']))
    .option('--operation <name>', 'only this operation, such as patch-note')
    .option('--agent <name>', 'only calls by this caller')
    .option('--outcome <code>', 'only calls that ended so: ok, or an error code');
  withCommonOptions(command).action(async (options: AuditOptions) => setExitCode(showAudit(options)));
}

function milliseconds(text: string): number {
  const time = Date.parse(text);
  if (Number.isNaN(time)) throw new InvalidArgumentError('It must be a date or a time, such as 2026-07-28T09:00Z.');
  return time;
}

function showAudit(options: AuditOptions): ExitCode {
  const { config } = settlePlace(options, 'use-example');
  const rows = rowsOf(options, auditPath(config), config.audit.retention_days);
  answer(options.json, { calls: rows.map(asJson) }, () =>
    rows.length === 0 ? 'No such calls.' : rows.map(asLine).join('\n'),
  );
  return rows.length === 0 ? EXIT.findings : EXIT.ok;

  function rowsOf({ limit, since, surface, operation, agent, outcome }: AuditOptions, path: string, days: number) {
    refuseHalfRestored(config.data.path);
    // Nothing has been called yet; looking must not make a log.
    if (!existsSync(path)) return [];
    const audit = openAuditLog(path, { retentionDays: days, logger: commandLog(config, options) });
    try {
      return audit.read({ limit, sinceMs: since, surface, operation, agent, outcome });
    } finally {
      audit.close();
    }
  }
}

function asJson({ id, timeMs, surface, operation, agent, argsDigest, outcome, durationMs }: AuditRow) {
  const time = new Date(timeMs).toISOString();
  return { id, time, surface, operation, agent, args_digest: argsDigest, outcome, duration_ms: durationMs };
}

function asLine({ timeMs, surface, operation, agent, argsDigest, outcome, durationMs }: AuditRow): string {
  const time = new Date(timeMs).toISOString();
  const took = `${durationMs.toFixed(1)} ms`;
  return `${time}  ${surface.padEnd(4)}  ${operation.padEnd(18)} ${outcome.padEnd(20)} ${took.padStart(10)}  ${agent}  ${argsDigest}`;
}
