/**
 * What a fact is appended with: a vault without an index, real records beside it, and git where a test begins a repository.
 * Everything is made anew for each test.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type WikiContext, wikiAppend, wikiAppendInput } from '@vault-mcp/api/operations/wiki-append';
import { openDiscardLog } from '@vault-mcp/shared/records/discards';
import { openGitCommits } from '@vault-mcp/shared/records/git-commits';
import { openJournal } from '@vault-mcp/shared/records/journal';
import { openPathLocks, type PathLocks } from '@vault-mcp/shared/vault/lock';
import { afterEach, beforeEach } from 'vitest';
import { ANYWHERE, NOW, type WritingContext, writingContext } from './writing-context.ts';

export const hasGit = spawnSync('git', ['--version']).status === 0;

/** On which facts are added in these tests. */
export const DAY = NOW.toISOString().slice(0, 10);

export interface WikiSuite {
  readonly context: WikiContext;
  readonly locks: PathLocks;
  readonly made: WritingContext;
  append(input: Record<string, unknown>, request?: typeof ANYWHERE, on?: WikiContext): ReturnType<typeof wikiAppend>;
  /** A file's text. */
  page(path: string): Promise<string>;
  /** The journal's lines. */
  lines(): Promise<{ readonly [key: string]: unknown }[]>;
  git(...args: string[]): string;
}

export function wikiSuite(files: Readonly<Record<string, string>>): WikiSuite {
  let current: { suite: WikiSuite; close(): Promise<void> } | undefined;
  beforeEach(async () => {
    current = await begin(files);
  });
  afterEach(() => current?.close());
  return new Proxy({} as WikiSuite, {
    get: (_target, name) => current?.suite[name as keyof WikiSuite],
  });
}

async function begin(files: Readonly<Record<string, string>>) {
  const made = await writingContext(files);
  const { vault, config, log } = made.context;
  const dataPath = config.data.path;
  const journal = await openJournal(join(dataPath, 'journal.jsonl'));
  const locks = await openPathLocks(dataPath);
  const places = { PATH: process.env.PATH ?? '', HOME: dataPath };
  const commits = openGitCommits({ root: vault.root, mode: 'auto', places, logger: log });
  const context = { ...made.context, journal, commits, discards: openDiscardLog(vault, locks, { logger: log }) };
  const suite: WikiSuite = {
    ...{ made, context, locks },
    append: (input, request = ANYWHERE, on = context) => wikiAppend(on, wikiAppendInput.parse(input), request),
    page: (path) => readFile(join(vault.root, path), 'utf8'),
    async lines() {
      const text = await readFile(join(dataPath, 'journal.jsonl'), 'utf8');
      return text.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line)]));
    },
    git: (...args) => execFileSync('git', args, { cwd: vault.root, env: places, encoding: 'utf8' }).trim(),
  };
  const close = async () => {
    commits.close();
    await journal.close();
    locks.close();
    await made.remove();
  };
  return { suite, close };
}
