/** The files that one is linked with, as a search shows them beside a hit. Pure. */
import type { VaultPath } from '@vault-mcp/shared/vault/path';
import type { LinkGraph } from './link-graph.ts';

export interface LinkedFiles {
  /** The files it links to, in the order of its links. */
  readonly out: readonly VaultPath[];
  /** The files that link to it, by path. */
  readonly back: readonly VaultPath[];
}

/** Of each list; an index page would bury the hits. */
const MAX_LINKED = 10;

/** Of a file that the graph does not know, none. */
export function linkedFiles(graph: Pick<LinkGraph, 'outOf' | 'into'>, path: VaultPath): LinkedFiles {
  return {
    out: [...graph.outOf(path)].slice(0, MAX_LINKED),
    back: [...graph.into(path)].sort().slice(0, MAX_LINKED),
  };
}
