/**
 * What doctor does before it counts: proposals that a crash left half done are brought to their end, in this process and also
 * beside a running server, whose locks and records it shares. Danger: it writes into the vault, so not where that is to be read
 * only; and where nothing was left it opens nothing that writes.
 */
import { OPERATOR } from '@vault-mcp/api/audited-call';
import { recoverProposals } from '@vault-mcp/api/memory/gate/recover';
import { openWriting } from '@vault-mcp/api/open-writing';
import { gatePorts } from '@vault-mcp/api/operations/gate-ports';
import { createAnalyzer } from '@vault-mcp/shared/analysis/analyzer';
import { settingFiles } from '@vault-mcp/shared/config/load';
import type { Config } from '@vault-mcp/shared/config/schema';
import { openIndexReader } from '@vault-mcp/shared/index-db/reader';
import { type Logger, reasonOf } from '@vault-mcp/shared/log';
import { IndexedElsewhereError, type JobProducer } from '@vault-mcp/shared/queue/producer';
import { RecordOpenError } from '@vault-mcp/shared/records/record-open-error';
import { openVault } from '@vault-mcp/shared/vault/vault';
import { proposalStats } from './proposal-stats.ts';

export interface Recovered {
  /** Carried out as they were meant. */
  readonly completed: number;
  /** Put into the discard log. */
  readonly shelved: number;
  /** Why nothing could be taken up at all; null: it could. */
  readonly problem: string | null;
}

const NOTHING: Recovered = { completed: 0, shelved: 0, problem: null };

/** The index is looked at afterwards, and by itself; a server sees changes on the disk. */
const NOBODY_TOLD: JobProducer = {
  add: () => Promise.reject(new IndexedElsewhereError()),
  stats: async () => ({ ok: true, depth: 0, failed: 0, error: null }),
  close: async () => undefined,
};

/** @throws RecordOpenError when a record is a newer version's or damaged */
export async function recoverLeft(config: Config, log: Logger): Promise<Recovered> {
  if (config.server.read_only) return NOTHING;
  const { cutShort, overdue } = await proposalStats(config.data.path, log);
  if (cutShort + overdue === 0) return NOTHING;
  try {
    return { ...(await recover(config, log)), problem: null };
  } catch (error) {
    if (error instanceof RecordOpenError) throw error;
    return { ...NOTHING, problem: reasonOf(error) };
  }
}

async function recover(config: Config, log: Logger): Promise<Omit<Recovered, 'problem'>> {
  const vault = await openVault(config.vault.path, { docSuffixes: config.vault.doc_suffixes });
  const writing = await openWriting(config, vault, log);
  const reader = openIndexReader(config.index.path);
  try {
    const parts = { config, log, vault, reader, analyzer: createAnalyzer(config.search.language), embedder: null };
    const context = { ...parts, queue: NOBODY_TOLD, settingFiles: settingFiles(), ...writing.parts };
    const { completed, shelved } = await recoverProposals(gatePorts(context, { agent: OPERATOR }));
    return { completed, shelved };
  } finally {
    reader.close();
    writing.close();
  }
}
