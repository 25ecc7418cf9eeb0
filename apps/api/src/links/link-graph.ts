/**
 * Who links to whom: every link of every note and canvas, resolved, and the way back. Pure, in memory. Danger: a file that
 * comes or goes can change where links of any other note lead, so whoever changes the names has to say which of them, and
 * only links with such a name are resolved anew.
 */
import { obsidianChoice } from '@vault-mcp/shared/vault/note/obsidian-choice';
import {
  type LinkTarget,
  meansTheSameAnywhere,
  type Resolution,
  resolveLink,
  targetKey,
} from '@vault-mcp/shared/vault/note/resolve-link';
import { createVaultNames, type VaultNames } from '@vault-mcp/shared/vault/note/vault-names';
import { nameOf, pathKey, type VaultPath } from '@vault-mcp/shared/vault/path';

/** A link as it stands in a file: 1-based line, 0 where a file has none, as in a canvas. */
export interface PlacedLink extends LinkTarget {
  readonly line: number;
}

/** All links of one file with one target. */
export interface GraphLink extends LinkTarget {
  readonly lines: readonly number[];
  readonly resolution: Resolution;
}

export interface Backlink {
  readonly path: VaultPath;
  /** 1-based, in order; empty for a canvas. */
  readonly lines: readonly number[];
  /** Whether one of these links could mean another file too. */
  readonly ambiguous: boolean;
}

/** A target as it is written, held once however many notes write it. */
interface Written extends LinkTarget {
  /** The keys of the names that decide it. */
  readonly names: readonly string[];
  /** How many files write it; it is let go with the last. */
  files: number;
  /** What it means with the names there are, where that is the same for all of them: held once, and found once. */
  meaning: Resolution | 'each its own' | null;
}

interface Held {
  readonly written: Written;
  readonly lines: number[];
  resolution: Resolution;
  /** Where it leads, told once: of many candidates one is looked for long. Undefined of a broken one. */
  to: VaultPath | undefined;
}

export class LinkGraph {
  #names: VaultNames = createVaultNames([]);
  readonly #written = new Map<string, Written>();
  readonly #sources = new Map<VaultPath, readonly Held[]>();
  #version = 0;
  /** File → the files whose links lead to it, itself left out. */
  readonly #back = new Map<VaultPath, Set<VaultPath>>();

  get names(): VaultNames {
    return this.#names;
  }

  /** Another one after every change. */
  get version(): number {
    return this.#version;
  }

  /** How many different targets are held. */
  get targets(): number {
    return this.#written.size;
  }

  /** The files whose links are known, in the order in which they came. */
  sources(): Iterable<VaultPath> {
    return this.#sources.keys();
  }

  /**
   * @param names all files there are now
   * @param touched names (not paths) of the files that came or went since; null: any
   */
  setNames(names: VaultNames, touched: ReadonlySet<string> | null): void {
    this.#names = names;
    this.#version++;
    const keys = touched === null ? null : new Set([...touched].map(pathKey));
    const isStale = ({ names: own }: Written): boolean => keys === null || own.some((name) => keys.has(name));
    for (const written of this.#written.values()) {
      if (written.meaning !== 'each its own' && isStale(written)) written.meaning = null;
    }
    for (const [path, links] of this.#sources) {
      const stale = links.filter(({ written }) => isStale(written));
      if (stale.length === 0) continue;
      this.#disconnect(path, links);
      for (const link of stale) this.#resolve(link, path);
      this.#connect(path, links);
    }
  }

  /** Replaces what is known of one file's links. */
  setLinks(path: VaultPath, links: readonly PlacedLink[]): void {
    this.remove(path);
    this.#version++;
    const held = new Map<Written, Held>();
    for (const link of links) {
      const written = this.#intern(link);
      const same = held.get(written);
      if (same !== undefined) same.lines.push(link.line);
      else held.set(written, this.#hold(written, link.line, path));
    }
    const all = [...held.values()];
    this.#sources.set(path, all);
    this.#connect(path, all);
  }

  remove(path: VaultPath): void {
    const links = this.#sources.get(path);
    if (links === undefined) return;
    this.#version++;
    this.#disconnect(path, links);
    for (const { written } of links) this.#release(written);
    this.#sources.delete(path);
  }

  /**
   * The links of a file as they are written, for a graph with other names.
   * @returns `token`: another one whenever they may be others; undefined of a file that is not known
   */
  writtenIn(path: VaultPath): { readonly token: object; readonly links: () => readonly PlacedLink[] } | undefined {
    const held = this.#sources.get(path);
    if (held === undefined) return undefined;
    const links = () =>
      held.flatMap(({ written: { form, target }, lines }) => lines.map((line) => ({ form, target, line })));
    return { token: held, links };
  }

  /** The links of a file, in the order of their first lines; none of one that is not known. */
  linksOf(path: VaultPath): GraphLink[] {
    return (this.#sources.get(path) ?? []).map(({ written: { form, target }, lines, resolution }) => ({
      ...{ form, target, lines, resolution },
    }));
  }

  /** The files that a file's links lead to, each once, itself left out; an ambiguous link to the one Obsidian opens. */
  outOf(path: VaultPath): Set<VaultPath> {
    return destinations(path, this.#sources.get(path) ?? []);
  }

  /** The files whose links lead to a file, itself left out. */
  into(path: VaultPath): ReadonlySet<VaultPath> {
    return this.#back.get(path) ?? NONE;
  }

  /**
   * The files linked with a file, either way, itself left out: first those it links to.
   * @returns null where they are more than `atMost`, without going through all of them
   */
  linkedWith(path: VaultPath, atMost = Number.POSITIVE_INFINITY): Set<VaultPath> | null {
    const back = this.into(path);
    if (back.size > atMost) return null;
    const found = new Set<VaultPath>();
    for (const { to } of this.#sources.get(path) ?? []) {
      if (to !== undefined && to !== path) found.add(to);
      if (found.size > atMost) return null;
    }
    for (const from of back) found.add(from);
    return found.size > atMost ? null : found;
  }

  /** How the links of one file to another stand there. */
  backlink(from: VaultPath, to: VaultPath): Backlink {
    const leading = (this.#sources.get(from) ?? []).filter((link) => link.to === to);
    const lines = new Set(leading.flatMap((link) => link.lines).filter((line) => line > 0));
    return {
      path: from,
      lines: [...lines].sort((a, b) => a - b),
      ambiguous: leading.some(({ resolution }) => resolution.state === 'ambiguous'),
    };
  }

  #resolve(link: Held, from: VaultPath): Held {
    link.resolution = this.#meaning(link.written, from);
    link.to = destinationOf(link.resolution, from);
    return link;
  }

  #meaning(written: Written, from: VaultPath): Resolution {
    if (written.meaning === 'each its own') return resolveLink(written, from, this.#names);
    written.meaning ??= resolveLink(written, from, this.#names);
    return written.meaning;
  }

  #hold(written: Written, line: number, from: VaultPath): Held {
    written.files++;
    return this.#resolve({ written, lines: [line], resolution: BROKEN, to: undefined }, from);
  }

  #intern({ form, target }: LinkTarget): Written {
    const key = targetKey({ form, target });
    const known = this.#written.get(key);
    if (known !== undefined) return known;
    const name = pathKey(nameOf(target));
    const meaning = meansTheSameAnywhere({ form, target }) ? null : 'each its own';
    const written: Written = { form, target, names: [name, `${name}.md`], files: 0, meaning };
    this.#written.set(key, written);
    return written;
  }

  #release(written: Written): void {
    if (--written.files === 0) this.#written.delete(targetKey(written));
  }

  #connect(path: VaultPath, links: readonly Held[]): void {
    for (const to of destinations(path, links)) {
      const back = this.#back.get(to);
      if (back === undefined) this.#back.set(to, new Set([path]));
      else back.add(path);
    }
  }

  #disconnect(path: VaultPath, links: readonly Held[]): void {
    for (const to of destinations(path, links)) {
      const back = this.#back.get(to);
      back?.delete(path);
      if (back?.size === 0) this.#back.delete(to);
    }
  }
}

const NONE: ReadonlySet<VaultPath> = new Set();
const BROKEN: Resolution = { state: 'broken' };

/** Where a link leads; undefined for a broken one. */
export function destinationOf(resolution: Resolution, from: VaultPath): VaultPath | undefined {
  if (resolution.state === 'resolved') return resolution.path;
  return resolution.state === 'ambiguous' ? obsidianChoice(resolution.candidates, from) : undefined;
}

function destinations(from: VaultPath, links: readonly Held[]): Set<VaultPath> {
  const found = new Set<VaultPath>();
  for (const { to } of links) if (to !== undefined && to !== from) found.add(to);
  return found;
}
