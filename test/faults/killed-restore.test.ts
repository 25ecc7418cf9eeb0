/**
 * A restore that is killed before each of its steps in turn, and its completion as well: what comes of it is either all
 * that was there before, or all that was backed up; and until it is one of them no record can be opened.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { silentLogger } from '@vault-mcp/shared/log';
import { openAuditLog } from '@vault-mcp/shared/records/audit';
import { backUpRecords } from '@vault-mcp/shared/records/backup';
import { completeRestore } from '@vault-mcp/shared/records/restore';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  addCalls,
  contentsOf,
  createRecordHome,
  discard,
  fillRecords,
  OTHER_KEY,
  put,
  type RecordHome,
  rowsIn,
} from '../support/kept-records.ts';

const PROGRAM = join(import.meta.dirname, '../support/restore-process.mjs');
/** Far more steps than a restore has. */
const STEPS_AT_MOST = 200;

let source: RecordHome;
let backup: string;
beforeEach(async () => {
  source = await createRecordHome();
  fillRecords(source);
  ({ folder: backup } = await backUpRecords(source, source.to, { product: 'vault-mcp 1.2.3', now: new Date() }));
});
afterEach(() => source.folder.remove());

/** Something else in each record. The keys stand where another disk could be. */
async function occupiedHome(): Promise<RecordHome> {
  const home = await createRecordHome();
  addCalls(home, 7);
  put(home.dataPath, 'journal.jsonl', '{"v":1,"slug":"of before"}\n');
  put(home.vaultPath, '.discarded.log', `${discard(1, 'of before')}\n`);
  put(home.dataPath, 'move-intents/6f1f0f0e-0000-4000-8000-000000000002.json', '{"version":1}');
  const keysFile = join(home.to, 'keys.json');
  writeFileSync(keysFile, JSON.stringify({ scribe: OTHER_KEY }));
  return { ...home, keysFile };
}

/** @returns whether it was killed; else it came to its end */
async function runUntil(step: number, home: RecordHome, from: string): Promise<boolean> {
  const child = spawn(process.execPath, [PROGRAM, JSON.stringify(home), from, String(step)], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const [code, signal] = await once(child, 'exit');
  if (signal === 'SIGKILL') return true;
  expect(code).toBe(0);
  return false;
}

function openAudit({ dataPath }: RecordHome): void {
  openAuditLog(join(dataPath, 'audit.db'), { retentionDays: 0, logger: silentLogger() }).close();
}

/** All that was backed up stands in its place, and what was there before aside. */
function expectRestored(home: RecordHome): void {
  const [now, backedUp] = [contentsOf(home), contentsOf(source)];
  expect({ ...now, discards: null }).toEqual({ ...backedUp, discards: null });
  const texts = (now.discards as string[]).map((line) => JSON.parse(line).text).toSorted();
  expect(texts).toEqual(['of before', 'text 1', 'text 2', 'text 3']);
  const aside = readdirSync(home.dataPath).filter((name) => name.startsWith('replaced-'));
  expect(aside).toHaveLength(1);
  const kept = join(home.dataPath, aside[0] ?? '');
  expect(rowsIn(join(kept, 'audit.db'), 'call')).toHaveLength(7);
  expect(readdirSync(kept).filter((name) => !/-(wal|shm)$/.test(name))).toEqual([
    ...['audit.db', 'journal.jsonl', 'keys.json', 'move-intents'],
  ]);
  expect(readdirSync(home.dataPath).filter((name) => /^restor/.test(name))).toEqual([]);
  expect([...readdirSync(home.vaultPath), ...readdirSync(home.to)].filter((name) => /restoring/.test(name))).toEqual(
    [],
  );
  openAudit(home);
}

describe('a restore that is killed', () => {
  it('before any of its steps has not begun, or is completed by the next', async () => {
    const came = { notBegun: 0, completed: 0 };
    let step = 1;
    for (let killed = true; killed && step < STEPS_AT_MOST; step++) {
      const home = await occupiedHome();
      const before = contentsOf(home);
      killed = await runUntil(step, home, backup);
      if (!existsSync(join(home.dataPath, 'restoring.json'))) {
        if (killed) {
          came.notBegun++;
          expect({ step, ...contentsOf(home) }).toEqual({ step, ...before });
          // What it left is in nobody's way, and gone after the next.
          expect(await runUntil(0, home, backup)).toBe(false);
        }
      } else {
        came.completed++;
        expect(() => openAudit(home)).toThrow(/was cut short: run `vault-mcp restore` without a folder/);
        await completeRestore(home);
      }
      expectRestored(home);
      await home.folder.remove();
    }
    expect(step).toBeLessThan(STEPS_AT_MOST);
    expect(came.notBegun).toBeGreaterThan(8);
    expect(came.completed).toBeGreaterThan(8);
  });

  it('again and again while it is completed comes to its end', async () => {
    const home = await occupiedHome();
    // The step before which the marker has just been put into place.
    let first = 8;
    for (; first < STEPS_AT_MOST; first++) {
      const probe = await occupiedHome();
      await runUntil(first, probe, backup);
      const stands = existsSync(join(probe.dataPath, 'restoring.json'));
      await probe.folder.remove();
      if (stands) break;
    }
    expect(await runUntil(first, home, backup)).toBe(true);
    // Each completion comes two steps further than it has to begin with, at the least.
    let rounds = 0;
    for (let step = 2; await runUntil(step, home, ''); step++) rounds++;
    expect(rounds).toBeGreaterThan(2);
    expectRestored(home);
    await home.folder.remove();
  });
});
