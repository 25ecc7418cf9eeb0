/**
 * The audit row of a command that does its work in this process. What goes through a running server leaves its row
 * there. Danger: the row is written before the command answers, so a command that is killed leaves none.
 */
import { join } from 'node:path';
import { OPERATOR, recordCall } from '@vault-mcp/api/audited-call';
import type { Config } from '@vault-mcp/shared/config/schema';
import { toAppError } from '@vault-mcp/shared/errors';
import type { Logger } from '@vault-mcp/shared/log';
import { openAuditLog } from '@vault-mcp/shared/records/audit';

/** Where the audit log of a data folder stands. */
export function auditPath({ data }: Config): string {
  return join(data.path, 'audit.db');
}

/**
 * @param operation as the other surfaces name it
 * @param args what was asked; only its digest is kept
 * @param agent in whose name; the operator's, unless given
 * @throws RecordOpenError before anything is done, when the audit log cannot be used; else what `work` throws
 */
export async function audited<T>(
  config: Config,
  log: Logger,
  call: { readonly operation: string; readonly args: unknown; readonly agent?: string | undefined },
  work: () => Promise<T>,
): Promise<T> {
  const audit = openAuditLog(auditPath(config), { retentionDays: config.audit.retention_days, logger: log });
  const started = performance.now();
  const ended = (outcome: string) =>
    recordCall(audit, {
      ...call,
      ...{ surface: 'cli', agent: call.agent ?? OPERATOR },
      ...{ outcome, durationMs: performance.now() - started },
    });
  try {
    const result = await work();
    ended('ok');
    return result;
  } catch (error) {
    ended(toAppError(error).code);
    throw error;
  } finally {
    audit.close();
  }
}
