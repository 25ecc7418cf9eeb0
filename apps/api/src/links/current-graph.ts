/**
 * The link graph as the index and the vault are now, one for each index, brought up to date by whoever asks: by the notes
 * whose rows changed and the names that came or went, not by reading everything again. Danger: the graph changes while it
 * is brought up to date, so callers take turns, and whoever has been given it reads from it without waiting in between.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { IndexReader } from '@vault-mcp/shared/index-db/reader';
import type { NoteVersion } from '@vault-mcp/shared/index-db/rows';
import type { Logger } from '@vault-mcp/shared/log';
import { createFileList, type FileList, type ListedFiles } from '@vault-mcp/shared/vault/file-list';
import { ignoredBy } from '@vault-mcp/shared/vault/indexed-paths';
import { canvasTargets } from '@vault-mcp/shared/vault/note/canvas-targets';
import type { LinkTarget } from '@vault-mcp/shared/vault/note/resolve-link';
import { decodeNote } from '@vault-mcp/shared/vault/note/text';
import { gatherVaultNames } from '@vault-mcp/shared/vault/note/vault-names';
import { nameOf, type VaultPath } from '@vault-mcp/shared/vault/path';
import { readFileBytes } from '@vault-mcp/shared/vault/read';
import type { Vault } from '@vault-mcp/shared/vault/vault';
import { LinkGraph } from './link-graph.ts';

export interface GraphSources {
  readonly vault: Vault;
  readonly reader: Pick<IndexReader, 'generation' | 'noteVersions' | 'linksOf'>;
  /** `index.ignore`: files that no link means. */
  readonly ignore: readonly string[];
  /** Canvases beyond this are left out. */
  readonly maxBytes: number;
  readonly log: Pick<Logger, 'debug' | 'warn'>;
}

export interface CurrentGraph {
  readonly graph: LinkGraph;
  /** Of the index rows that it was made from. */
  readonly generation: number;
}

/** Notes taken in before others have a turn. */
const PER_TURN = 100;
/** Each is held whole while it is read. */
const CANVASES_AT_ONCE = 4;

const graphs = new WeakMap<GraphSources['reader'], GraphKeeper>();

/**
 * As things stood at some moment after the call. Read from it before waiting for anything else.
 *
 * @throws AppError `not_ready` without an index
 */
export function currentGraph(sources: GraphSources): Promise<CurrentGraph> {
  let keeper = graphs.get(sources.reader);
  if (keeper?.vault !== sources.vault) {
    keeper = new GraphKeeper(sources);
    graphs.set(sources.reader, keeper);
  }
  return keeper.current(sources.log);
}

class GraphKeeper {
  readonly vault: Vault;
  readonly #sources: GraphSources;
  /** Of whoever asked for the update that runs. */
  #log: GraphSources['log'];
  readonly #list: FileList;
  #graph = new LinkGraph();
  #generation: number | null = null;
  #listed: ListedFiles = { files: new Set() };
  /** Whose names the graph has: it has them already while the rest of an update may still fail. */
  #named: ListedFiles = this.#listed;
  #versions: readonly NoteVersion[] = [];
  /** Of the notes in the graph, by path. */
  #taken = new Map<VaultPath, NoteVersion>();
  /** Of the canvases in the graph: what their stat was. */
  #canvases = new Map<VaultPath, string>();
  /** Canvases that could not be read, so that this is told once and not by every question. */
  readonly #leftOut = new Set<VaultPath>();
  #running: Promise<CurrentGraph> | null = null;
  #waiting: Promise<CurrentGraph> | null = null;

  constructor(sources: GraphSources) {
    this.vault = sources.vault;
    this.#sources = sources;
    this.#log = sources.log;
    const isIgnored = ignoredBy(sources.ignore);
    this.#list = createFileList(sources.vault, {
      wants: (path) => !isIgnored(path),
      onProblem: ({ path, error }) => this.#log.debug({ err: error, path }, 'not looked at for links'),
    });
  }

  /** One at a time; whoever comes meanwhile shares the next one, since this one may have looked already. */
  current(log: GraphSources['log']): Promise<CurrentGraph> {
    // First: between the end of one and the start of the next, none is running and one is waiting.
    if (this.#waiting !== null) return this.#waiting;
    if (this.#running === null) return this.#start(log);
    this.#waiting = this.#running.catch(() => undefined).then(() => this.#start(log));
    return this.#waiting;
  }

  #start(log: GraphSources['log']): Promise<CurrentGraph> {
    this.#waiting = null;
    this.#log = log;
    const running = this.#update().finally(() => {
      if (this.#running === running) this.#running = null;
    });
    this.#running = running;
    return running;
  }

  async #update(): Promise<CurrentGraph> {
    const { reader } = this.#sources;
    // Asked first: a row that changes from here on is found by the next update.
    const generation = reader.generation();
    const listed = await this.#list.current();
    const isNew = generation !== this.#generation;
    if (isNew) this.#versions = reader.noteVersions();
    if (listed !== this.#named) await this.#takeNames(listed);
    if (isNew || listed !== this.#listed) await this.#takeNotes(listed.files);
    await this.#takeCanvases(listed.files);
    this.#listed = listed;
    this.#generation = generation;
    return { graph: this.#graph, generation };
  }

  async #takeNames(listed: ListedFiles): Promise<void> {
    const [before, files] = [this.#named.files, listed.files];
    const names = await gatherVaultNames(files);
    const touched = new Set<string>();
    for (const file of files) if (!before.has(file)) touched.add(nameOf(file));
    for (const file of before) if (!files.has(file)) touched.add(nameOf(file));
    this.#graph.setNames(names, touched);
    this.#named = listed;
  }

  /** A note that is gone from the disk links to nothing, even while the index has its row. */
  async #takeNotes(files: ReadonlySet<VaultPath>): Promise<void> {
    const present = new Map<VaultPath, NoteVersion>();
    for (const version of this.#versions) {
      const path = version.path as VaultPath;
      if (files.has(path)) present.set(path, version);
    }
    for (const path of this.#taken.keys()) {
      if (present.has(path)) continue;
      this.#graph.remove(path);
      this.#taken.delete(path);
    }
    let taken = 0;
    for (const [path, version] of present) {
      if (isSame(version, this.#taken.get(path))) {
        // The newer of two equal ones: those before it can then be let go, all of them.
        this.#taken.set(path, version);
        continue;
      }
      const links = this.#sources.reader.linksOf(version);
      // Replaced meanwhile: the generation has grown, so the next update comes back to it.
      if (links === undefined) continue;
      this.#graph.setLinks(path, links.map(asPlaced));
      this.#taken.set(path, version);
      if (++taken % PER_TURN === 0) await nextTurn();
    }
  }

  async #takeCanvases(files: ReadonlySet<VaultPath>): Promise<void> {
    const canvases = [...files].filter((path) => path.toLowerCase().endsWith('.canvas'));
    const there = new Set(canvases);
    for (const path of this.#canvases.keys()) if (!there.has(path)) this.#forgetCanvas(path);
    for (const path of this.#leftOut) if (!there.has(path)) this.#leftOut.delete(path);
    for (let at = 0; at < canvases.length; at += CANVASES_AT_ONCE) {
      await Promise.all(canvases.slice(at, at + CANVASES_AT_ONCE).map((path) => this.#takeCanvas(path)));
    }
  }

  async #takeCanvas(path: VaultPath): Promise<void> {
    const { vault, maxBytes } = this.#sources;
    try {
      const { stat } = await vault.locate(path, { hints: false });
      const version = `${stat.size}:${stat.mtimeMs}:${stat.ctimeMs}:${stat.inode}`;
      if (this.#canvases.get(path) === version) return;
      const { bytes } = await readFileBytes(vault, path, { maxBytes });
      this.#graph.setLinks(
        path,
        canvasTargets(decodeNote(bytes).text).map((link) => ({ ...link, line: 0 })),
      );
      this.#canvases.set(path, version);
      this.#leftOut.delete(path);
    } catch (error) {
      // Whatever it is, a disk's fault too: one canvas must not keep the links of all other files from everybody.
      const level = this.#leftOut.has(path) ? 'debug' : 'warn';
      this.#log[level]({ err: error, path }, 'a canvas could not be read, so its links are left out');
      this.#leftOut.add(path);
      this.#forgetCanvas(path);
    }
  }

  #forgetCanvas(path: VaultPath): void {
    this.#graph.remove(path);
    this.#canvases.delete(path);
  }
}

function isSame(one: NoteVersion, other: NoteVersion | undefined): boolean {
  return one.id === other?.id && one.sha256 === other.sha256 && one.digest === other.digest;
}

function asPlaced({ form, target, line }: { form: string; target: string; line: number }) {
  return { form: form as LinkTarget['form'], target, line };
}
