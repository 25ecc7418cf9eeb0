import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  addCalls,
  createRecordHome,
  fillRecords,
  put,
  type RecordHome,
} from '../../../../test/support/kept-records.ts';
import { everything, NOW, restoreFrom } from '../../../../test/support/restoring.ts';
import { canMount, mount, mountAgainReadOnly, unmount } from '../../../../test/support/small-disk.ts';
import { openPathLocks } from '../vault/lock.ts';
import { backUpRecords } from './backup.ts';
import { fingerprint } from './record-content.ts';
import type { RecordPlaces } from './record-set.ts';
import { restoreRecords } from './restore.ts';
import type { RestoreOptions } from './restore-outline.ts';
import { readBackup } from './verify-backup.ts';

const MOUNTS = await canMount();

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

describe('a restore is refused, and changes nothing,', () => {
  let before: unknown;
  beforeEach(() => {
    addCalls(other, 1);
    before = everything(other);
  });
  afterEach(() => expect(everything(other)).toEqual(before));
  const refused = (reason: RegExp, options: Partial<RestoreOptions> = { replace: true }) =>
    expect(restore(other, options)).rejects.toThrow(reason);

  it('over a record that is not empty, unless it may go aside', () => refused(/already of audit in .* --replace/, {}));

  it('while a server or another program works with the folder', async () => {
    const locks = await openPathLocks(other.dataPath);
    try {
      await refused(/Another program works with/);
    } finally {
      locks.close();
    }
  });

  it('while a program has a record open', async () => {
    const reader = new Database(join(other.dataPath, 'audit.db'));
    reader.prepare('SELECT count(*) FROM call').get();
    await refused(/audit\.db is in use by another program/);
    reader.close();
  });

  it('with discards into a vault that is not to be written', () =>
    refused(/3 discarded texts .*READ_ONLY/, { replace: true, readOnly: true }));

  it('while another one is half done', async () => {
    put(other.dataPath, 'restoring.json', '{}');
    await refused(/complete it first/);
    rmSync(join(other.dataPath, 'restoring.json'));
  });

  it('from what is no folder, no backup, or one that broke off', async () => {
    const [whole] = [backup];
    backup = join(home.to, 'nowhere');
    await refused(/cannot be opened \(ENOENT\)/);
    backup = join(whole, 'manifest.json');
    await refused(/is a file/);
    backup = home.to;
    await refused(/no manifest\.json can be read in it \(ENOENT\)/);
  });

  it('when a file is missing, too many, or named twice', async () => {
    put(backup, 'extra.txt', 'x');
    await refused(/holds, besides what was backed up, extra\.txt/);
    rmSync(join(backup, 'extra.txt'));
    rmSync(join(backup, 'journal.jsonl'));
    await refused(/lacks journal\.jsonl/);
    const manifest = JSON.parse(readFileSync(join(backup, 'manifest.json'), 'utf8'));
    writeFileSync(
      join(backup, 'manifest.json'),
      JSON.stringify({ ...manifest, files: [...manifest.files, ...manifest.files] }),
    );
    await refused(/names twice audit\.db and 6 more/);
  });

  it('when one byte differs', async () => {
    const path = join(backup, 'memory.db');
    const bytes = readFileSync(path);
    bytes[bytes.length - 9] = (bytes.at(-9) ?? 0) ^ 1;
    writeFileSync(path, bytes);
    await refused(/memory\.db is not what was backed up/);
  });

  it.each(['journal.jsonl', 'manifest.json', 'move-intents'])('when a link stands for %s', async (name) => {
    const aside = join(home.to, 'aside');
    renameSync(join(backup, name), aside);
    symlinkSync(aside, join(backup, name));
    await refused(/no plain file|no manifest\.json can be read in it \(ELOOP\)|lacks/);
  });

  it('when a folder or a pipe stands among its files', async () => {
    mkdirSync(join(backup, 'more'));
    await refused(/holds a folder "more"/);
  });

  it('from a newer version, by name', async () => {
    const path = join(backup, 'manifest.json');
    const manifest = JSON.parse(readFileSync(path, 'utf8'));
    writeFileSync(path, JSON.stringify({ ...manifest, format: 2 }));
    await refused(/made by a newer version \(format 2/);
    const [audit, ...rest] = manifest.files;
    writeFileSync(path, JSON.stringify({ ...manifest, files: [{ ...audit, version: 9 }, ...rest] }));
    await refused(/audit\.db in .* is of a newer version \(9; this one knows 1\)/);
    writeFileSync(path, JSON.stringify({ ...manifest, files: [...rest, { ...audit, record: 'plans' }] }));
    await refused(/record "plans", which this version does not know/);
    writeFileSync(path, '{"format": 1}');
    await refused(/cannot be read/);
  });

  it.each([['../audit.db'], ['/etc/passwd'], ['move-intents/../../audit.db'], ['discarded/../x.log'], ['api-key']])(
    'from a manifest that names %s',
    async (name) => {
      const path = join(backup, 'manifest.json');
      const manifest = JSON.parse(readFileSync(path, 'utf8'));
      for (const record of ['audit', 'discards', 'move-intents', 'agent-keys']) {
        const [first] = manifest.files;
        writeFileSync(path, JSON.stringify({ ...manifest, files: [{ ...first, record, name }] }));
        await refused(/does not know/);
      }
    },
  );

  it('when a database in it is damaged, though its bytes are those of the manifest', async () => {
    const path = join(backup, 'audit.db');
    const bytes = readFileSync(path);
    bytes.fill(0xff, 4096, 8192);
    writeFileSync(path, bytes);
    const manifest = JSON.parse(readFileSync(join(backup, 'manifest.json'), 'utf8'));
    const stamp = await fingerprint(path);
    const files = manifest.files.map((file: { name: string }) =>
      file.name === 'audit.db' ? { ...file, ...stamp } : file,
    );
    writeFileSync(join(backup, 'manifest.json'), JSON.stringify({ ...manifest, files }));
    await refused(/audit\.db is damaged/);
  });

  it('when the backup changes after it was read', async () => {
    const read = await readBackup(backup);
    appendFileSync(join(backup, 'journal.jsonl'), '{"v":1}\n');
    const options = { replace: true, keys: false, dryRun: false, readOnly: false, now: NOW };
    await expect(restoreRecords(other, read, options)).rejects.toThrow(/has changed while it was read/);
  });

  it.skipIf(!MOUNTS)('when the keys file is mounted by itself', async () => {
    const keys = { ...other, keysFile: join(other.to, 'keys.json') };
    mkdirSync(join(other.folder.path, 'disk'));
    mount(join(other.folder.path, 'disk'));
    // Two names of one file system, the second below a mount of its own.
    writeFileSync(join(other.folder.path, 'disk', 'keys.json'), '{}');
    writeFileSync(keys.keysFile, '');
    execFileSync('mount', ['--bind', join(other.folder.path, 'disk', 'keys.json'), keys.keysFile]);
    try {
      await expect(restore(keys, { replace: true, keys: true })).rejects.toThrow(/mounted by itself/);
    } finally {
      unmount(keys.keysFile);
      unmount(join(other.folder.path, 'disk'));
    }
  });

  it.skipIf(!MOUNTS)('when the disk of the data folder is full', async () => {
    const small = join(other.folder.path, 'small');
    mkdirSync(small);
    mount(small, '96k');
    try {
      const places = { ...other, dataPath: small, keysFile: join(small, 'agent-keys.json') };
      addCalls(home, 2_000);
      ({ folder: backup } = await backUpRecords(home, home.to, { product: 'vault-mcp 1.2.3', now: NOW }));
      await expect(restore(places)).rejects.toThrow(/is full\. Nothing was restored/);
      expect(readdirSync(small)).toEqual(['locks']);
      expect(readdirSync(other.vaultPath)).toEqual([]);
    } finally {
      unmount(small);
    }
  });

  it.skipIf(!MOUNTS)('when the vault is mounted read-only', async () => {
    const mounted = join(other.folder.path, 'mounted');
    mkdirSync(mounted);
    mount(mounted);
    mountAgainReadOnly(mounted);
    try {
      const places = { ...other, vaultPath: mounted };
      await expect(restore(places, { replace: true })).rejects.toThrow(/cannot be written by this user \(EROFS\)/);
      expect(readdirSync(mounted)).toEqual([]);
    } finally {
      unmount(mounted);
    }
  });
});
