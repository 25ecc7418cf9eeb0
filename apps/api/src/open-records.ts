/**
 * Opens the records of a data folder, for every program that serves the vault. Danger: one that cannot be used has to end
 * the start, since nothing brings it back; what was opened by then is closed.
 */
import { join } from 'node:path';
import type { Config } from '@vault-mcp/shared/config/schema';
import type { Logger } from '@vault-mcp/shared/log';
import { openAuditLog } from '@vault-mcp/shared/records/audit';
import { openDiscardLog } from '@vault-mcp/shared/records/discards';
import { openJournal } from '@vault-mcp/shared/records/journal';
import { openMoveIntents } from '@vault-mcp/shared/records/move-intents';
import { openProposals } from '@vault-mcp/shared/records/proposals';
import type { PathLocks } from '@vault-mcp/shared/vault/lock';
import type { Vault } from '@vault-mcp/shared/vault/vault';
import type { ServedContext } from './context.ts';

export interface Records {
  readonly parts: Pick<ServedContext, 'audit' | 'moveIntents' | 'proposals' | 'discards' | 'journal'>;
  /** Idempotent. */
  close(): void;
}

/**
 * @param now what time it is; tests pass their own
 * @throws RecordOpenError when one of them is a newer version's, damaged, or cannot be written
 */
export async function openRecords(
  config: Config,
  vault: Vault,
  locks: PathLocks,
  logger: Logger,
  now: () => Date = () => new Date(),
): Promise<Records> {
  const place = (name: string) => join(config.data.path, name);
  const opened: { close(): unknown }[] = [];
  const keep = <T extends { close(): unknown }>(record: T): T => {
    opened.unshift(record);
    return record;
  };
  const close = () => {
    for (const record of opened.splice(0)) record.close();
  };
  try {
    return {
      parts: {
        audit: keep(openAuditLog(place('audit.db'), { retentionDays: config.audit.retention_days, logger })),
        proposals: keep(openProposals(place('memory.db'), { owner: locks.owner, logger, now: () => now().getTime() })),
        journal: keep(await openJournal(place('journal.jsonl'))),
        discards: openDiscardLog(vault, locks, { logger, now }),
        moveIntents: openMoveIntents(config.data.path, logger),
      },
      close,
    };
  } catch (error) {
    close();
    throw error;
  }
}
