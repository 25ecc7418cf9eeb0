/**
 * The parts that changing the vault takes, for every program that serves it: locks, writer, records; and what has to be
 * set right before the first call. Danger: whatever a crash left half done is completed or swept away here, so nothing
 * may be served before `recover` has ended; and the locks are given back last, after every part that writes.
 */
import { join } from 'node:path';
import type { Config } from '@vault-mcp/shared/config/schema';
import type { Logger } from '@vault-mcp/shared/log';
import { openAuditLog } from '@vault-mcp/shared/records/audit';
import { noHistory } from '@vault-mcp/shared/records/history';
import { openMoveIntents } from '@vault-mcp/shared/records/move-intents';
import { openPathLocks, type PathLocks } from '@vault-mcp/shared/vault/lock';
import { dataFolder, mountError, probeDataFolders, probeVault } from '@vault-mcp/shared/vault/mount-probe';
import { sweepTempFiles } from '@vault-mcp/shared/vault/temp-files';
import type { Vault } from '@vault-mcp/shared/vault/vault';
import { createVaultWriter } from '@vault-mcp/shared/vault/write';
import type { OperationContext, ServedContext } from './context.ts';
import { resumeMoves } from './operations/resume-moves.ts';

export interface Writing {
  /** What a context for writing has on top of one for reading. */
  readonly parts: Omit<ServedContext, keyof OperationContext>;
  /**
   * Completes what crashes left: half-done moves, temporary files of processes that are dead.
   *
   * @throws RecordOpenError when a newer version's record is in the way
   */
  recover(context: ServedContext): Promise<void>;
  /** After everything that writes. Idempotent. */
  close(): void;
}

/**
 * @throws MountError when the data folder, or a vault that is to be written, is closed to this user; RecordOpenError when
 * the audit log cannot be used
 */
export async function openWriting(config: Config, vault: Vault, log: Logger): Promise<Writing> {
  const dataPath = config.data.path;
  await probeDataFolders(config);
  await probeVaultToWrite(config, vault, log);
  const locks = await openLocks(dataPath, log);
  try {
    const audit = openAuditLog(join(dataPath, 'audit.db'), { retentionDays: config.audit.retention_days, logger: log });
    const writer = createVaultWriter(vault, { locks, noteMaxBytes: config.vault.note_max_bytes });
    const moveIntents = openMoveIntents(dataPath, log);
    return {
      parts: { writer, locks, moveIntents, audit, history: noHistory, now: () => new Date() },
      recover: (context) => recover(context, locks),
      close() {
        audit.close();
        locks.close();
      },
    };
  } catch (error) {
    locks.close();
    throw error;
  }
}

async function probeVaultToWrite({ server }: Config, vault: Vault, log: Logger): Promise<void> {
  if (server.read_only) return;
  const warning = await probeVault(vault.root);
  if (warning !== null) log.warn({ path: vault.root }, warning);
}

/** A file system may take a file and still know no locks. */
async function openLocks(dataPath: string, log: Logger): Promise<PathLocks> {
  try {
    return await openPathLocks(dataPath, { logger: log });
  } catch (error) {
    throw await mountError(dataFolder(dataPath), error);
  }
}

async function recover(context: ServedContext, locks: PathLocks): Promise<void> {
  const { log, vault, config } = context;
  await resumeMoves(context);
  if (config.server.read_only) return;
  const swept = await sweepTempFiles(vault, locks, {
    onProblem: ({ path, error }) => log.warn({ err: error, path }, 'a folder could not be cleared of temporary files'),
  });
  if (swept > 0) log.info({ files: swept }, 'temporary files of programs that were cut short are gone');
}
