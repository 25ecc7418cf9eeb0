import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { FileVersion, LinkRow, NoteChanges, NoteMark } from '@vault-mcp/shared/index-db/rows';
import { silentLogger } from '@vault-mcp/shared/log';
import { createAccess, EVERYTHING } from '@vault-mcp/shared/vault/access';
import type { VaultPath } from '@vault-mcp/shared/vault/path';
import { openVault } from '@vault-mcp/shared/vault/vault';
import type { LeftOut } from '@vault-mcp/shared/vault/walk-notes';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createTempFolder, type TempFolder } from '../../../../test/support/temp-folder.ts';
import { fillVault, type PutFile } from '../../../../test/support/vault-files.ts';
import { currentGraph, type GraphSources } from './current-graph.ts';
import type { PlacedLink } from './link-graph.ts';
import type { NoteReader } from './note-rows.ts';
import type { ReadOutside } from './outside-links.ts';

type Row = { readonly version: FileVersion; readonly targets: readonly string[] };

/** An index of notes and what they link to, that can change while it is read. */
class FakeIndex implements NoteReader {
  #incarnation = 1;
  #lastId = 0;
  #generation = 1;
  #rows = new Map<string, Row>();
  /** Runs before the links of a row are read. */
  beforeLinks: () => void = () => {};

  put(path: string, targets: readonly string[]): void {
    this.#generation++;
    this.#rows.set(path, { version: { id: ++this.#lastId, path, sha256: 's' }, targets });
  }

  remove(path: string): void {
    this.#generation++;
    this.#rows.delete(path);
  }

  /** Another database, which gives the same ids anew. */
  rebuild(): void {
    this.#incarnation++;
    this.#generation++;
    this.#lastId = 0;
    this.#rows.clear();
  }

  /** Something that is no note's row, such as a vector. */
  change(): void {
    this.#generation++;
  }

  generation(): number {
    return this.#generation;
  }

  /** Paths of notes that it could not take in. */
  inQuarantine: string[] = [];

  quarantined(limit: number): { path: string; reason: string }[] {
    return this.inQuarantine.slice(0, limit).map((path) => ({ path, reason: 'too large' }));
  }

  noteChanges(since: NoteMark | null): NoteChanges {
    const mark = { incarnation: `${this.#incarnation}`, lastId: this.#lastId, notes: this.#rows.size };
    const versions = [...this.#rows.values()].map(({ version }) => version);
    const whole = since?.incarnation !== mark.incarnation;
    const rows = versions.filter(({ id }) => whole || id > (since?.lastId ?? 0));
    return { mark, whole, rows, left: whole ? null : new Set(versions.map(({ id }) => id)) };
  }

  linksOf({ id, path }: FileVersion): LinkRow[] | undefined {
    this.beforeLinks();
    const row = this.#rows.get(path);
    if (row?.version.id !== id) return undefined;
    const rest = { form: 'wikilink', embed: false, heading: null, block: null, alias: null };
    return row.targets.map((target, at) => ({ ...rest, target, line: at + 1 }));
  }
}

let folder: TempFolder;
let put: PutFile;
let index: FakeIndex;
let outside: FakeOutside;
let sources: GraphSources;

/** What is outside the index, and what was asked of it. */
class FakeOutside {
  readonly asked: { readonly path: string; readonly mark?: string | undefined }[][] = [];
  readonly links = new Map<string, readonly string[]>();
  leftOut: LeftOut[] = [];
  fails = false;

  readonly read: ReadOutside = async (files) => {
    this.asked.push([...files]);
    if (this.fails) throw new Error('the thread is gone');
    const there = files.filter(({ path }) => this.links.has(path));
    const out = new Set(this.leftOut.map(({ path }) => path));
    return {
      changed: there.map(({ path }) => ({ path, mark: `mark of ${path}`, links: this.#placed(path) })),
      gone: files.map(({ path }) => path).filter((path) => !this.links.has(path) && !out.has(path)),
      leftOut: this.leftOut,
    };
  };

  #placed(path: string): PlacedLink[] {
    return (this.links.get(path) ?? []).map((target) => ({ form: 'wikilink', target, line: 1 }));
  }
}

beforeEach(async () => {
  folder = await createTempFolder('current-graph');
  put = fillVault(folder.path, { 'a.md': '', 'b.md': '', 'c.md': '' });
  index = new FakeIndex();
  outside = new FakeOutside();
  const vault = await openVault(folder.path, { docSuffixes: [] });
  sources = {
    vault,
    access: EVERYTHING,
    reader: index,
    ignore: [],
    excludeDirs: ['Old'],
    readOutside: outside.read,
    log: silentLogger(),
  };
});
afterEach(() => folder.remove());

async function linked(path: string): Promise<string[]> {
  const { graph } = await currentGraph(sources);
  return [...graph.outOf(path as VaultPath)];
}

describe('the links of a note whose row changes', () => {
  it('in a rebuild while the graph is made, are found when the row is back', async () => {
    index.put('a.md', ['b']);
    index.beforeLinks = () => index.rebuild();
    expect(await linked('a.md')).toEqual([]);
    index.beforeLinks = () => {};
    index.put('a.md', ['b']);
    expect(await linked('a.md')).toEqual(['b.md']);
  });

  it('stay as they were until the new row is read', async () => {
    index.put('a.md', ['b']);
    expect(await linked('a.md')).toEqual(['b.md']);
    index.put('a.md', ['c']);
    index.beforeLinks = () => {
      index.beforeLinks = () => {};
      index.put('a.md', ['c']);
    };
    expect(await linked('a.md')).toEqual(['b.md']);
    expect(await linked('a.md')).toEqual(['c.md']);
  });

  it('are read anew when a database made anew has another row under the same id', async () => {
    index.put('a.md', ['b']);
    expect(await linked('a.md')).toEqual(['b.md']);
    index.rebuild();
    index.put('a.md', ['c']);
    expect(await linked('a.md')).toEqual(['c.md']);
  });

  it('are read alone, and none are where something else changed', async () => {
    for (const path of ['a.md', 'b.md', 'c.md']) index.put(path, ['a']);
    await currentGraph(sources);
    let reads = 0;
    index.beforeLinks = () => void reads++;
    index.change();
    await currentGraph(sources);
    expect(reads).toBe(0);
    index.put('b.md', ['c']);
    expect(await linked('b.md')).toEqual(['c.md']);
    expect(reads).toBe(1);
  });

  it('are forgotten with the row, and with the file, and are back with either', async () => {
    index.put('a.md', ['b']);
    expect(await linked('a.md')).toEqual(['b.md']);
    await rm(join(folder.path, 'a.md'));
    expect(await linked('a.md')).toEqual([]);
    put('a.md', '');
    expect(await linked('a.md')).toEqual(['b.md']);
    index.remove('a.md');
    expect(await linked('a.md')).toEqual([]);
  });
});

describe('callers', () => {
  it('share the update that waits, also when they come just as the one before it ends', async () => {
    let updates = 0;
    const generation = () => {
      updates++;
      return index.generation();
    };
    const reader: NoteReader = {
      generation,
      noteChanges: (since) => index.noteChanges(since),
      linksOf: () => [],
      quarantined: () => [],
    };
    sources = { ...sources, reader };
    const first = currentGraph(sources);
    const second = currentGraph(sources);
    const third = first.then(() => currentGraph(sources));
    await Promise.all([first, second, third]);
    expect(updates).toBe(2);
  });
});

describe('a file that comes with an update that fails', () => {
  it('is linked to no more once it has gone again', async () => {
    index.put('a.md', ['New']);
    expect(await linked('a.md')).toEqual([]);
    put('New.md', '');
    index.put('b.md', []);
    index.beforeLinks = () => {
      throw new Error('disk I/O error');
    };
    await expect(currentGraph(sources)).rejects.toThrow('disk I/O error');
    await rm(join(folder.path, 'New.md'));
    index.beforeLinks = () => {};
    expect(await linked('a.md')).toEqual([]);
  });
});

describe('files that the index has no rows of', () => {
  it('are canvases, and notes in folders that are kept out of it, and link like all others', async () => {
    put('Board.canvas', '');
    put('Old/x.md', '');
    put('Old/x.png', '');
    outside.links.set('Board.canvas', ['b']).set('Old/x.md', ['c']);
    const { graph } = await currentGraph(sources);
    expect([...graph.into('b.md' as VaultPath)]).toEqual(['Board.canvas']);
    expect([...graph.into('c.md' as VaultPath)]).toEqual(['Old/x.md']);
    expect(outside.asked).toEqual([[{ path: 'Board.canvas' }, { path: 'Old/x.md' }]]);
  });

  it('are asked for with the mark of what is known of them, and not at all where there are none', async () => {
    await currentGraph(sources);
    expect(outside.asked).toEqual([]);
    put('Board.canvas', '');
    outside.links.set('Board.canvas', ['b']);
    await currentGraph(sources);
    await currentGraph(sources);
    expect(outside.asked).toEqual([
      [{ path: 'Board.canvas', mark: undefined }],
      [{ path: 'Board.canvas', mark: 'mark of Board.canvas' }],
    ]);
  });

  it('link to nothing once they are gone, whoever finds that out first', async () => {
    put('One.canvas', '');
    put('Two.canvas', '');
    outside.links.set('One.canvas', ['b']).set('Two.canvas', ['b']);
    expect(await linked('One.canvas')).toEqual(['b.md']);
    outside.links.delete('One.canvas');
    expect(await linked('One.canvas')).toEqual([]);
    await rm(join(folder.path, 'Two.canvas'));
    expect(await linked('Two.canvas')).toEqual([]);
  });

  it('that cannot be read are named, warned of once in the log of whoever asked, and back when they can', async () => {
    put('Bad.canvas', '');
    put('Good.canvas', '');
    outside.links.set('Good.canvas', ['c']);
    outside.leftOut = [{ path: 'Bad.canvas', reason: 'it cannot be read (EIO)' }];
    const warned: string[] = [];
    const ask = (name: string) => {
      const log = { debug: () => {}, warn: () => warned.push(name) } as unknown as GraphSources['log'];
      return currentGraph({ ...sources, log });
    };
    expect((await ask('first')).leftOut).toEqual(outside.leftOut);
    const { graph, leftOut } = await ask('second');
    expect(leftOut).toEqual(outside.leftOut);
    expect([...graph.outOf('Good.canvas' as VaultPath)]).toEqual(['c.md']);
    expect(warned).toEqual(['first']);
    outside.leftOut = [];
    outside.links.set('Bad.canvas', ['b']);
    expect(await linked('Bad.canvas')).toEqual(['b.md']);
    expect((await ask('third')).leftOut).toEqual([]);
  });

  it('keep the links they had when nobody can be asked, which is said', async () => {
    put('Board.canvas', '');
    outside.links.set('Board.canvas', ['b']);
    await currentGraph(sources);
    outside.fails = true;
    const { graph, leftOut } = await currentGraph(sources);
    expect([...graph.outOf('Board.canvas' as VaultPath)]).toEqual(['b.md']);
    expect(leftOut).toEqual([{ path: '', reason: expect.stringContaining('ask again') }]);
  });
});

it('is seen by each who asks at the same moment as far as it may be read', async () => {
  put('Open/plan.md', '');
  index.put('Open/plan.md', ['a']);
  const part = createAccess([{ prefix: 'Open', read: true }]);
  const asked = [EVERYTHING, part, createAccess([]), part].map((access) => currentGraph({ ...sources, access }));
  const outs = (await Promise.all(asked)).map(({ graph }) => [...graph.outOf('Open/plan.md' as VaultPath)]);
  expect(outs).toEqual([['a.md'], [], [], []]);
});
