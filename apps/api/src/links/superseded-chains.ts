/**
 * Which note stands for one that was superseded, by what notes say of themselves (`superseded_by`). Pure. Danger: anybody
 * writes that key by hand, so a chain may lead nowhere, to several notes, back into itself or on for ever; then no note is
 * named, and what is wrong is.
 */
import type { SupersededNote } from '@vault-mcp/shared/index-db/note-rows';
import { stringLinks } from '@vault-mcp/shared/vault/note/links';
import { type LinkTarget, type Resolution, resolveLink } from '@vault-mcp/shared/vault/note/resolve-link';
import type { VaultNames } from '@vault-mcp/shared/vault/note/vault-names';
import type { VaultPath } from '@vault-mcp/shared/vault/path';

/** Steps from a note to the one that stands for it; nobody supersedes one thing as often. */
export const MAX_HOPS = 64;

export type ChainProblem = 'dangling' | 'ambiguous' | 'self' | 'cycle' | 'too_long';

/** The end of a chain, or why there is none. */
export type LiveHead =
  | { readonly head: VaultPath; readonly problem: null }
  | { readonly head: null; readonly problem: ChainProblem };

/** A note that supersession leads astray from. */
export type ChainFault =
  | { readonly problem: 'dangling' | 'self'; readonly path: string; readonly written: string }
  | {
      readonly problem: 'ambiguous';
      readonly path: string;
      readonly written: string;
      readonly candidates: readonly VaultPath[];
    }
  /** Each leads to the next and the last to the first, which is the first of them by name. */
  | { readonly problem: 'cycle'; readonly path: string; readonly members: readonly string[] };

export interface SupersededChains {
  /** @param note as its file is now; the rest of the chain is taken from the rows */
  liveHead(note: SupersededNote): LiveHead;
  /** By path; notes that only lead to such a one are none. */
  faults(): ChainFault[];
}

/**
 * @param rows every note that says it was superseded, in the spelling on disk
 * @param names of all files a link may mean
 */
export function supersededChains(rows: readonly SupersededNote[], names: VaultNames): SupersededChains {
  const saying = new Map(rows.map(({ path, supersededBy }) => [path, supersededBy]));
  const resolved = (path: string, written: string): Resolution =>
    resolveLink(targetOf(written), path as VaultPath, names);
  return {
    liveHead(note) {
      const passed = new Set<string>([note.path]);
      let [path, written] = [note.path, note.supersededBy];
      for (let hop = 1; hop <= MAX_HOPS; hop++) {
        const to = resolved(path, written);
        if (to.state !== 'resolved') return { head: null, problem: to.state === 'broken' ? 'dangling' : 'ambiguous' };
        if (passed.has(to.path)) return { head: null, problem: passed.size === 1 ? 'self' : 'cycle' };
        const further = saying.get(to.path);
        if (further === undefined) return { head: to.path, problem: null };
        passed.add(to.path);
        [path, written] = [to.path, further];
      }
      return { head: null, problem: 'too_long' };
    },
    faults() {
      const steps = new Map([...saying].map(([path, written]) => [path, resolved(path, written)]));
      const faults = [...saying].flatMap(([path, written]) => faultOf(path, written, steps.get(path)));
      return [...faults, ...cyclesOf(steps)].sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0));
    },
  };
}

/** A link, else a path: the one that a link could not hold is written bare. */
function targetOf(written: string): LinkTarget {
  const [link] = stringLinks(written, { offset: 0, inFrontmatter: true, lineAt: () => 0 });
  // Of nothing but blanks a link would mean its own note; the root is no file.
  return link ?? { form: 'wikilink', target: written.trim() || '/' };
}

function faultOf(path: string, written: string, step: Resolution | undefined): ChainFault[] {
  switch (step?.state) {
    case 'broken':
      return [{ problem: 'dangling', path, written }];
    case 'ambiguous':
      return [{ problem: 'ambiguous', path, written, candidates: step.candidates }];
    case 'resolved':
      return step.path === path ? [{ problem: 'self', path, written }] : [];
    default:
      return [];
  }
}

/** Each once: a walk goes on until it comes to where one has been, and has found a cycle if that was this one. */
function cyclesOf(steps: ReadonlyMap<string, Resolution>): ChainFault[] {
  const walkedBy = new Map<string, string>();
  const cycles: ChainFault[] = [];
  for (const start of steps.keys()) {
    let at: string | undefined = start;
    while (at !== undefined && !walkedBy.has(at)) {
      walkedBy.set(at, start);
      at = nextOf(steps, at);
    }
    if (at === undefined || walkedBy.get(at) !== start || nextOf(steps, at) === at) continue;
    const members = [at];
    for (let next = nextOf(steps, at); next !== undefined && next !== at; next = nextOf(steps, next))
      members.push(next);
    cycles.push({ problem: 'cycle', ...fromFirst(members) });
  }
  return cycles;
}

function nextOf(steps: ReadonlyMap<string, Resolution>, path: string): string | undefined {
  const step = steps.get(path);
  return step?.state === 'resolved' ? step.path : undefined;
}

function fromFirst(members: readonly string[]): { path: string; members: readonly string[] } {
  const [path = ''] = [...members].sort();
  const at = members.indexOf(path);
  return { path, members: [...members.slice(at), ...members.slice(0, at)] };
}
