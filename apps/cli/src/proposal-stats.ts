/**
 * How many proposals of a data folder wait, were cut short or cannot be read, whoever works on them meanwhile. Danger: looking
 * must not make a record where there is none, nor take up what others have in hand.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Logger } from '@vault-mcp/shared/log';
import { openProposals } from '@vault-mcp/shared/records/proposals';
import { openPathLocks } from '@vault-mcp/shared/vault/lock';

export interface ProposalStats {
  readonly open: number;
  /** Of the open ones, those that nobody decided in time. */
  readonly overdue: number;
  /** In the hands of processes that are dead. */
  readonly cutShort: number;
  readonly damaged: number;
}

/** @throws RecordOpenError when memory.db is a newer version's or damaged */
export async function proposalStats(dataPath: string, logger: Logger): Promise<ProposalStats> {
  const path = join(dataPath, 'memory.db');
  if (!existsSync(path)) return { open: 0, overdue: 0, cutShort: 0, damaged: 0 };
  const locks = await openPathLocks(dataPath, { logger });
  try {
    const proposals = openProposals(path, { owner: locks.owner, logger });
    try {
      const { open, damaged } = proposals.counts();
      const dead = proposals.unsettled().filter(({ owner }) => owner === null || !locks.isAlive(owner));
      return { open, damaged, overdue: proposals.expired(Date.now()).length, cutShort: dead.length };
    } finally {
      proposals.close();
    }
  } finally {
    locks.close();
  }
}
