import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { LinkRow, NoteVersion } from '@vault-mcp/shared/index-db/rows';
import { silentLogger } from '@vault-mcp/shared/log';
import type { VaultPath } from '@vault-mcp/shared/vault/path';
import { openVault, type Vault } from '@vault-mcp/shared/vault/vault';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createTempFolder, type TempFolder } from '../../../../test/support/temp-folder.ts';
import { fillVault, type PutFile } from '../../../../test/support/vault-files.ts';
import { currentGraph, type GraphSources } from './current-graph.ts';

/** An index of notes and what they link to, that can change while it is read. */
class FakeIndex {
  #generation = 1;
  #rows = new Map<string, { readonly version: NoteVersion; readonly targets: readonly string[] }>();
  /** Runs before the links of a row are read. */
  beforeLinks: () => void = () => {};

  put(path: string, targets: readonly string[], version: Partial<NoteVersion> = {}): void {
    this.#generation++;
    this.#rows.set(path, { version: { id: this.#generation, path, sha256: 's', digest: 'd', ...version }, targets });
  }

  remove(path: string): void {
    this.#generation++;
    this.#rows.delete(path);
  }

  generation(): number {
    return this.#generation;
  }

  noteVersions(): NoteVersion[] {
    return [...this.#rows.values()].map(({ version }) => version);
  }

  linksOf({ id, path }: NoteVersion): LinkRow[] | undefined {
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
let sources: GraphSources;

beforeEach(async () => {
  folder = await createTempFolder('current-graph');
  put = fillVault(folder.path, { 'a.md': '', 'b.md': '', 'c.md': '' });
  index = new FakeIndex();
  const vault = await openVault(folder.path, { docSuffixes: [] });
  sources = { vault, reader: index, ignore: [], maxBytes: 1_000, log: silentLogger() };
});
afterEach(() => folder.remove());

async function linked(path: string): Promise<string[]> {
  const { graph } = await currentGraph(sources);
  return [...graph.outOf(path as VaultPath)];
}

describe('the links of a note whose row changes', () => {
  it('in a rebuild while the graph is made, are found when the row is back as it was', async () => {
    index.put('a.md', ['b'], { id: 7 });
    index.beforeLinks = () => index.remove('a.md');
    expect(await linked('a.md')).toEqual([]);
    index.beforeLinks = () => {};
    index.put('a.md', ['b'], { id: 7 });
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

  it('are read anew when another behaviour read the same bytes under the same id', async () => {
    index.put('a.md', ['b'], { id: 7 });
    expect(await linked('a.md')).toEqual(['b.md']);
    index.put('a.md', ['c'], { id: 7, digest: 'a later parser' });
    expect(await linked('a.md')).toEqual(['c.md']);
  });
});

describe('the rows of an earlier generation', () => {
  it('are let go, also those that are still the same', async () => {
    setFlagsFromString('--expose-gc');
    const collectGarbage = runInNewContext('gc') as () => void;
    let first: WeakRef<NoteVersion> | undefined;
    const noteVersions = () => {
      const fresh = index.noteVersions().map((version) => ({ ...version }));
      if (fresh[0] !== undefined) first ??= new WeakRef(fresh[0]);
      return fresh;
    };
    const reader = { generation: () => index.generation(), noteVersions, linksOf: () => [] };
    sources = { ...sources, reader };
    index.put('a.md', []);
    await currentGraph(sources);
    index.put('b.md', []);
    await currentGraph(sources);
    // A weak reference holds what it gave until the turn ends.
    await nextTurn();
    collectGarbage();
    expect(first?.deref()).toBeUndefined();
  });
});

describe('callers', () => {
  it('share the update that waits, also when they come just as the one before it ends', async () => {
    let updates = 0;
    const generation = () => {
      updates++;
      return index.generation();
    };
    const reader = { generation, noteVersions: () => index.noteVersions(), linksOf: () => [] };
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

describe('canvases', () => {
  const canvas = (file: string) => JSON.stringify({ nodes: [{ type: 'file', file }], edges: [] });
  /** The vault as a disk shows it that fails on one path. */
  const failingOn = (vault: Vault, isBad: (path: string) => boolean): Vault => ({
    ...{ root: vault.root, docSuffixes: vault.docSuffixes, caseSensitive: vault.caseSensitive },
    async locate(path, options) {
      if (isBad(path)) throw Object.assign(new Error('i/o error'), { code: 'EIO' });
      return vault.locate(path, options);
    },
  });

  it('that a disk fails on are left out, warned of once, and found again when it does not', async () => {
    put('Bad.canvas', canvas('b.md'));
    put('Good.canvas', canvas('c.md'));
    let isBroken = true;
    const warned: unknown[] = [];
    const log = { debug: () => {}, warn: (about: { path: string }) => warned.push(about.path) };
    const vault = failingOn(sources.vault, (path) => isBroken && path === 'Bad.canvas');
    sources = { ...sources, vault, log: log as unknown as GraphSources['log'] };
    expect(await linked('Bad.canvas')).toEqual([]);
    expect(await linked('Good.canvas')).toEqual(['c.md']);
    expect(warned).toEqual(['Bad.canvas']);
    isBroken = false;
    expect(await linked('Bad.canvas')).toEqual(['b.md']);
  });

  it('are warned of in the log of whoever asked, not of whoever asked first', async () => {
    const warned: string[] = [];
    const logOf = (name: string) =>
      ({ debug: () => {}, warn: () => warned.push(name) }) as unknown as GraphSources['log'];
    const vault = failingOn(sources.vault, (path) => path === 'Bad.canvas');
    await currentGraph({ ...sources, vault, log: logOf('first') });
    put('Bad.canvas', canvas('b.md'));
    await currentGraph({ ...sources, vault, log: logOf('second') });
    expect(warned).toEqual(['second']);
  });

  it('are read few at a time, since each may be long', async () => {
    for (let n = 0; n < 20; n++) put(`${n}.canvas`, canvas('b.md'));
    const { vault } = sources;
    let now = 0;
    let most = 0;
    const counting: Vault = {
      ...failingOn(vault, () => false),
      async locate(path, options) {
        most = Math.max(most, ++now);
        try {
          return await vault.locate(path, options);
        } finally {
          now--;
        }
      },
    };
    sources = { ...sources, vault: counting };
    expect(await linked('19.canvas')).toEqual(['b.md']);
    expect(most).toBe(4);
  });
});
