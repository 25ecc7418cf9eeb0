import { appendFileSync, existsSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  addCalls,
  bytesBelow,
  contentsOf,
  createRecordHome,
  discard,
  fillRecords,
  OTHER_KEY,
  put,
  type RecordHome,
  rowsIn,
  SCRIBE_KEY,
} from '../../../../test/support/kept-records.ts';
import { everything, NOW, restoreFrom } from '../../../../test/support/restoring.ts';
import { silentLogger } from '../log.ts';
import { openPathLocks } from '../vault/lock.ts';
import { openVault } from '../vault/vault.ts';
import { backUpRecords } from './backup.ts';
import { openDiscardLog } from './discards.ts';
import { fingerprint } from './record-content.ts';
import type { RecordPlaces } from './record-set.ts';
import { completeRestore, restoreRecords } from './restore.ts';
import { realDisk } from './restore-disk.ts';
import type { RestoreOptions } from './restore-outline.ts';
import { readBackup } from './verify-backup.ts';

/** Where the backup was made, and where it is restored. */
let home: RecordHome;
let other: RecordHome;
let backup: string;
beforeEach(async () => {
  [home, other] = [await createRecordHome(), await createRecordHome()];
  fillRecords(home);
  ({ folder: backup } = await backUpRecords(home, home.to, { product: 'vault-mcp 1.2.3', now: NOW }));
});
afterEach(async () => {
  await home.folder.remove();
  await other.folder.remove();
});

const restore = (places: RecordPlaces, options: Partial<RestoreOptions> = {}) => restoreFrom(backup, places, options);

describe('a restore', () => {
  it('into an empty folder makes what was backed up, row for row', async () => {
    const report = await restore(other, { keys: true });
    expect(contentsOf(other)).toEqual(contentsOf(home));
    expect(report).toEqual({
      restored: [
        { record: 'audit', rows: 3 },
        { record: 'memory', rows: 1 },
        { record: 'journal', rows: 2 },
        { record: 'discards', rows: 3 },
        { record: 'agent-keys', rows: 1 },
        { record: 'move-intents', rows: 1 },
      ],
      aside: null,
      discardsThere: 0,
      agents: { back: ['scribe'], leftOut: [] },
      otherVault: true,
      notIgnored: null,
    });
    expect(readdirSync(other.dataPath).sort()).toEqual([
      ...['agent-keys.json', 'audit.db', 'journal.jsonl', 'locks', 'memory.db', 'move-intents'],
    ]);
    expect(readdirSync(other.vaultPath)).toEqual(['.discarded.restored-20261130T180000Z.log', '.gitignore']);
    expect(readFileSync(join(other.vaultPath, '.gitignore'), 'utf8')).toBe('/.discarded*\n');
    for (const name of ['audit.db', 'journal.jsonl', 'agent-keys.json']) {
      expect(statSync(join(other.dataPath, name)).mode & 0o777, name).toBe(0o600);
    }
  });

  it('leaves a log that is written on, and backed up again', async () => {
    await restore(other);
    addCalls(other, 2);
    expect(rowsIn(join(other.dataPath, 'audit.db'), 'call')).toHaveLength(5);
    await backUpRecords(other, other.to, { product: 'vault-mcp 1.2.3', now: NOW });
  });

  it('takes the place of records that are empty, as a first start makes them, and of nothing else unasked', async () => {
    addCalls(other, 0);
    put(other.dataPath, 'journal.jsonl', '');
    await restore(other);
    expect(contentsOf(other).audit).toEqual(contentsOf(home).audit);
  });

  it('with replace keeps what was there', async () => {
    addCalls(other, 1);
    const before = rowsIn(join(other.dataPath, 'audit.db'), 'call');
    put(other.dataPath, 'move-intents/6f1f0f0e-0000-4000-8000-00000000000f.json', '{"version":1}');
    const { aside } = await restore(other, { replace: true });
    expect(aside).toBe(join(other.dataPath, 'replaced-20261130T180000Z'));
    expect(readdirSync(aside as string).filter((name) => !name.endsWith('-shm'))).toEqual(['audit.db', 'move-intents']);
    expect(rowsIn(join(aside as string, 'audit.db'), 'call')).toEqual(before);
    expect(readdirSync(join(other.dataPath, 'move-intents'))).toEqual(['6f1f0f0e-0000-4000-8000-000000000001.json']);
    expect(contentsOf(other).audit).toEqual(contentsOf(home).audit);
    // A second one in the same second keeps that of the first.
    await restore(other, { replace: true });
    expect(existsSync(join(other.dataPath, 'replaced-20261130T180000Z-2'))).toBe(true);
  });

  it('takes the place of a damaged record, which goes aside with what SQLite had beside it', async () => {
    put(other.dataPath, 'audit.db', 'no database '.repeat(100));
    put(other.dataPath, 'audit.db-wal', 'its last rows');
    await expect(restore(other)).rejects.toThrow(/already of audit/);
    const { aside } = await restore(other, { replace: true });
    expect(readdirSync(aside as string).sort()).toEqual(['audit.db', 'audit.db-wal']);
    expect(contentsOf(other).audit).toEqual(contentsOf(home).audit);
  });

  it('brings a record of an older version back as it is', async () => {
    const { folder, manifest } = await readBackup(backup);
    const audit = new Database(join(folder, 'audit.db'));
    audit.pragma('user_version = 0');
    audit.close();
    const stamp = await fingerprint(join(folder, 'audit.db'));
    const files = manifest.files.map((file) => (file.record === 'audit' ? { ...file, ...stamp, version: 0 } : file));
    writeFileSync(join(folder, 'manifest.json'), JSON.stringify({ ...manifest, files }));
    await restore(other);
    const db = new Database(join(other.dataPath, 'audit.db'), { readonly: true });
    expect(db.pragma('user_version', { simple: true })).toBe(0);
    db.close();
  });

  it('looks, and changes nothing, when it is a dry run', async () => {
    addCalls(other, 1);
    const before = everything(other);
    const report = await restore(other, { replace: true, dryRun: true });
    expect(report).toMatchObject({ aside: null, discardsThere: 0, agents: { back: [], leftOut: ['scribe'] } });
    expect(everything(other)).toEqual(before);
    await expect(restore(other, { dryRun: true })).rejects.toThrow(/already of audit/);
  });
});

describe('keys of agents', () => {
  it('come back only when asked for, and who comes back is named', async () => {
    await restore(other);
    expect(existsSync(other.keysFile)).toBe(false);
    writeFileSync(other.keysFile, JSON.stringify({ scribe: OTHER_KEY, reader: 'c'.repeat(64) }));
    expect(await restore(other, { replace: true })).toMatchObject({ agents: { back: [], leftOut: ['scribe'] } });
    expect(readFileSync(other.keysFile, 'utf8')).toContain(OTHER_KEY);
    await expect(restore(other, { keys: true })).rejects.toThrow(/agent-keys/);
    const { aside, agents } = await restore(other, { replace: true, keys: true });
    expect(agents).toEqual({ back: ['scribe'], leftOut: [] });
    expect(JSON.parse(readFileSync(other.keysFile, 'utf8'))).toEqual({ scribe: SCRIBE_KEY });
    expect(readFileSync(join(aside as string, 'agent-keys.json'), 'utf8')).toContain(OTHER_KEY);
  });

  it('that are the same come back as nobody’s', async () => {
    writeFileSync(other.keysFile, JSON.stringify({ scribe: SCRIBE_KEY.toUpperCase() }));
    expect(await restore(other, { keys: true, replace: true })).toMatchObject({ agents: { back: [], leftOut: [] } });
  });

  it('are put where the configuration keeps them, on whatever disk', async () => {
    const elsewhere = { ...other, keysFile: join(other.to, 'keys.json') };
    writeFileSync(elsewhere.keysFile, '{}');
    const { aside } = await restore(elsewhere, { keys: true });
    expect(readdirSync(other.to)).toEqual(['keys.json']);
    expect(readFileSync(elsewhere.keysFile, 'utf8')).toContain(SCRIBE_KEY);
    expect(readFileSync(join(aside as string, 'keys.json'), 'utf8')).toBe('{}');
  });
});

describe('discards', () => {
  it('of before and after are all listed and can each be shown', async () => {
    put(other.vaultPath, '.discarded.log', `${discard(1)}\n${discard(2, 'of after')}\n`);
    const report = await restore(other);
    expect(report).toMatchObject({ discardsThere: 1 });
    expect(report.restored).toContainEqual({ record: 'discards', rows: 2 });
    const locks = await openPathLocks(other.dataPath);
    try {
      const vault = await openVault(other.vaultPath, { docSuffixes: [] });
      const log = openDiscardLog(vault, locks, { logger: silentLogger() });
      const { entries } = await log.list({ limit: 10 });
      const shown = await Promise.all(entries.map(({ n }) => log.show(n)));
      expect(shown.map((found) => found?.discard.id).toSorted()).toEqual([
        ...['id-1-text 1', 'id-2-of after', 'id-2-text 2', 'id-3-text 3'],
      ]);
      expect(new Set(entries.map(({ n }) => n)).size).toBe(4);
    } finally {
      locks.close();
    }
  });

  it('that are all there leave the vault as it is', async () => {
    const before = bytesBelow(home.vaultPath);
    const report = await restore(home, { replace: true });
    expect(report).toMatchObject({ discardsThere: 3, otherVault: false });
    expect(bytesBelow(home.vaultPath)).toEqual(before);
  });

  it('come back also where git cannot be told to ignore them, which is said', async () => {
    put(other.dataPath, 'ignored', '');
    symlinkSync(join(other.dataPath, 'ignored'), join(other.vaultPath, '.gitignore'));
    expect(await restore(other)).toMatchObject({ notIgnored: expect.stringMatching(/ELOOP/) });
    expect(contentsOf(other).discards).toHaveLength(3);
  });

  it('carry lines along that cannot be read, once', async () => {
    appendFileSync(join(home.vaultPath, '.discarded.log'), 'torn by a cra\n');
    ({ folder: backup } = await backUpRecords(home, home.to, { product: 'vault-mcp 1.2.3', now: NOW }));
    await restore(other);
    await restore(other, { replace: true });
    expect(contentsOf(other).discards).toEqual([discard(1), discard(2), discard(3), 'torn by a cra'].sort());
  });
});

describe('a restore that was cut short', () => {
  it('is completed where there is one, with the configuration that it was begun with, and by no other way', async () => {
    await expect(completeRestore(other)).rejects.toThrow(/No restore was cut short/);
    const cut = {
      ...realDisk,
      remove: (path: string) => (path.includes('restore-') ? cutShort() : realDisk.remove(path)),
    };
    const options = { replace: true, keys: true, dryRun: false, readOnly: false, now: NOW };
    await expect(restoreRecords(other, await readBackup(backup), options, cut)).rejects.toThrow('cut');
    await expect(restore(other)).rejects.toThrow(/complete it first/);
    const elsewhere = { ...other, keysFile: join(other.to, 'keys.json') };
    await expect(completeRestore(elsewhere)).rejects.toThrow(
      /was of the vault .* with agents\.keys_file .*agent-keys\.json/,
    );
    expect(existsSync(elsewhere.keysFile)).toBe(false);
    await expect(completeRestore(other)).resolves.toMatchObject({ aside: null, notIgnored: null });
    expect(contentsOf(other)).toEqual(contentsOf(home));
  });

  it('is left alone when its plan is a newer version’s', async () => {
    put(other.dataPath, 'restoring.json', '{"version":2}');
    await expect(completeRestore(other)).rejects.toThrow(/restoring\.json cannot be read, or is a newer version's/);
  });
});

function cutShort(): Promise<never> {
  return Promise.reject(new Error('cut'));
}
