/**
 * The links of files that the index has no rows of, as they are in the graph: canvases, and notes in folders that are kept
 * out of the index, whose links a person made like any other. They are read elsewhere; here is kept what is known of them.
 * Danger: one that cannot be read must not keep the links of all others from everybody, so it is named and left out.
 */
import type { Logger } from '@vault-mcp/shared/log';
import type { VaultPath } from '@vault-mcp/shared/vault/path';
import type { LeftOut } from '@vault-mcp/shared/vault/walk-notes';
import type { LinkGraph, PlacedLink } from './link-graph.ts';

export interface OutsideAnswer {
  /** The files whose links are others than those of the mark that was asked with. */
  readonly changed: readonly {
    readonly path: VaultPath;
    readonly mark: string;
    readonly links: readonly PlacedLink[];
  }[];
  /** The files that are not there any more. */
  readonly gone: readonly VaultPath[];
  readonly leftOut: readonly LeftOut[];
}

/** Asks for the links of files, each with the mark of those that are known of it. */
export type ReadOutside = (
  files: readonly { readonly path: VaultPath; readonly mark?: string | undefined }[],
) => Promise<OutsideAnswer>;

/** What is said when nobody could be asked. */
const NOT_ASKED: LeftOut = {
  path: '',
  reason: 'canvases, and notes that are not indexed, could not be read just now: ask again in a moment',
};

export class OutsideLinks {
  readonly #read: ReadOutside;
  readonly #marks = new Map<VaultPath, string>();
  #leftOut: readonly LeftOut[] = [];

  constructor(read: ReadOutside) {
    this.#read = read;
  }

  /** What could not be read, and so is not in the graph or not as it is now. */
  get leftOut(): readonly LeftOut[] {
    return this.#leftOut;
  }

  /** Brings the graph up to date with these files; of others it forgets the links that it had from here. */
  async follow(graph: LinkGraph, paths: readonly VaultPath[], log: Pick<Logger, 'debug' | 'warn'>): Promise<void> {
    const wanted = new Set(paths);
    for (const path of this.#marks.keys()) if (!wanted.has(path)) this.#forget(graph, path);
    if (paths.length === 0) {
      this.#leftOut = [];
      return;
    }
    const before = new Set(this.#leftOut.map(({ path }) => path));
    const read = await this.#ask(paths, log);
    for (const { path, mark, links } of read.changed) {
      graph.setLinks(path, links);
      this.#marks.set(path, mark);
    }
    for (const path of read.gone) this.#forget(graph, path);
    for (const { path, reason } of read.leftOut) {
      // Told once, and not by every question.
      log[before.has(path) ? 'debug' : 'warn']({ path, reason }, 'its links are left out');
      this.#forget(graph, path as VaultPath);
    }
    this.#leftOut = read.leftOut;
  }

  async #ask(paths: readonly VaultPath[], log: Pick<Logger, 'warn'>): Promise<OutsideAnswer> {
    try {
      return await this.#read(paths.map((path) => ({ path, mark: this.#marks.get(path) })));
    } catch (error) {
      log.warn({ err: error }, 'canvases and notes outside the index could not be read for their links');
      return { changed: [], gone: [], leftOut: [NOT_ASKED] };
    }
  }

  #forget(graph: LinkGraph, path: VaultPath): void {
    if (this.#marks.delete(path)) graph.remove(path);
  }
}
