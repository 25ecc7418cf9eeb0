/**
 * Many facts for one wiki page at once, over both surfaces of a server and from several processes that share its vault and
 * data folder: each is on the page once, in the journal once, and in a commit of that page alone.
 */
import { type ChildProcess, execFileSync, fork, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Asked, connectTo } from '../support/parity/ask.ts';
import type { RestCall, ToolCall } from '../support/parity/row.ts';
import { API_KEY, type ServedVault, serveVault } from '../support/served-vault.ts';

const hasGit = spawnSync('git', ['--version']).status === 0;
const PAGE = 'Wiki/boiler.md';
const PROGRAM = join(import.meta.dirname, '../support/wiki-process.mjs');

/** Facts of words that none of them share. */
const facts = (count: number, of: string) =>
  Array.from({ length: count }, (_, n) => `${of}${n}a saw ${of}${n}b near ${of}${n}c`);

const asCall = (content: string): RestCall => ({
  method: 'POST',
  url: '/wiki/append',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ slug: 'boiler', content }),
});
const asTool = (content: string): ToolCall => ({ tool: 'wiki_append', args: { slug: 'boiler', content } });

let served: ServedVault;
let server: Asked;
let children: ChildProcess[];

beforeEach(async () => {
  children = [];
  served = await serveVault({ 'Notes/mine.md': '# Mine\n' }, {}, { indexed: false });
  server = await connectTo({ url: served.url, headers: { authorization: `Bearer ${API_KEY}` } });
});

afterEach(async () => {
  for (const child of children) child.kill('SIGKILL');
  await server.close();
  await served.close();
});

const git = (...args: string[]) => execFileSync('git', args, { cwd: served.vaultPath, encoding: 'utf8' }).trim();
const read = (path: string) => readFile(path, 'utf8');
const journal = async () =>
  (await read(join(served.context.config.data.path, 'journal.jsonl')))
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));

function startProcess(...args: string[]): ChildProcess {
  const places = [served.vaultPath, served.context.config.data.path, PAGE];
  const child = fork(PROGRAM, [...places, ...args], { execArgv: [], stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  children.push(child);
  return child;
}

/** What a process says; one that ends before it has said anything fails. */
async function said(child: ChildProcess): Promise<unknown> {
  const [message] = await Promise.race([
    once(child, 'message'),
    once(child, 'exit').then(([code]) => Promise.reject(new Error(`the process ended with ${code}`))),
  ]);
  return message;
}

async function expectEachOnce(all: readonly string[]): Promise<void> {
  const lines = (await read(join(served.vaultPath, PAGE))).split('\n').filter((line) => line.startsWith('- '));
  const told = lines.map((line) => line.replace(/^- (.*) \(added \d{4}-\d{2}-\d{2}\)$/, '$1'));
  expect(told.toSorted()).toEqual(all.toSorted());
  const entries = await journal();
  expect(entries.map(({ content }) => content).toSorted()).toEqual(all.toSorted());
  expect(entries.filter(({ created }) => created)).toHaveLength(1);
}

describe('twenty facts at once', () => {
  it('over REST and MCP are all on the page and in the journal, once', async () => {
    const all = facts(20, 'x');
    const answers = await Promise.all(all.map((fact, n) => server.ask(n % 2 === 0 ? asCall(fact) : asTool(fact))));
    expect(new Set(answers.map(({ code }) => code))).toEqual(new Set(['ok']));
    await expectEachOnce(all);
  });

  it.skipIf(!hasGit)('are commits of that page alone, and what a person staged elsewhere stays staged', async () => {
    git('init', '--quiet');
    git('add', '.');
    git('-c', 'user.name=p', '-c', 'user.email=p@x', 'commit', '-qm', 'first');
    const first = git('rev-parse', 'HEAD');
    await writeFile(join(served.vaultPath, 'Notes/mine.md'), '# Mine, changed\n');
    git('add', 'Notes/mine.md');
    const all = facts(20, 'y');
    const answers = await Promise.all(all.map((fact, n) => server.ask(n % 2 === 0 ? asCall(fact) : asTool(fact))));
    const committed = expect.objectContaining({ state: 'committed' });
    expect(answers.map(({ answer }) => answer?.committed)).toEqual(Array(20).fill(committed));
    await expectEachOnce(all);
    expect(git('log', '--format=%s', `${first}..`).split('\n')).toEqual(Array(20).fill(`wiki-append ${PAGE}`));
    expect(new Set(git('log', '--name-only', '--format=', `${first}..`).split('\n'))).toEqual(new Set([PAGE]));
    expect(git('diff', '--cached', '--name-only')).toBe('Notes/mine.md');
    expect(git('status', '--porcelain')).toBe('M  Notes/mine.md');
    expect((await journal()).every(({ committed }) => committed)).toBe(true);
  });

  it.skipIf(!hasGit)(
    'from four processes and a server are all there, and each is committed',
    async () => {
      git('init', '--quiet');
      const sets = ['p', 'q', 'r', 's'].map((of) => facts(5, of));
      const own = facts(5, 't');
      const theirs = sets.map((set) => said(startProcess(...set)));
      const ours = Promise.all(own.map((fact) => server.ask(asCall(fact))));
      const answers = (await Promise.all(theirs)).flatMap((sent) => sent as { status: string }[]);
      expect((await ours).map(({ code }) => code)).toEqual(Array(5).fill('ok'));
      expect(answers.filter(({ status }) => !['added', 'created'].includes(status))).toEqual([]);
      await expectEachOnce([...sets.flat(), ...own]);
      expect(git('status', '--porcelain', '--', PAGE)).toBe('');
      expect(new Set(git('log', '--name-only', '--format=').split('\n'))).toEqual(new Set([PAGE]));
    },
    60_000,
  );
});

describe('a process that was killed with the page in its hands', () => {
  it('keeps nobody waiting: its lock is taken over', async () => {
    const holder = startProcess();
    expect(await said(holder)).toBe('held');
    const waiting = server.ask(asCall('The boiler is warm'));
    holder.kill('SIGKILL');
    expect(await waiting).toMatchObject({ code: 'ok', answer: { status: 'created', path: PAGE } });
  });
});
