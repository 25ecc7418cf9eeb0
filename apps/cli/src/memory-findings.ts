/**
 * What doctor has to say about what agents proposed: what it completed, what was discarded, what waits, and what cannot be read.
 * Reads the records, whoever writes them meanwhile. Danger: what could not be completed is somebody's text that no note has, so
 * it is an error unless this vault is to be read only, where a server that may write does it.
 */
import type { Config } from '@vault-mcp/shared/config/schema';
import type { Logger } from '@vault-mcp/shared/log';
import { DiscardFiles } from '@vault-mcp/shared/records/discard-files';
import type { DiscardStats } from '@vault-mcp/shared/records/discard-log';
import { DiscardReads } from '@vault-mcp/shared/records/discard-reads';
import { openVault } from '@vault-mcp/shared/vault/vault';
import type { Finding } from './findings.ts';
import { gateFindings, indexedSpace } from './gate-findings.ts';
import { counted } from './output.ts';
import { type ProposalStats, proposalStats } from './proposal-stats.ts';
import type { Recovered } from './recovered-proposals.ts';

/**
 * @param recovered what was done about it before
 * @throws RecordOpenError when memory.db is a newer version's or damaged
 */
export async function memoryFindings(config: Config, log: Logger, recovered: Recovered): Promise<Finding[]> {
  const vault = await openVault(config.vault.path, { docSuffixes: config.vault.doc_suffixes });
  const discards = await new DiscardReads(vault, new DiscardFiles(), log).stats();
  const stats = await proposalStats(config.data.path, log);
  return [
    ...discardFindings(discards),
    ...completedFindings(recovered),
    ...proposalFindings(stats),
    ...cutShortFindings(stats, config.server.read_only, recovered.problem),
    ...gateFindings(config, indexedSpace(config)),
  ];
}

function discardFindings({ count, restored, damaged }: DiscardStats): Finding[] {
  const findings: Finding[] = [];
  if (count > 0) {
    const again = restored === 0 ? '' : `, ${restored} of them restored`;
    findings.push({
      ...{ code: 'discards', severity: 'info', path: '.discarded.log' },
      message: `holds ${counted(count, 'discard')}${again}: vault-mcp discards list shows them.`,
    });
  }
  if (damaged > 0) {
    findings.push({
      ...{ code: 'discards_damaged', severity: 'warning', path: '.discarded.log' },
      message: `has ${counted(damaged, 'line')} that cannot be read, such as a crash leaves.`,
      fix: 'Look at those lines, and take them out once nothing in them is missed.',
    });
  }
  return findings;
}

function proposalFindings({ open, damaged }: ProposalStats): Finding[] {
  const findings: Finding[] = [];
  if (open > 0) {
    const message = `${counted(open, 'proposal waits', 'proposals wait')} for the decision of whoever sent it.`;
    findings.push({ code: 'proposals_open', severity: 'info', message });
  }
  if (damaged > 0) {
    findings.push({
      ...{ code: 'proposals_damaged', severity: 'error' },
      message: `${counted(damaged, 'proposal')} in memory.db cannot be read, and may hold the only copy of a text.`,
      fix: 'Restore the records from a backup, or look at the rows that are not done by a program for SQLite.',
    });
  }
  return findings;
}

function completedFindings({ completed, shelved }: Recovered): Finding[] {
  if (completed + shelved === 0) return [];
  const what = counted(completed + shelved, 'proposal that was', 'proposals that were');
  const message = `brought ${what} left half done to an end: ${completed} as decided, ${shelved} into the discard log.`;
  return [{ code: 'proposals_completed', severity: 'info', message: `This run ${message}` }];
}

function cutShortFindings({ cutShort }: ProposalStats, readOnly: boolean, problem: string | null): Finding[] {
  if (cutShort === 0) return [];
  const what = counted(cutShort, 'proposal was', 'proposals were');
  const code = 'proposals_cut_short';
  if (readOnly) {
    return [{ code, severity: 'info', message: `${what} cut short; a server that may write completes it.` }];
  }
  const why = problem ?? 'vault-mcp doctor --verbose says what was in the way.';
  return [
    {
      ...{ code, severity: 'error', message: `${what} cut short by a crash and could not be completed: ${why}` },
      fix: 'Nothing of it is lost: see to that, and run doctor again.',
    },
  ];
}
