/**
 * The graphs of those who may read a part of the vault, kept as long as there are few: one for each set of rules. Danger:
 * what could not be read is named in answers, so of that, too, nobody is told what he may not see.
 */
import type { Access } from '@vault-mcp/shared/vault/access';
import type { VaultPath } from '@vault-mcp/shared/vault/path';
import type { LeftOut } from '@vault-mcp/shared/vault/walk-notes';
import type { LinkGraph } from './link-graph.ts';
import { ScopedGraph } from './scoped-graph.ts';

/** Each takes the memory of its share of the whole; the one that was asked for longest ago is made anew. */
const MAX_KEPT = 8;

export interface CurrentGraph {
  readonly graph: LinkGraph;
  /** Of the index rows that it was made from. */
  readonly generation: number;
  /** The folders that could not be read; the same list as long as they are the same. */
  readonly unread: readonly VaultPath[];
  /** These folders, the files whose links could not be read, and notes in quarantine, whose links nobody knows. */
  readonly leftOut: readonly LeftOut[];
  /** Whether a file lies in a folder that is kept out of the index. */
  isExcluded(path: VaultPath): boolean;
}

interface Kept {
  readonly scoped: ScopedGraph;
  /** The last list of folders that could not be read, and what of it is told: the same as long as that is. */
  unread: { readonly all: CurrentGraph['unread']; readonly told: CurrentGraph['unread'] } | null;
}

export class KeptScopes {
  /** By what may be read, the one asked for last at the end. */
  readonly #kept = new Map<string, Kept>();

  /** @param files that the whole graph has the names of */
  async follow(
    whole: CurrentGraph,
    files: ReadonlySet<VaultPath>,
    accesses: readonly Access[],
  ): Promise<{ of(access: Access): CurrentGraph }> {
    const graphs = new Map<string, CurrentGraph>();
    for (const access of accesses) {
      if (access.readRules === null || graphs.has(access.readKey)) continue;
      const kept = this.#of(access);
      await kept.scoped.follow(whole.graph, files);
      graphs.set(access.readKey, asSeen(whole, kept, access));
    }
    return {
      of(access) {
        const graph = access.readRules === null ? whole : graphs.get(access.readKey);
        if (graph === undefined) throw new Error('a link graph was asked for that was not brought up to date');
        return graph;
      },
    };
  }

  #of(access: Access): Kept {
    const kept = this.#kept.get(access.readKey) ?? { scoped: new ScopedGraph(access), unread: null };
    this.#kept.delete(access.readKey);
    this.#kept.set(access.readKey, kept);
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > MAX_KEPT && oldest !== undefined) this.#kept.delete(oldest);
    return kept;
  }
}

function asSeen(whole: CurrentGraph, kept: Kept, access: Access): CurrentGraph {
  if (kept.unread?.all !== whole.unread) {
    kept.unread = { all: whole.unread, told: whole.unread.filter((folder) => access.mayEnter(folder)) };
  }
  const folders = new Set<string>(whole.unread);
  const isTold = ({ path }: { readonly path: string }) =>
    // Of the root it is said that files were not asked in time, and none of them is named.
    path === '' || (folders.has(path) ? access.mayEnter(path) : access.mayRead(path));
  return {
    ...whole,
    graph: kept.scoped.graph,
    unread: kept.unread.told,
    leftOut: whole.leftOut.filter(isTold),
  };
}
