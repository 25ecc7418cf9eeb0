/**
 * A process of its own that works on a vault, for tests that kill it or let several of them compete. Plain JavaScript on
 * the compiled packages, since a child process runs no TypeScript on Node 20.
 * Arguments: vault, data folder, task, the task's own. Says `ready`, waits for a message, then works.
 */
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, renameSync, rmSync, symlinkSync, unlinkSync } from 'node:fs';
import process from 'node:process';
import { openPathLocks } from '@vault-mcp/shared/vault/lock';
import { openVault } from '@vault-mcp/shared/vault/vault';
import { createVaultWriter } from '@vault-mcp/shared/vault/write';

const [, , root, dataPath, task, argument] = process.argv;

const TASKS = {
  /** Appends that many numbered lines to one note, all at once. */
  async append(writer) {
    const lines = Array.from({ length: Number(argument) }, (_, i) => `${process.pid} ${i}\n`);
    await Promise.all(lines.map((line) => writer.edit('log.md', (current) => (current?.text ?? '') + line)));
    return lines;
  },

  /** Changes the note if it is still the version with this etag. */
  async race(writer) {
    try {
      await writer.edit('race.md', () => `${process.pid}\n`, { expectedEtag: argument });
      return 'won';
    } catch (error) {
      return error.code;
    }
  },

  /** Makes the note if nobody has. */
  async create(writer) {
    try {
      await writer.edit('New/made.md', () => `${process.pid}\n`, { mustNotExist: true });
      return 'won';
    } catch (error) {
      return error.code;
    }
  },

  /** Rewrites three notes without end, telling of each write that was answered. */
  async rewrite(writer) {
    for (let number = Number(argument); ; number++) {
      const path = `${number % 3}.md`;
      await writer.edit(path, () => numbered(number));
      process.send({ path, number });
    }
  },

  /** Swaps a folder for a link to another one and back, as fast as it goes, until told to stop. */
  async swap() {
    let stopped = false;
    process.once('message', () => {
      stopped = true;
    });
    while (!stopped) {
      for (let i = 0; i < 50; i++) swapOnce(`${root}/House`, argument);
      await new Promise((resolve) => setImmediate(resolve));
    }
    return 'stopped';
  },
};

function swapOnce(folder, elsewhere) {
  const aside = `${root}/.aside`;
  if (existsSync(folder)) renameSync(folder, aside);
  try {
    symlinkSync(elsewhere, folder);
    unlinkSync(folder);
  } catch (error) {
    // The vault's writer has made a folder in the gap: that goes, the first one comes back.
    if (error.code !== 'EEXIST') throw error;
  }
  while (existsSync(aside)) {
    try {
      rmSync(folder, { recursive: true, force: true });
      renameSync(aside, folder);
    } catch (error) {
      if (error.code !== 'ENOTEMPTY') throw error;
    }
  }
}

/** About 300 KB that say whether they are whole. */
function numbered(number) {
  const body = `${number} `.repeat(Math.ceil(300_000 / `${number} `.length));
  return `${number} ${createHash('sha256').update(body).digest('hex')}\n${body}`;
}

const locks = await openPathLocks(dataPath);
const vault = await openVault(root, { docSuffixes: ['.pdf'] });
const writer = createVaultWriter(vault, { locks, noteMaxBytes: 0 });
process.send('ready');
await once(process, 'message');
process.send({ result: await TASKS[task](writer) });
locks.close();
process.disconnect();
