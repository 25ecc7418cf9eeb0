/**
 * The link graph as the index and the vault are now, one for each index, brought up to date by whoever asks: by the rows of
 * notes that changed and the names that came or went, not by reading everything again. Danger: the graph changes while it
 * is brought up to date, so callers take turns, and whoever has been given it reads from it without waiting in between.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Logger } from '@vault-mcp/shared/log';
import type { Access } from '@vault-mcp/shared/vault/access';
import type { ListedFiles } from '@vault-mcp/shared/vault/file-list';
import { excludedBy, ignoredBy } from '@vault-mcp/shared/vault/indexed-paths';
import type { LinkTarget } from '@vault-mcp/shared/vault/note/resolve-link';
import { gatherVaultNames } from '@vault-mcp/shared/vault/note/vault-names';
import { nameOf, type VaultPath } from '@vault-mcp/shared/vault/path';
import type { Vault } from '@vault-mcp/shared/vault/vault';
import type { LeftOut } from '@vault-mcp/shared/vault/walk-notes';
import { type CurrentGraph, KeptScopes } from './kept-scopes.ts';
import { LinkGraph } from './link-graph.ts';
import { listedFiles } from './listed-files.ts';
import { type NoteReader, NoteRows } from './note-rows.ts';
import { OutsideLinks, type ReadOutside } from './outside-links.ts';

export type { CurrentGraph } from './kept-scopes.ts';

export interface GraphSources {
  /** The whole one, whoever asks. */
  readonly vault: Vault;
  /** Of who asks: what may not be read is not there. */
  readonly access: Access;
  readonly reader: NoteReader;
  /** `index.ignore`: files that no link means. */
  readonly ignore: readonly string[];
  /** `index.exclude_dirs`: what is in them is in no index, and can be linked with all the same. */
  readonly excludeDirs: readonly string[];
  /** Reads the links of canvases, and of notes in those folders. */
  readonly readOutside: ReadOutside;
  readonly log: Pick<Logger, 'debug' | 'warn'>;
}

/** Notes in quarantine that are looked at. */
const MAX_QUARANTINED = 1_000;
/** Notes taken in before others have a turn. */
const PER_TURN = 100;

const graphs = new WeakMap<GraphSources['reader'], GraphKeeper>();

/**
 * As things stood at some moment after the call. Read from it before waiting for anything else.
 *
 * @throws AppError `not_ready` without an index; `not_found`, `unreadable` when the vault itself is not there or may not be
 * read
 */
export async function currentGraph(sources: GraphSources): Promise<CurrentGraph> {
  let keeper = graphs.get(sources.reader);
  if (keeper?.vault !== sources.vault) {
    keeper = new GraphKeeper(sources);
    graphs.set(sources.reader, keeper);
  }
  return (await keeper.current(sources.log, sources.access)).of(sources.access);
}

/** What is there for each of those who waited. */
interface Updated {
  of(access: Access): CurrentGraph;
}

class GraphKeeper {
  readonly vault: Vault;
  readonly #reader: NoteReader;
  readonly #isExcluded: (path: string) => boolean;
  /** Of whoever asked for the update that runs. */
  #log: GraphSources['log'];
  readonly #isIgnored: (path: string) => boolean;
  readonly #rows: NoteRows;
  readonly #outside: OutsideLinks;
  readonly #graph = new LinkGraph();
  /** All files, of which the graph has the names of those that are not ignored. */
  #all: ListedFiles | null = null;
  #listed: ListedFiles = { files: new Set(), unread: [] };
  #unread: readonly VaultPath[] = [];
  /** The files among them that the index has no rows of. */
  #outsiders: readonly VaultPath[] = [];
  readonly #scopes = new KeptScopes();
  #running: Promise<Updated> | null = null;
  #waiting: { readonly update: Promise<Updated>; readonly accesses: Access[] } | null = null;

  constructor(sources: GraphSources) {
    this.vault = sources.vault;
    this.#reader = sources.reader;
    this.#log = sources.log;
    this.#rows = new NoteRows(sources.reader);
    this.#outside = new OutsideLinks(sources.readOutside);
    this.#isExcluded = excludedBy(sources.excludeDirs);
    this.#isIgnored = ignoredBy(sources.ignore);
  }

  /** One at a time; whoever comes meanwhile shares the next one, since this one may have looked already. */
  current(log: GraphSources['log'], access: Access): Promise<Updated> {
    // First: between the end of one and the start of the next, none is running and one is waiting.
    if (this.#waiting !== null) {
      this.#waiting.accesses.push(access);
      return this.#waiting.update;
    }
    const accesses = [access];
    if (this.#running === null) return this.#start(log, accesses);
    const update = this.#running.catch(() => undefined).then(() => this.#start(log, accesses));
    this.#waiting = { update, accesses };
    return update;
  }

  #start(log: GraphSources['log'], accesses: readonly Access[]): Promise<Updated> {
    this.#waiting = null;
    this.#log = log;
    const running = this.#updateFor(accesses).finally(() => {
      if (this.#running === running) this.#running = null;
    });
    this.#running = running;
    return running;
  }

  /** For all who wait for it: nobody's graph may change while it is read, so none is brought up to date by itself. */
  async #updateFor(accesses: readonly Access[]): Promise<Updated> {
    const whole = await this.#update();
    return this.#scopes.follow(whole, this.#listed.files, accesses);
  }

  async #update(): Promise<CurrentGraph> {
    const generation = this.#rows.follow();
    const all = await listedFiles(this.vault, this.#log);
    if (all !== this.#all) {
      await this.#takeNames({ ...all, files: new Set([...all.files].filter((path) => !this.#isIgnored(path))) });
      this.#all = all;
    }
    await this.#takeNotes();
    await this.#outside.follow(this.#graph, this.#outsiders, this.#log);
    const leftOut = [...this.#listed.unread, ...this.#quarantined(), ...this.#outside.leftOut];
    return { graph: this.#graph, generation, unread: this.#unread, leftOut, isExcluded: this.#isExcluded };
  }

  /** Remembered at once, and what it touches put on the list: the graph has the names already while the rest may still fail. */
  async #takeNames(listed: ListedFiles): Promise<void> {
    const [before, files] = [this.#listed.files, listed.files];
    const names = await gatherVaultNames(files);
    const touched = [...files].filter((file) => !before.has(file));
    for (const file of before) if (!files.has(file)) touched.push(file);
    this.#graph.setNames(names, new Set(touched.map(nameOf)));
    for (const path of touched) this.#rows.look(path);
    this.#listed = listed;
    this.#unread = listed.unread.map(({ path }) => path);
    this.#outsiders = [...files].filter((path) => isCanvas(path) || (isNote(path) && this.#isExcluded(path)));
  }

  /** A note that is gone from the disk links to nothing, even while the index has its row. */
  async #takeNotes(): Promise<void> {
    let taken = 0;
    for (const path of this.#rows.stale()) {
      const row = this.#rows.at(path);
      const isThere = row !== undefined && this.#listed.files.has(path);
      const links = isThere ? this.#reader.linksOf(row) : [];
      // Replaced meanwhile: the generation has grown, so the next update comes back to it, and until then it stays as it was.
      if (links !== undefined && !this.#isOutside(path)) {
        if (isThere) this.#graph.setLinks(path, links.map(asPlaced));
        else this.#graph.remove(path);
      }
      this.#rows.looked(path);
      if (++taken % PER_TURN === 0) await nextTurn();
    }
  }

  /** The first of them; those that are gone from the disk link to nothing. */
  #quarantined(): LeftOut[] {
    return this.#reader
      .quarantined(MAX_QUARANTINED, 'note')
      .filter(({ path }) => this.#listed.files.has(path as VaultPath) && !this.#isOutside(path as VaultPath))
      .map(({ path, reason }) => ({ path, reason: `it could not be indexed: ${reason}` }));
  }

  /** Whatever rows there may be left of it. */
  #isOutside(path: VaultPath): boolean {
    return isCanvas(path) || this.#isExcluded(path);
  }
}

function isCanvas(path: VaultPath): boolean {
  return path.toLowerCase().endsWith('.canvas');
}

function isNote(path: VaultPath): boolean {
  return path.toLowerCase().endsWith('.md');
}

function asPlaced({ form, target, line }: { form: string; target: string; line: number }) {
  return { form: form as LinkTarget['form'], target, line };
}
