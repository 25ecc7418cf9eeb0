/**
 * What happens to notes when processes die, compete or are lied to by the file system: real processes, real kills.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError } from '@vault-mcp/shared/errors';
import { openPathLocks } from '@vault-mcp/shared/vault/lock';
import { parseVaultPath } from '@vault-mcp/shared/vault/path';
import { ownerOfTempName, sweepTempFiles } from '@vault-mcp/shared/vault/temp-files';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { contentOf, createWritableVault, type WritableVault } from '../support/writable-vault.ts';

const PROGRAM = join(import.meta.dirname, '../support/vault-process.mjs');
const p = parseVaultPath;

let on: WritableVault;
let children: ChildProcess[];
beforeEach(async () => {
  on = await createWritableVault();
  children = [];
});
afterEach(async () => {
  for (const child of children) child.kill('SIGKILL');
  await on.remove();
});

interface Task {
  readonly child: ChildProcess;
  start(): void;
  result(): Promise<unknown>;
}

/** A process that is ready to begin. */
async function prepare(task: string, argument: string): Promise<Task> {
  // Without the tests' own conditions, so that the packages are the compiled ones.
  const child = fork(PROGRAM, [on.root, on.dataPath, task, argument], { execArgv: [] });
  children.push(child);
  await once(child, 'message');
  return {
    child,
    start: () => void child.send('go'),
    async result() {
      const [message] = await once(child, 'message');
      return (message as { result: unknown }).result;
    },
  };
}

async function compete(count: number, task: string, argument: string): Promise<unknown[]> {
  const tasks = await Promise.all(Array.from({ length: count }, () => prepare(task, argument)));
  const results = tasks.map((one) => one.result());
  for (const one of tasks) one.start();
  return Promise.all(results);
}

async function strayTempFiles(folder: string): Promise<string[]> {
  return (await readdir(folder, { recursive: true })).filter((path) => ownerOfTempName(path.replace(/.*\//, '')));
}

describe('several processes on one note', () => {
  it('lose none of 200 appends', async () => {
    const lines = (await compete(4, 'append', '50')) as string[][];
    const written = (await on.read('log.md')).match(/.+\n/g) ?? [];
    expect(written.sort()).toEqual(lines.flat().sort());
    expect(written).toHaveLength(200);
  });

  it('have exactly one winner of those who saw the same version', async () => {
    const { etag } = await on.writer.edit(p('race.md'), () => 'start');
    const outcomes = await compete(6, 'race', etag);
    expect(outcomes.sort()).toEqual([...Array<string>(5).fill('precondition_failed'), 'won']);
  });

  it('have exactly one winner of those who make it', async () => {
    const outcomes = await compete(6, 'create', '');
    expect(outcomes.sort()).toEqual([...Array<string>(5).fill('already_exists'), 'won']);
  });
});

describe('a process that is killed', () => {
  const ROUNDS = 20;
  const WRITES_PER_ROUND = 15;

  it(`tears no note, loses no answered write and leaves nothing behind, in ${ROUNDS * WRITES_PER_ROUND} writes`, async () => {
    const answered = new Map<string, number>();
    let number = 0;
    for (let round = 0; round < ROUNDS; round++) {
      number = await writeUntilKilled(number, answered);
      for (const [path, last] of answered) expect(await wholeNumber(path)).toBeGreaterThanOrEqual(last);
      const restarted = await openPathLocks(on.dataPath);
      await sweepTempFiles(on.vault, restarted);
      restarted.close();
      expect(await strayTempFiles(on.root)).toEqual([]);
    }
    expect(number).toBeGreaterThanOrEqual(ROUNDS * WRITES_PER_ROUND);
  });

  /** @returns the number for the next write */
  async function writeUntilKilled(from: number, answered: Map<string, number>): Promise<number> {
    const { child, start } = await prepare('rewrite', String(from));
    let last = from;
    const enough = new Promise<void>((resolve) => {
      child.on('message', ({ path, number }: { path: string; number: number }) => {
        answered.set(path, number);
        last = number;
        if (number - from >= WRITES_PER_ROUND) resolve();
      });
    });
    start();
    await enough;
    await new Promise((resolve) => setTimeout(resolve, Math.random() * 10));
    child.kill('SIGKILL');
    await once(child, 'exit');
    return last + 1;
  }

  /** The number of a note's last write; throws when the note is torn. */
  async function wholeNumber(path: string): Promise<number> {
    const text = await readFile(join(on.root, path), 'utf8');
    const [, number, hash, body] = /^(\d+) (\w+)\n(.*)$/.exec(text) ?? [];
    expect(createHash('sha256').update(String(body)).digest('hex')).toBe(hash);
    return Number(number);
  }
});

describe('a folder that is swapped for a link while it is written to', () => {
  it('lets nothing out: what is behind the link is neither read nor changed', async () => {
    const elsewhere = join(on.outside, 'elsewhere');
    const canary = { 'note.md': 'canary', 'gone.md': 'canary', 'moved.md': 'canary', Deep: '/', 'Deep/x.md': 'canary' };
    await mkdir(join(elsewhere, 'Deep'), { recursive: true });
    for (const [path, content] of Object.entries(canary)) {
      if (content !== '/') await writeFile(join(elsewhere, path), content);
    }
    await on.put({ 'House/note.md': 'note', 'House/Deep/x.md': 'x' });
    const swap = await prepare('swap', elsewhere);
    swap.start();
    const seen = new Set<string>();
    for (let round = 0; round < 120; round++) {
      await on.put({ 'note.md': 'n', 'root.md': 'r' });
      for (const outcome of await Promise.allSettled(everyVerb(round))) {
        if (outcome.status === 'fulfilled') continue;
        expect(outcome.reason).toBeInstanceOf(AppError);
        expect(outcome.reason.message).not.toContain('canary');
        seen.add(outcome.reason.code);
      }
    }
    const stopped = swap.result();
    swap.start();
    expect(await stopped).toBe('stopped');
    expect(await contentOf(elsewhere)).toEqual(canary);
    expect(Object.values(await on.everything())).not.toContain('canary');
    expect(await strayTempFiles(on.outside)).toEqual([]);
    expect([...seen].filter((code) => code === 'internal_error')).toEqual([]);
  });

  function everyVerb(round: number): Promise<unknown>[] {
    const { writer } = on;
    const keep = { trash: round % 2 === 0 };
    return [
      writer.edit(p('House/note.md'), (current) => `${current?.text ?? 'anew'} more`.slice(-500)),
      writer.edit(p(`House/new-${round}.md`), () => 'new', { mustNotExist: true }),
      writer.edit(p(`House/Deep/new-${round}/x.md`), () => 'new'),
      writer.createFolder(p(`House/Made-${round}/Inner`)),
      writer.rename(p('root.md'), p('House/moved.md')),
      writer.rename(p('House/moved.md'), p(`moved-${round}.md`)),
      writer.removeFile(p('House/gone.md'), keep),
      writer.removeFile(p(`House/new-${round - 2}.md`), keep),
      writer.removeFolder(p(`House/Made-${round - 2}`), { ...keep, recursive: true }),
      writer.removeFolder(p('House/Deep'), { ...keep, recursive: true }),
    ];
  }
});
