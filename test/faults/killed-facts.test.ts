/**
 * A process that is killed while it puts facts on a wiki page that git keeps: each fact that was answered is on the page, in
 * the journal and in git; one that was not is there once and whole, or not at all; and the next process goes on.
 */
import { execFileSync, fork, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTempFolder, type TempFolder } from '../support/temp-folder.ts';

const PROGRAM = join(import.meta.dirname, '../support/wiki-process.mjs');
const PAGE = 'Wiki/log.md';
const ROUNDS = 8;
const BULLET = /^- [0-9a-f]{32} is one of many \(added \d{4}-\d{2}-\d{2}\)$/;

interface Said {
  readonly content: string;
  readonly answered: boolean;
}

const called = new Set<string>();
const answered = new Set<string>();
let folder: TempFolder;
let vault: string;
let data: string;

beforeAll(async () => {
  folder = await createTempFolder('killed-facts');
  [vault, data] = [join(folder.path, 'vault'), join(folder.path, 'data')];
  for (const path of [vault, data]) mkdirSync(path);
});

afterAll(() => folder.remove());

function start(...facts: string[]) {
  return fork(PROGRAM, [vault, data, PAGE, ...facts], { execArgv: [], stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
}

/** Kills it a moment after its second fact was answered: in the next one's compare, write, commit or journal. */
async function killMidway(): Promise<void> {
  const child = start('--endless');
  let answers = 0;
  child.on('message', ({ content, answered: done }: Said) => {
    (done ? answered : called).add(content);
    answers += done ? 1 : 0;
    if (done && answers === 2) setTimeout(() => child.kill('SIGKILL'), Math.random() * 80);
  });
  await once(child, 'exit');
}

const lines = async (path: string) => (await readFile(path, 'utf8')).split('\n').filter((line) => line !== '');

async function expectWhole(): Promise<void> {
  const page = await lines(join(vault, PAGE));
  const bullets = page.slice(page.indexOf('## Updates') + 1);
  expect(bullets.filter((line) => !BULLET.test(line))).toEqual([]);
  const facts = bullets.map((line) => line.slice(2, line.indexOf(' (added')));
  expect(new Set(facts).size).toBe(facts.length);
  expect(facts.filter((fact) => !called.has(fact))).toEqual([]);
  expect([...answered].filter((fact) => !facts.includes(fact))).toEqual([]);
  const journal = (await lines(join(data, 'journal.jsonl'))).map((line) => JSON.parse(line).content as string);
  expect([...answered].filter((fact) => !journal.includes(fact))).toEqual([]);
  expect(journal.filter((fact) => !facts.includes(fact))).toEqual([]);
}

describe.skipIf(spawnSync('git', ['--version']).status !== 0)('a process that is killed among its facts', () => {
  it('leaves a page, a journal and a history that the next one goes on with', async () => {
    const git = (...args: string[]) => execFileSync('git', args, { cwd: vault, encoding: 'utf8' }).trim();
    git('init', '--quiet');
    for (let round = 0; round < ROUNDS; round++) {
      await killMidway();
      await expectWhole();
    }
    expect(answered.size).toBeGreaterThanOrEqual(ROUNDS * 2);
    const last = start('The last fact was put there by nobody who was killed');
    const [[answer]] = (await once(last, 'message')) as [[{ status: string; committed: { state: string } }]];
    expect(answer).toMatchObject({ status: 'added', committed: { state: 'committed' } });
    expect(git('status', '--porcelain')).toBe('');
    expect(new Set(git('log', '--name-only', '--format=').split('\n'))).toEqual(new Set([PAGE]));
  });
});
