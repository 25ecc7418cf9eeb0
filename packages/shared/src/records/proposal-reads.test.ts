import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createTempFolder, type TempFolder } from '../../../../test/support/temp-folder.ts';
import { PROPOSAL_READS, REMOVE_OLD_ANSWERS } from './proposal-reads.ts';
import { connectToProposals } from './proposals.ts';
import type { RecordDatabase } from './versioned-database.ts';

let folder: TempFolder;
let db: RecordDatabase;
beforeEach(async () => {
  folder = await createTempFolder('proposal-reads');
  db = connectToProposals(join(folder.path, 'memory.db'));
});
afterEach(async () => {
  db.close();
  await folder.remove();
});

const VALUES = { nowMs: 1, sinceMs: 1, agent: 'claude', keep: 20, before: 1, limit: 10 };

function planOf(sql: string): string[] {
  const rows = db.prepare<object, { detail: string }>(`EXPLAIN QUERY PLAN ${sql}`).all(VALUES);
  return rows.map(({ detail }) => detail);
}

const STATEMENTS: readonly [name: string, sql: string, by: RegExp][] = [
  ['unsettled', PROPOSAL_READS.unsettled, /^SEARCH proposal USING INDEX proposal_unanswered \(state=\?\)/],
  ['expired', PROPOSAL_READS.expired, /^SEARCH proposal USING INDEX proposal_expiring \(expires_ms<\?\)/],
  ['surplus', PROPOSAL_READS.surplus, /^SEARCH proposal USING COVERING INDEX proposal_open_of_agent \(agent=\?\)/],
  ['answersSince', PROPOSAL_READS.answersSince, /^SEARCH proposal USING INDEX proposal_answered \(settled_ms>\?\)/],
  ['unanswered', PROPOSAL_READS.unanswered, /^SCAN proposal USING INDEX proposal_unanswered/],
  ['removal of old answers', REMOVE_OLD_ANSWERS, /^SEARCH proposal USING INDEX proposal_answered \(settled_ms<\?\)/],
];

describe('what the gate asks of memory.db with every proposal', () => {
  it.each(STATEMENTS)('is found by its index and never by reading every row: %s', (_name, sql, by) => {
    const plan = planOf(sql);
    expect(plan).toContainEqual(expect.stringMatching(by));
    expect(plan.filter((step) => /^SCAN/.test(step) && !/USING (COVERING )?INDEX proposal_/.test(step))).toEqual([]);
  });

  it('is all of what finds several rows', () => {
    const tried = STATEMENTS.map(([, sql]) => sql);
    for (const sql of Object.values(PROPOSAL_READS)) expect(tried).toContain(sql);
  });
});
