/**
 * The link graph as somebody sees it who may read a part of the vault: the links of the notes that are readable, resolved
 * among the files that are. Danger: a link to what is hidden leads nowhere here, whatever it leads to in the whole graph, so
 * nothing is taken over from there but what is written.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Access } from '@vault-mcp/shared/vault/access';
import { gatherVaultNames } from '@vault-mcp/shared/vault/note/vault-names';
import { nameOf, type VaultPath } from '@vault-mcp/shared/vault/path';
import { LinkGraph } from './link-graph.ts';

/** Sources compared or taken in before others have a turn. */
const PER_TURN = 1_000;

export class ScopedGraph {
  readonly graph = new LinkGraph();
  readonly #access: Access;
  /** All files, of which the readable ones were taken. */
  #all: ReadonlySet<VaultPath> | null = null;
  #readable: ReadonlySet<VaultPath> = new Set();
  /** Of each source that is held, what it was taken from. */
  readonly #tokens = new Map<VaultPath, object>();
  #version = -1;

  constructor(access: Access) {
    this.#access = access;
  }

  /**
   * Brings it up to date with the whole graph, which must not change meanwhile.
   * @param files that the whole graph has the names of; the same set as long as they are the same
   */
  async follow(whole: LinkGraph, files: ReadonlySet<VaultPath>): Promise<void> {
    if (files !== this.#all) await this.#takeNames(files);
    if (whole.version === this.#version) return;
    let looked = 0;
    for (const path of whole.sources()) {
      if (++looked % PER_TURN === 0) await nextTurn();
      const written = this.#access.mayRead(path) ? whole.writtenIn(path) : undefined;
      if (written === undefined || this.#tokens.get(path) === written.token) continue;
      this.graph.setLinks(path, written.links());
      this.#tokens.set(path, written.token);
    }
    for (const path of this.#tokens.keys()) {
      if (whole.writtenIn(path) !== undefined) continue;
      this.graph.remove(path);
      this.#tokens.delete(path);
    }
    this.#version = whole.version;
  }

  async #takeNames(files: ReadonlySet<VaultPath>): Promise<void> {
    const before = this.#readable;
    const readable = new Set([...files].filter((path) => this.#access.mayRead(path)));
    const touched = [...readable].filter((file) => !before.has(file));
    for (const file of before) if (!readable.has(file)) touched.push(file);
    if (touched.length > 0) this.graph.setNames(await gatherVaultNames(readable), new Set(touched.map(nameOf)));
    this.#readable = readable;
    this.#all = files;
  }
}
