import { describe, expect, it } from 'vitest';
import type { FileHistoryRows } from '../index-db/rows.ts';
import { createVaultNames } from '../vault/note/vault-names.ts';
import type { VaultPath } from '../vault/path.ts';
import { FileHistory } from './file-history.ts';
import { asChange, judgeLink } from './repair-judge.ts';

const path = (text: string) => text as VaultPath;

/** Notes by path with the pass in which each came, and those that went with it and the pass in which they did. */
async function history(
  files: Readonly<Record<string, number>>,
  gone: Readonly<Record<string, readonly [number, number]>> = {},
  { since = 1, unknown = [] as string[] } = {},
): Promise<FileHistory> {
  const row = (at: string, arrived: number, sha256 = at) => ({
    ...{ path: at, arrived, changed: arrived, knownSha256: sha256, arrivedSha256: sha256 },
  });
  const rows: FileHistoryRows = {
    ...{ pass: 9, since },
    files: Object.entries(files).map(([at, arrived]) => row(at, arrived)),
    departed: Object.entries(gone).map(([at, [arrived, went]]) => ({ ...row(at, arrived), gone: went })),
  };
  return FileHistory.of(rows, createVaultNames([...Object.keys(files), ...unknown].map(path)));
}

const wikilink = (target: string) => ({ form: 'wikilink' as const, target });

describe('a link', () => {
  it('is qualified when its file is where it was, and it means others too', async () => {
    const view = (await history({ 'a/N.md': 1, 'b/N.md': 3, 'x.md': 1 })).viewOf(2);
    expect(judgeLink(wikilink('N'), path('x.md'), view)).toMatchObject({
      ...{ kind: 'qualify', change: { was: 'a/N.md', wanted: 'a/N.md' } },
    });
  });

  it('is kept by whoever wrote it after the second came, and where history begins later', async () => {
    const files = { 'a/N.md': 1, 'b/N.md': 3, 'x.md': 1 };
    expect(judgeLink(wikilink('N'), path('x.md'), (await history(files)).viewOf(3))).toEqual({ kind: 'keep' });
    const late = await history(files, {}, { since: 3 });
    expect(judgeLink(wikilink('N'), path('x.md'), late.viewOf(2))).toEqual({ kind: 'keep' });
  });

  it('is kept where only its spelling is out of date', async () => {
    const view = (await history({ 'a/n.md': 3, 'x.md': 1 }, { 'a/N.md': [1, 3] })).viewOf(2);
    expect(judgeLink(wikilink('N'), path('x.md'), view)).toEqual({ kind: 'keep' });
  });

  it('is kept where a file that the index does not know makes it no other than it was', async () => {
    const known = await history({ 'a/N.md': 1, 'x.md': 1 }, {}, { unknown: ['b/N.md'] });
    expect(judgeLink(wikilink('N'), path('x.md'), known.viewOf(2))).toEqual({ kind: 'keep' });
  });

  it('to the root is left when a namesake comes into a folder, and kept while it has none, or always had one', async () => {
    const judge = async (files: Readonly<Record<string, number>>, target = 'N') =>
      judgeLink(wikilink(target), path('x.md'), (await history({ ...files, 'x.md': 1 })).viewOf(2)).kind;
    expect(await judge({ 'N.md': 1, 'b/N.md': 3 })).toBe('left');
    expect(await judge({ 'N.md': 1, 'b/N.md': 3 }, 'N.md')).toBe('keep');
    expect(await judge({ 'N.md': 1 })).toBe('keep');
    expect(await judge({ 'N.md': 1, 'b/N.md': 2 })).toBe('keep');
    expect(await judge({ 'N.md': 1, 'a/N.md': 1, 'b/N.md': 3 })).toBe('keep');
  });

  it('becomes a change of the kinds that are wanted, and a report when it is left', async () => {
    const view = (await history({ 'a/N.md': 1, 'b/N.md': 3, 'x.md': 1 })).viewOf(2);
    const verdict = judgeLink(wikilink('N'), path('x.md'), view);
    expect(asChange(verdict, new Set(['rename']))).toEqual({ action: 'keep' });
    expect(asChange(verdict, new Set(['qualify']))).toMatchObject({ action: 'rewrite' });
    expect(asChange({ kind: 'left', reason: 'why' }, new Set())).toEqual({ action: 'report', reason: 'why' });
    expect(asChange({ kind: 'keep' }, new Set(['qualify']))).toEqual({ action: 'keep' });
  });
});
