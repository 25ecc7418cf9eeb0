// `vault-mcp backup` and `vault-mcp restore` on the compiled program: beside a running server, into an empty data folder,
// over what is there, and what each refuses.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { CliHome } from '../support/cli.ts';
import { contentsOf, discard, put, SCRIBE_KEY } from '../support/kept-records.ts';

let home: CliHome;
let to: string;

beforeEach(() => {
  home = new CliHome();
  home.write('Heating.md', '# Heating\n\nThe boiler was serviced in March.\n');
  to = join(home.root, 'backups');
  mkdirSync(to);
});
afterEach(() => home.close());

const places = () => ({ dataPath: home.data, vaultPath: home.vault, keysFile: join(home.data, 'agent-keys.json') });

/** Some calls, a discarded text and an agent's key. */
async function use(): Promise<void> {
  await home.run(['search', 'boiler', '--lexical', ...home.here]);
  put(home.vault, '.discarded.log', `${discard(1)}\n`);
  writeFileSync(join(home.data, 'agent-keys.json'), JSON.stringify({ scribe: SCRIBE_KEY }));
}

async function backUp(): Promise<string> {
  const { code, stdout } = await home.run(['backup', to, '--json', ...home.here]);
  expect(code).toBe(0);
  return (JSON.parse(stdout) as { folder: string }).folder;
}

const restore = (...args: string[]) => home.run(['restore', ...args, ...home.here]);

const operations = async () => {
  const { stdout } = await home.run(['audit', '--json', ...home.here]);
  return (JSON.parse(stdout) as { calls: { operation: string }[] }).calls.map(({ operation }) => operation);
};

describe('backup', () => {
  it('says what it took and what it did not, and leaves a row', async () => {
    await use();
    const { code, stdout, stderr } = await home.run(['backup', to, ...home.here]);
    const [folder = ''] = readdirSync(to);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout.split('\n')).toEqual([
      `Backed up into ${join(to, folder)}`,
      '  audit         1 call: who called what',
      '  discards      1 text: what was not taken into a note',
      '  agent-keys    1 agent: digests of their keys',
      `Not in it: the notes, which are files in ${home.vault}; the operator's key; the index, which is made again.`,
      '',
    ]);
    expect(await operations()).toEqual(['backup', 'search']);
  });

  it('knows of every file that a server which is used makes, whether it is a record', async () => {
    const server = home.start(['serve', '--port', '0', '--lexical', '--json', ...home.here]);
    const { url, key } = JSON.parse((await server.until(/\n/)).split('\n')[0] ?? '') as { url: string; key: string };
    const ask = (method: string, path: string, body: string, type: string) =>
      fetch(url + path, { method, body, headers: { authorization: `Bearer ${key}`, 'content-type': type } });
    await ask('PUT', '/vault/Pipes.md', '# Pipes\n\n[[Heating]]\n', 'text/markdown');
    for (const [path, body] of [
      ['/move', { source: 'Heating.md', destination: 'House/Heating.md' }],
      ['/wiki/append', { slug: 'boiler', content: 'It was serviced in March.' }],
      ['/memory/propose', { title: 'Boiler', type: 'fact', namespace: 'Facts', body: 'It was serviced in March.' }],
    ] as const) {
      await ask('POST', path, JSON.stringify(body), 'application/json');
    }
    const backup = await backUp();
    const files = (folder: string) => readdirSync(folder).filter((name) => !/-(wal|shm)$/.test(name));
    // What is made again, is a secret, or is gone with its process. Whatever else there is belongs into RECORDS.
    const none = ['api-key', 'cache.db', 'index.db', 'locks', 'server.json'];
    const taken = readdirSync(backup).filter((name) => name !== 'manifest.json');
    // No move is unfinished, and none of the discards is in the data folder.
    const made = files(home.data).filter((name) => !none.includes(name) && name !== 'move-intents');
    expect(made.toSorted()).toEqual(taken.filter((name) => !name.startsWith('discarded')).toSorted());
    expect(made).toEqual(expect.arrayContaining(['audit.db', 'memory.db', 'journal.jsonl']));
    const hidden = files(home.vault).filter((name) => name.startsWith('.') && !['.gitignore', '.git'].includes(name));
    expect(hidden.map((name) => name.slice(1)).filter((name) => !taken.includes(name))).toEqual([]);
  });

  it('says so where there is nothing yet, and makes nothing', async () => {
    const { code, stdout, stderr } = await home.run(['backup', to, ...home.here]);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(/^There is no record in \S+ yet, so nothing was backed up\.\n$/);
    expect([readdirSync(to), existsSync(join(home.data, 'audit.db'))]).toEqual([[], false]);
  });

  it('refuses in one line, with nothing left behind', async () => {
    await use();
    for (const [target, reason] of [
      [home.vault, /is within the vault/],
      [home.data, /is within the data folder/],
      [join(to, 'nowhere'), /is not there: make the folder first/],
    ] as const) {
      const { code, stdout, stderr } = await home.run(['backup', target, ...home.here]);
      expect({ code, stdout }).toEqual({ code: 3, stdout: '' });
      expect(stderr).toMatch(reason);
      expect(stderr.split('\n')).toHaveLength(2);
    }
    expect((await home.run(['backup', ...home.here])).code).toBe(2);
    expect(readdirSync(to)).toEqual([]);
  });
});

describe('restore', () => {
  it('brings back after a loss what was backed up beside a running server, but not keys unasked', async () => {
    await use();
    const server = home.start(['serve', '--port', '0', '--lexical', ...home.here]);
    await server.until(/http:/);
    const before = contentsOf(places());
    const backup = await backUp();
    const inUse = await restore(backup, '--replace');
    expect({ code: inUse.code, stdout: inUse.stdout }).toEqual({ code: 3, stdout: '' });
    expect(inUse.stderr).toMatch(/^vault-mcp: The server at http\S+ works with these records: stop it first\.\n$/);
    server.child.kill('SIGTERM');
    await server.ended;

    rmSync(home.data, { recursive: true });
    rmSync(join(home.vault, '.discarded.log'));
    const { code, stdout, stderr } = await restore(backup);
    expect(code).toBe(0);
    expect(stdout.split('\n').slice(0, 2)).toEqual([
      `Restored from ${backup}`,
      '  audit         1 call: who called what',
    ]);
    expect(stderr).toMatch(/Keys of the backup were left out, of scribe: with --keys they would open again\./);
    const now = contentsOf(places());
    expect(now.discards).toEqual(before.discards);
    expect(now.keys).toBeNull();
    expect(await operations()).toEqual(['restore', 'search']);
    const keys = await restore(backup, '--keys', '--replace', '--json');
    expect(JSON.parse(keys.stdout)).toMatchObject({ agents_back: ['scribe'], agents_left_out: [], discards_there: 1 });
    expect(contentsOf(places()).keys).toEqual(before.keys);
  });

  it('asks before it replaces, keeps what was there, and only looks on a dry run', async () => {
    await use();
    const backup = await backUp();
    const calls = await operations();
    const refused = await restore(backup);
    expect(refused).toMatchObject({ code: 3, stdout: '' });
    expect(refused.stderr).toMatch(/already of audit in \S+: with --replace it goes aside/);
    const dry = await restore(backup, '--replace', '--dry-run');
    expect(dry).toMatchObject({ code: 0, stdout: expect.stringMatching(/^It can be done\. From /) });
    expect(await operations()).toEqual(calls);
    const { stdout } = await restore(backup, '--replace', '--json');
    const { aside } = JSON.parse(stdout) as { aside: string };
    expect(readdirSync(aside)).toContain('audit.db');
    expect(await operations()).toEqual(['restore', 'search']);
  });

  it('completes by itself what was cut short, and nothing starts before that', async () => {
    await use();
    const backup = await backUp();
    expect(await restore()).toMatchObject({ code: 2, stderr: expect.stringMatching(/No restore was cut short/) });
    const { realDisk } = await import('@vault-mcp/shared/records/restore-disk');
    const { restoreRecords } = await import('@vault-mcp/shared/records/restore');
    const { readBackup } = await import('@vault-mcp/shared/records/verify-backup');
    const cut = { ...realDisk, rename: cutAfter(2) };
    const options = { replace: true, keys: true, dryRun: false, readOnly: false, now: new Date() };
    await expect(restoreRecords(places(), await readBackup(backup), options, cut)).rejects.toThrow('cut');
    for (const command of [
      ['serve', '--port', '0', '--lexical'],
      ['search', 'boiler', '--lexical'],
      ['backup', to],
      ['audit'],
    ]) {
      const { code, stderr } = await home.run([...command, ...home.here]);
      expect([command[0], code, stderr]).toEqual([
        command[0],
        3,
        expect.stringMatching(/was cut short: run `vault-mcp restore`/),
      ]);
    }
    expect((await restore('--replace')).code).toBe(2);
    expect(await restore()).toMatchObject({ code: 0, stdout: expect.stringMatching(/is complete: audit, agent-keys/) });
    expect(await operations()).toEqual(['restore', 'search']);
    expect(readFileSync(join(home.data, 'agent-keys.json'), 'utf8')).toContain(SCRIBE_KEY);

    function cutAfter(renames: number): typeof realDisk.rename {
      return (from, place) => (renames-- > 0 ? realDisk.rename(from, place) : Promise.reject(new Error('cut')));
    }
  });

  it('refuses what is no backup, in one line', async () => {
    const { code, stdout, stderr } = await restore(to);
    expect({ code, stdout }).toEqual({ code: 3, stdout: '' });
    expect(stderr).toMatch(
      /^vault-mcp: There is no backup in \S+: no manifest\.json can be read in it \(ENOENT\).*\n$/,
    );
  });
});
