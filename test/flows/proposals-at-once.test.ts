/**
 * Many proposals at once from several processes that share a vault and a data folder: of one title each has a note of its own,
 * and of those that are to supersede one note exactly one does.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { parseFrontmatter } from '@vault-mcp/shared/vault/note/frontmatter';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ADA, type GateVault, gateVault } from '../support/gate-vault.ts';

const PROGRAM = join(import.meta.dirname, '../support/gate-process.mjs');
const ABOUT_ADA = 'Ada Lovelace wrote the first program for the analytical engine of Charles Babbage.';

let vault: GateVault;
let children: ChildProcess[];
beforeEach(async () => {
  vault = await gateVault();
  children = await Promise.all([1, 2, 3, 4].map(start));
}, 60_000);
afterEach(async () => {
  for (const child of children) child.kill('SIGKILL');
  await vault.remove();
});

async function start(): Promise<ChildProcess> {
  const child = fork(PROGRAM, [vault.context.vault.root, vault.context.config.data.path], { execArgv: [] });
  await once(child, 'message');
  return child;
}

/** Has all of them do it at the same time. */
async function allDo<T>(call: string, about: object = {}): Promise<T[]> {
  const results = await Promise.all(
    children.map(async (child) => {
      const answer = Promise.race([
        once(child, 'message'),
        once(child, 'exit').then(([code]) => Promise.reject(new Error(`a process ended with ${code}`))),
      ]);
      child.send({ call, ...about });
      const [{ result }] = (await answer) as [{ result: T[] }];
      return result;
    }),
  );
  return results.flat();
}

interface Decided {
  readonly id: string;
  readonly answer: { status: string; action?: string; path?: string; superseded?: string; fell_back?: string | null };
}

describe('four processes with five proposals each', () => {
  it('of one title make twenty notes of one name with a number, none over another', async () => {
    const filed = await allDo<{ path: string; id: string }>('sameTitle', { count: 5 });
    const notes = await vault.notes();
    const names = ['', ...[...Array(19)].map((_, i) => `-${i + 2}`)].map((n) => `Same/Folder/the-very-same${n}.md`);
    expect(filed.map(({ path }) => path).toSorted()).toEqual(names.toSorted());
    for (const { path, id } of filed) expect(notes[path]).toContain(id);
    expect(vault.context.proposals.counts()).toEqual({ open: 0, unsettled: 0, damaged: 0 });
  }, 60_000);

  it('that are all to supersede one note: one does, the others are shown what changed or stand beside it', async () => {
    expect(new Set(await allDo('offer', { count: 5, text: ABOUT_ADA }))).toEqual(new Set(['Facts/ada.md']));
    const decided = await allDo<Decided>('decide');
    expect(decided.map(({ answer }) => answer.status)).toEqual(Array(20).fill('done'));
    const [superseding, ...more] = decided.filter(({ answer }) => answer.action === 'supersede');
    expect(more).toEqual([]);
    expect(superseding?.answer.superseded).toBe('Facts/ada.md');
    const notes = await vault.notes();
    for (const { id, answer } of decided) expect(notes[answer.path ?? '']).toContain(id);
    const old = notes['Facts/ada.md'] ?? '';
    expect(parseFrontmatter(old).data.superseded_by).toBe(`[[${superseding?.answer.path?.replace(/\.md$/, '')}]]`);
    expect(old.replace(/^(?:superseded_by|timestamp):.*\n/gm, '')).toBe(ADA);
    const naming = Object.values(notes).filter((text) => parseFrontmatter(text).data.supersedes !== undefined);
    expect(naming).toHaveLength(1);
    expect(vault.context.proposals.counts()).toEqual({ open: 0, unsettled: 0, damaged: 0 });
  }, 60_000);
});
