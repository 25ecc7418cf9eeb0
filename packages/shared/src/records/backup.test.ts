import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import {
  appendFileSync,
  chmodSync,
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
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
  put,
  type RecordHome,
  rowsIn,
} from '../../../../test/support/kept-records.ts';
import { canMount, mount, mountAgainReadOnly, unmount } from '../../../../test/support/small-disk.ts';
import { canRunUnprivileged, runUnprivileged } from '../../../../test/support/unprivileged.ts';
import { type BackupReport, backUpRecords } from './backup.ts';
import { readBackup } from './verify-backup.ts';

const ABOUT = { product: 'vault-mcp 1.2.3', now: new Date('2026-11-30T17:12:25.123Z') };
const AUDIT_PROCESS = join(import.meta.dirname, '../../../../test/support/audit-process.mjs');
const MOUNTS = await canMount();

let home: RecordHome;
let children: ChildProcess[];
beforeEach(async () => {
  home = await createRecordHome();
  children = [];
});
afterEach(async () => {
  for (const child of children) child.kill('SIGKILL');
  await home.folder.remove();
});

const backUp = (): Promise<BackupReport> => backUpRecords(home, home.to, ABOUT);
const namesIn = (folder: string) => readdirSync(folder).sort();

describe('a backup of the records', () => {
  it('is a folder of files that open by themselves, closed to others, with what they are written beside', async () => {
    fillRecords(home);
    const { folder, manifest, brokenOff } = await backUp();
    expect(folder).toBe(join(home.to, 'vault-mcp-records-20261130T171225Z'));
    expect(manifest.files.map(({ record, name, rows }) => [record, name, rows])).toEqual([
      ['audit', 'audit.db', 3],
      ['memory', 'memory.db', 1],
      ['journal', 'journal.jsonl', 2],
      ['discards', 'discarded.log.1', 1],
      ['discards', 'discarded.log', 2],
      ['agent-keys', 'agent-keys.json', 1],
      ['move-intents', 'move-intents/6f1f0f0e-0000-4000-8000-000000000001.json', 1],
    ]);
    expect(rowsIn(join(folder, 'audit.db'), 'call')).toEqual(contentsOf(home).audit);
    expect(manifest).toMatchObject({ format: 1, product: 'vault-mcp 1.2.3', made_at: '2026-11-30T17:12:25.123Z' });
    expect(JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8'))).toEqual(manifest);
    expect(brokenOff).toEqual([]);
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    for (const { name } of manifest.files) expect(statSync(join(folder, name)).mode & 0o777, name).toBe(0o600);
  });

  it('changes no record, and has a name of its own each time', async () => {
    fillRecords(home);
    const before = [bytesBelow(home.dataPath), bytesBelow(home.vaultPath)];
    await backUp();
    await backUp();
    expect([bytesBelow(home.dataPath), bytesBelow(home.vaultPath)]).toEqual(before);
    expect(namesIn(home.to)).toEqual(['vault-mcp-records-20261130T171225Z', 'vault-mcp-records-20261130T171225Z-2']);
  });

  it('holds neither the operator’s key nor what is made again', async () => {
    fillRecords(home);
    for (const name of ['api-key', 'index.db', 'cache.db', 'server.json', 'audit.db.v1', 'locks/writer.db']) {
      put(home.dataPath, name, 'none of a backup’s business');
    }
    const { folder } = await backUp();
    expect(namesIn(folder)).toEqual([
      ...['agent-keys.json', 'audit.db', 'discarded.log', 'discarded.log.1', 'journal.jsonl', 'manifest.json'],
      ...['memory.db', 'move-intents'],
    ]);
  });

  it('made while calls are written holds a prefix of them, and opens', async () => {
    const args = [join(home.dataPath, 'audit.db'), 'scribe', '1000000'];
    const writer = fork(AUDIT_PROCESS, args, { execArgv: [], stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
    children.push(writer);
    await once(writer, 'message');
    writer.send('go');
    const counts: number[] = [];
    while (new Set(counts).size < 4) {
      const { folder } = await backUp();
      await readBackup(folder);
      const rows = rowsIn(join(folder, 'audit.db'), 'call') as { id: number }[];
      expect(rows.map(({ id }) => id)).toEqual(rows.map((_, at) => at + 1));
      counts.push(rows.length);
    }
    expect(counts).toEqual(counts.toSorted((a, b) => a - b));
  });

  it('ends a log behind its last whole line, and carries lines along that cannot be read', async () => {
    put(home.dataPath, 'journal.jsonl', '{"v":1,"slug":"a"}\ntorn by a cra\n{"v":1,"slug":"b"}\n{"v":1,"sl');
    const { folder, manifest } = await backUp();
    expect(readFileSync(join(folder, 'journal.jsonl'), 'utf8')).toBe(
      '{"v":1,"slug":"a"}\ntorn by a cra\n{"v":1,"slug":"b"}\n',
    );
    expect(manifest.files).toMatchObject([{ record: 'journal', rows: 3, damaged: 1 }]);
  });

  it('takes the set of discards anew when the log is rotated meanwhile', async () => {
    put(home.vaultPath, '.discarded.log', `${discard(1)}\n`);
    let looks = 0;
    const rotating = {
      ...home,
      get vaultPath() {
        // Asked for the target, for the set, and then for the set as it is afterwards.
        if (++looks === 3) {
          renameSync(join(home.vaultPath, '.discarded.log'), join(home.vaultPath, '.discarded.log.1'));
          writeFileSync(join(home.vaultPath, '.discarded.log'), `${discard(2)}\n`);
        }
        return home.vaultPath;
      },
    };
    const { manifest } = await backUpRecords(rotating, home.to, ABOUT);
    expect(manifest.files.map(({ name }) => name)).toEqual(['discarded.log.1', 'discarded.log']);
  });

  it('that broke off is none, and the next one names it', async () => {
    fillRecords(home);
    const { folder } = await backUp();
    const partial = join(home.to, '.vault-mcp-records-00000000-0000-4000-8000-000000000000.partial');
    cpSync(folder, partial, { recursive: true });
    rmSync(join(partial, 'manifest.json'));
    await expect(readBackup(partial)).rejects.toThrow(/no manifest\.json can be read in it \(ENOENT\)/);
    expect((await backUp()).brokenOff).toEqual([partial]);
  });
});

describe('a backup is refused, and leaves nothing behind,', () => {
  afterEach(() => expect(namesIn(home.to)).toEqual([]));
  const refused = (reason: RegExp, to = home.to) => expect(backUpRecords(home, to, ABOUT)).rejects.toThrow(reason);

  it('where there is no record yet', () => refused(/no record/));

  it('into a folder that is not there, or is a file', async () => {
    addCalls(home, 1);
    await refused(/is not there: make the folder first/, join(home.to, 'nowhere'));
    await refused(/is a file/, join(home.dataPath, 'audit.db'));
  });

  it('within the data folder or the vault, but not in a hidden folder of the vault', async () => {
    addCalls(home, 1);
    mkdirSync(join(home.dataPath, 'backups'));
    mkdirSync(join(home.vaultPath, '.backups'));
    mkdirSync(join(home.vaultPath, 'Backups'));
    symlinkSync(join(home.vaultPath, 'Backups'), join(home.folder.path, 'elsewhere'));
    await refused(/within the data folder/, join(home.dataPath, 'backups'));
    await refused(/within the vault/, join(home.vaultPath, 'Backups'));
    await refused(/within the vault/, join(home.folder.path, 'elsewhere'));
    await refused(/within the vault/, home.vaultPath);
    const { folder } = await backUpRecords(home, join(home.vaultPath, '.backups'), ABOUT);
    await readBackup(folder);
  });

  it('of a damaged database, of a newer version’s and of another program’s', async () => {
    addCalls(home, 1);
    const path = join(home.dataPath, 'audit.db');
    const db = new Database(path);
    db.pragma('user_version = 9');
    await refused(/audit\.db is of a newer version \(9; this one knows 1\)/);
    db.pragma('user_version = 1');
    db.pragma('application_id = 5');
    await refused(/another program/);
    db.close();
    writeFileSync(path, 'no database '.repeat(100));
    await refused(/audit\.db is damaged/);
  });

  it('of damaged keys, and of a newer journal', async () => {
    writeFileSync(home.keysFile, '{"scribe": "not a digest"}');
    await refused(/agent-keys\.json is damaged/);
    writeFileSync(home.keysFile, '{}');
    appendFileSync(join(home.dataPath, 'journal.jsonl'), '{"v":2}\n');
    await refused(/journal\.jsonl is of a newer version \(2/);
  });

  it('of a log of discards that is a link', async () => {
    put(home.dataPath, 'secret', 'of the house\n');
    symlinkSync(join(home.dataPath, 'secret'), join(home.vaultPath, '.discarded.log'));
    await refused(/\.discarded\.log is no plain file/);
  });

  it('while a restore is half done', async () => {
    addCalls(home, 1);
    put(home.dataPath, 'restoring.json', '{}');
    await refused(/was cut short/);
  });

  it.skipIf(!MOUNTS)('when the disk is full', async () => {
    addCalls(home, 5_000);
    mount(home.to, '64k');
    try {
      await refused(/The disk that holds \S+ is full\. Nothing of the backup was kept/);
      expect(namesIn(home.to)).toEqual([]);
    } finally {
      unmount(home.to);
    }
  });

  it.skipIf(!MOUNTS)('from a data folder that is mounted read-only, saying what to do', async () => {
    const mounted = join(home.folder.path, 'mounted');
    mkdirSync(mounted);
    mount(mounted, '2m');
    try {
      const places = { ...home, dataPath: mounted, keysFile: join(mounted, 'agent-keys.json') };
      addCalls(places, 1);
      mountAgainReadOnly(mounted);
      await expect(backUpRecords(places, home.to, ABOUT)).rejects.toThrow(
        /audit\.db cannot be opened \(SQLITE_\w+\).*Back up from a copy of the data folder/,
      );
    } finally {
      unmount(mounted);
    }
  });

  it.skipIf(!canRunUnprivileged)('when this user may not write there, or not read a record', () => {
    addCalls(home, 1);
    const script = `
      import { backUpRecords } from '@vault-mcp/shared/records/backup';
      const [, places, to] = process.argv;
      const about = { product: 'vault-mcp 1.2.3', now: new Date() };
      const problem = await backUpRecords(JSON.parse(places), to, about).then(String, ({ name, message }) => [name, message]);
      console.log(JSON.stringify(problem));`;
    const problem = () => runUnprivileged(script, [JSON.stringify(home), home.to]);
    chmodSync(home.to, 0o500);
    expect(problem()).toEqual([
      'BackupError',
      expect.stringMatching(/backups cannot be written by this user \(EACCES\)/),
    ]);
    chmodSync(home.to, 0o700);
    chmodSync(join(home.dataPath, 'audit.db'), 0o000);
    expect(problem()).toEqual([
      'BackupError',
      expect.stringMatching(/audit\.db cannot be read by this user \(EACCES\)/),
    ]);
  });
});
