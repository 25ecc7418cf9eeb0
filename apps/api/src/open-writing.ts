/**
 * The parts that changing the vault takes, for every program that serves it: locks, writer, records; and what has to be
 * set right before the first call. Danger: whatever a crash left half done is completed or swept away here, so nothing
 * may be served before `recover` has ended; and the locks are given back last, after every part that writes.
 */
import { gitPlaces } from '@vault-mcp/shared/config/load';
import type { Config } from '@vault-mcp/shared/config/schema';
import type { Logger } from '@vault-mcp/shared/log';
import { type GitCommits, openGitCommits } from '@vault-mcp/shared/records/git-commits';
import { noHistory } from '@vault-mcp/shared/records/history';
import { openPathLocks, type PathLocks } from '@vault-mcp/shared/vault/lock';
import { OthersAtWorkError } from '@vault-mcp/shared/vault/lock-owner';
import { dataFolder, mountError, probeDataFolders, probeVault } from '@vault-mcp/shared/vault/mount-probe';
import { sweepTempFiles } from '@vault-mcp/shared/vault/temp-files';
import type { Vault } from '@vault-mcp/shared/vault/vault';
import { createVaultWriter } from '@vault-mcp/shared/vault/write';
import { OPERATOR } from './audited-call.ts';
import type { OperationContext, ServedContext } from './context.ts';
import { createChatModel } from './memory/chat/chat-model.ts';
import { recoverProposals } from './memory/gate/recover.ts';
import { openFilesFolder } from './open-files-folder.ts';
import { openRecords } from './open-records.ts';
import { gatePorts } from './operations/gate-ports.ts';
import { resumeMoves } from './operations/resume-moves.ts';

export interface Writing {
  /** What a context for writing has on top of one for reading. */
  readonly parts: Omit<ServedContext, keyof OperationContext>;
  /**
   * Completes what crashes left: half-done moves and proposals, temporary files of processes that are dead.
   *
   * @throws RecordOpenError when a newer version's record is in the way
   */
  recover(context: ServedContext): Promise<void>;
  /** Work under way ends with `locked` before it changes anything more, and the records stay open for what it has to say. */
  stop(): void;
  /** After everything that writes. Idempotent. */
  close(): void;
}

/**
 * @throws MountError when the data folder, a vault that is to be written, or the folder for files is closed to this user;
 * VaultOpenError when that folder is not apart from them; RecordOpenError when a record cannot be used; BaseUrlError when the
 * chat model's address cannot be
 */
export async function openWriting(config: Config, vault: Vault, log: Logger): Promise<Writing> {
  await probeDataFolders(config);
  await probeVaultToWrite(config, vault, log);
  const locks = await openLocks(config.data.path, log);
  const opened: { close(): void }[] = [locks];
  const close = () => {
    for (const part of opened.splice(0)) part.close();
  };
  try {
    const chat = createChatModel(config.gate, config.embedding);
    const records = await openRecords(config, vault, locks, log);
    opened.unshift(records);
    const commits = openCommits(config, vault, log);
    opened.unshift(commits);
    const noteMaxBytes = config.vault.note_max_bytes;
    const writerFor = (view: Vault) => createVaultWriter(view, { locks, noteMaxBytes });
    const filesFolder = await openFilesFolder(config, locks);
    return {
      parts: {
        writer: writerFor(vault),
        writerFor,
        locks,
        filesFolder,
        ...records.parts,
        ...{ commits, chat },
        history: noHistory,
        now: () => new Date(),
      },
      recover: (context) => recover(context, locks),
      stop: () => locks.close(),
      close,
    };
  } catch (error) {
    close();
    throw error;
  }
}

/** Nothing is committed where nothing is written. */
function openCommits({ server, history }: Config, vault: Vault, logger: Logger): GitCommits {
  const mode = server.read_only ? 'off' : history.git;
  return openGitCommits({ root: vault.root, mode, places: gitPlaces(), logger });
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
    if (error instanceof OthersAtWorkError) throw error;
    throw await mountError(dataFolder(dataPath), error);
  }
}

/** Candidates that a crash left between two places. */
async function resumeProposals(context: ServedContext): Promise<void> {
  const { completed, shelved } = await recoverProposals(gatePorts(context, { agent: OPERATOR }));
  if (completed + shelved > 0) context.log.info({ completed, shelved }, 'proposals that were cut short are settled');
}

async function recover(context: ServedContext, locks: PathLocks): Promise<void> {
  const { log, vault, config, filesFolder } = context;
  await resumeMoves(context);
  if (config.server.read_only) return;
  await resumeProposals(context);
  const onProblem = ({ path, error }: { readonly path: string; readonly error: unknown }) =>
    log.warn({ err: error, path }, 'a folder could not be cleared of temporary files');
  let swept = await sweepTempFiles(vault, locks, { onProblem });
  if (filesFolder !== null) swept += await sweepTempFiles(filesFolder.vault, locks, { onProblem });
  if (swept > 0) log.info({ files: swept }, 'temporary files of programs that were cut short are gone');
}
