import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createTempFolder, type TempFolder } from '../../../../test/support/temp-folder.ts';
import { silentLogger } from '../log.ts';
import { type AuditedCall, type AuditLog, type AuditOptions, argumentsDigest, openAuditLog } from './audit.ts';

let folder: TempFolder;
let path: string;
let log: AuditLog;
beforeEach(async () => {
  folder = await createTempFolder('audit');
  path = join(folder.path, 'audit.db');
  log = open();
});
afterEach(async () => {
  log.close();
  await folder.remove();
});

function open(options: Partial<AuditOptions> = {}): AuditLog {
  return openAuditLog(path, { retentionDays: 0, logger: silentLogger(), ...options });
}

const call = (overrides: Partial<AuditedCall> = {}): AuditedCall => ({
  timeMs: 1000,
  surface: 'rest',
  operation: 'read',
  agent: 'claude',
  argsDigest: argumentsDigest({ path: 'a.md' }),
  outcome: 'ok',
  durationMs: 1.5,
  ...overrides,
});

const operations = (rows: readonly { operation: string }[]) => rows.map(({ operation }) => operation);

/** Another process that writes without end, as far as SQLite can tell. */
function holdWriteLock(): () => void {
  const other = new Database(path);
  other.exec('BEGIN IMMEDIATE');
  return () => other.close();
}

describe('the audit log', () => {
  it('holds a row per call, newest first', () => {
    log.append(call({ operation: 'read' }));
    log.append(call({ operation: 'move', outcome: 'already_exists', timeMs: 2000.7 }));
    expect(log.read({ limit: 10 })).toEqual([
      { ...call({ operation: 'move', outcome: 'already_exists', timeMs: 2001 }), id: 2 },
      { ...call(), id: 1 },
    ]);
  });

  it('outlives its process', () => {
    log.append(call());
    log.close();
    log = open();
    expect(log.read({ limit: 10 })).toHaveLength(1);
  });

  it('is narrowed by each of its columns, and read in pages', () => {
    for (let i = 0; i < 5; i++) log.append(call({ operation: `op-${i}`, timeMs: i, agent: i < 3 ? 'a' : 'b' }));
    log.append(call({ surface: 'mcp', outcome: 'locked', timeMs: 9 }));
    expect(operations(log.read({ limit: 2, agent: 'a' }))).toEqual(['op-2', 'op-1']);
    expect(operations(log.read({ limit: 9, sinceMs: 1, untilMs: 3 }))).toEqual(['op-2', 'op-1']);
    expect(log.read({ limit: 9, surface: 'mcp' })).toMatchObject([{ outcome: 'locked' }]);
    expect(log.read({ limit: 9, outcome: 'locked', operation: 'read' })).toHaveLength(1);
    const [, second] = log.read({ limit: 2 });
    expect(operations(log.read({ limit: 2, beforeId: second?.id }))).toEqual(['op-3', 'op-2']);
  });

  it('forgets what is older than it keeps, at the start and once a day', async () => {
    const DAY = 86_400_000;
    const kept = () => log.read({ limit: 9 }).map(({ timeMs }) => timeMs);
    log.append(call({ timeMs: 5 * DAY }));
    log.append(call({ timeMs: 9 * DAY }));
    log.close();
    let now = 10 * DAY;
    log = open({ retentionDays: 3, now: () => now });
    await vi.waitFor(() => expect(kept()).toEqual([9 * DAY]));
    now = 13 * DAY;
    log.append(call({ timeMs: now }));
    await vi.waitFor(() => expect(kept()).toEqual([now]));
  });

  it('forgets a few rows at a time, and none inside a call', () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      const rows = () => log.read({ limit: 2000 }).length;
      let now = 1000;
      log.close();
      log = open({ retentionDays: 1, now: () => now });
      for (let i = 0; i < 1100; i++) log.append(call({ timeMs: 1000 }));
      now += 2 * 86_400_000;
      log.append(call({ timeMs: now }));
      expect(rows()).toBe(1101);
      const left: number[] = [];
      for (let step = 0; step < 4; step++) {
        vi.advanceTimersToNextTimer();
        left.push(rows());
      }
      expect(left).toEqual([601, 101, 1, 1]);
    } finally {
      vi.useRealTimers();
    }
  });

  it('holds nothing of the arguments', () => {
    log.append(call({ argsDigest: argumentsDigest({ content: 'a secret of the house' }) }));
    log.close();
    expect(readFileSync(path, 'latin1')).not.toContain('secret');
  });
});

describe('a digest of arguments', () => {
  it('is 16 hex digits, whatever the order of names', () => {
    expect(argumentsDigest({ a: 1, b: { c: 2, d: [1, 2] } })).toMatch(/^[0-9a-f]{16}$/);
    const round: { self?: unknown } = {};
    round.self = round;
    expect(argumentsDigest(round)).toBe('');
    expect(argumentsDigest({ b: { d: [1, 2], c: 2 }, a: 1 })).toBe(argumentsDigest({ a: 1, b: { c: 2, d: [1, 2] } }));
    expect(argumentsDigest({ list: [1, 2] })).not.toBe(argumentsDigest({ list: [2, 1] }));
    expect(argumentsDigest(undefined)).not.toBe(argumentsDigest({}));
  });
});

describe('a log that cannot be written', () => {
  it('fails no call, keeps the rows and writes them later', async () => {
    const release = holdWriteLock();
    for (let i = 0; i < 3; i++) log.append(call({ operation: `op-${i}` }));
    expect(log.health()).toEqual({ ok: true, error: null, waiting: 3, lost: 0 });
    release();
    await vi.waitFor(() => expect(log.health().waiting).toBe(0), 10_000);
    expect(operations(log.read({ limit: 9 }))).toEqual(['op-2', 'op-1', 'op-0']);
  });

  it('says so once and in its health, and says when that is over', async () => {
    const said: string[] = [];
    const logger = silentLogger();
    Object.assign(logger, {
      error: (_: unknown, text: string) => said.push(text),
      info: (_: unknown, text: string) => said.push(text),
    });
    log.close();
    log = open({ logger });
    const other = new Database(path);
    other.exec('ALTER TABLE call RENAME TO gone');
    log.append(call());
    log.append(call());
    expect(log.health()).toEqual({ ok: false, error: expect.stringMatching(/SQLITE_ERROR/), waiting: 2, lost: 0 });
    other.exec('ALTER TABLE gone RENAME TO call');
    other.close();
    await vi.waitFor(() => expect(log.health()).toEqual({ ok: true, error: null, waiting: 0, lost: 0 }), 10_000);
    expect(said).toEqual([expect.stringMatching(/cannot be written/), expect.stringMatching(/written again/)]);
  });

  it('keeps only so many rows, the newest, and counts the others', async () => {
    log.close();
    log = open({ waitingAtMost: 2 });
    const release = holdWriteLock();
    for (let i = 0; i < 5; i++) log.append(call({ operation: `op-${i}` }));
    expect(log.health()).toMatchObject({ waiting: 2, lost: 3 });
    release();
    log.close();
    log = open();
    expect(operations(log.read({ limit: 9 }))).toEqual(['op-4', 'op-3']);
  });

  it('takes calls after its end as lost', () => {
    log.close();
    log.append(call());
    expect(log.health().lost).toBe(1);
  });
});
