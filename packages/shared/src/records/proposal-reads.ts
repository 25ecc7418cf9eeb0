/**
 * How several rows of memory.db are found at once, each by an index. Danger: SQLite takes a partial index only for a statement
 * that repeats the condition of the index, and every proposal asks these; without it, each would read all that anybody ever
 * proposed, with the overflow pages of its text.
 */
import { PROPOSAL_COLUMNS } from './proposal-rows.ts';

export const PROPOSAL_INDEXES = `
  CREATE INDEX proposal_unanswered ON proposal (state, created_ms) WHERE state <> 'done';
  CREATE INDEX proposal_expiring ON proposal (expires_ms) WHERE state = 'open';
  CREATE INDEX proposal_open_of_agent ON proposal (agent, created_ms, id) WHERE state = 'open';
  CREATE INDEX proposal_answered ON proposal (settled_ms) WHERE state = 'done';`;

const rows = (where: string) => `SELECT ${PROPOSAL_COLUMNS} FROM proposal WHERE ${where}`;

/** Of those that are kept only the index is read. */
const surplusIds =
  "SELECT id FROM proposal WHERE state = 'open' AND agent = @agent ORDER BY created_ms DESC, id DESC LIMIT -1 OFFSET @keep";

/** Oldest first, but for `answersSince`, which begins with the latest. */
export const PROPOSAL_READS = {
  unsettled: rows("state <> 'done' AND state IN ('deciding', 'writing') ORDER BY created_ms, id"),
  expired: rows("state = 'open' AND expires_ms <= @nowMs ORDER BY created_ms, id"),
  surplus: rows(`id IN (${surplusIds}) ORDER BY created_ms, id`),
  answersSince: rows("state = 'done' AND settled_ms >= @sinceMs ORDER BY settled_ms DESC"),
  unanswered: rows("state <> 'done'"),
} as const;

export const REMOVE_OLD_ANSWERS = `DELETE FROM proposal WHERE id IN (
  SELECT id FROM proposal WHERE state = 'done' AND settled_ms < @before ORDER BY settled_ms LIMIT @limit)`;
