/**
 * From when to when each file was there, what it held, and which file that came was one that went. Pure. Danger: links are
 * rewritten by what is answered here. Bytes that more than one file held say nothing of which it was, not even later, when
 * one of them has become another; so they are asked of all files that had them at the time.
 */
import { createHash } from 'node:crypto';
import type { FileHistoryRow, FileHistoryRows } from '../index-db/rows.ts';
import type { VaultPath } from '../vault/path.ts';

/** A file from its coming to its going. */
export interface Life extends FileHistoryRow {
  /** The pass in which it went; infinite of one that is there. */
  readonly gone: number;
}

/** What became of a file that was there once. */
export type Fate =
  | { readonly is: 'there'; readonly path: VaultPath }
  | { readonly is: 'gone' }
  /** These had the same bytes at the time, so that it may be each of them. */
  | { readonly is: 'unclear'; readonly candidates: readonly VaultPath[] };

const EMPTY_SHA256 = createHash('sha256').digest('hex');
const NONE: readonly Life[] = [];

export class FileLives {
  readonly all: readonly Life[];
  readonly #byPath: ReadonlyMap<string, readonly Life[]>;
  /** By what they held when they came, or held last. */
  readonly #holders: ReadonlyMap<string, readonly Life[]>;
  readonly #origins = new Map<Life, Life>();

  /**
   * @param isThere whether a path is on the disk: a row without one is of a file that nobody has told of yet
   */
  constructor({ pass, files, departed }: FileHistoryRows, isThere: (path: string) => boolean) {
    const present = files.map((file) => ({ ...file, gone: isThere(file.path) ? Number.POSITIVE_INFINITY : pass }));
    this.all = [...departed, ...present];
    this.#byPath = grouped(this.all, ({ path }) => [path]);
    this.#holders = grouped(this.all, ({ knownSha256, arrivedSha256 }) => new Set([knownSha256, arrivedSha256]));
    for (const life of this.all) {
      const next = Number.isFinite(life.gone) ? this.#next(life) : null;
      if (next?.is === 'one') this.#origins.set(next.life, life);
    }
  }

  /** The file that is at a path now, as far as the index knows it. */
  present(path: string): Life | undefined {
    return (this.#byPath.get(path) ?? NONE).find(({ gone }) => !Number.isFinite(gone));
  }

  /** The file that was at a path at the end of a pass. */
  at(path: string, pass: number): Life | undefined {
    return (this.#byPath.get(path) ?? NONE).find(({ arrived, gone }) => arrived <= pass && pass < gone);
  }

  /** What became of a file that was at a path at the end of a pass, and is not there any more. */
  fateOf(path: string, pass: number): Fate {
    const life = this.at(path, pass);
    return life === undefined ? { is: 'gone' } : this.#follow(life);
  }

  /**
   * The life in which the bytes of a file were written, and with them its links: its own, or one that ended when it came. Of
   * one that has other bytes than when it came, its own.
   */
  originOf(life: Life): Life {
    let origin = life;
    while (origin.changed === origin.arrived && origin.knownSha256 === origin.arrivedSha256) {
      const before = this.#origins.get(origin);
      if (before === undefined) break;
      origin = before;
    }
    return origin;
  }

  #follow(life: Life): Fate {
    for (let current = life; ; ) {
      if (!Number.isFinite(current.gone)) return { is: 'there', path: current.path as VaultPath };
      const next = this.#next(current);
      if (next.is !== 'one') return next;
      current = next.life;
    }
  }

  /** One that came in the pass in which it went, or in the next: programs that synchronise do one after the other. */
  #next(life: Life): { readonly is: 'one'; readonly life: Life } | Exclude<Fate, { is: 'there' }> {
    const { knownSha256, gone } = life;
    if (knownSha256 === '' || knownSha256 === EMPTY_SHA256) return { is: 'gone' };
    const holders = this.#holders.get(knownSha256) ?? NONE;
    const came = (pass: number) =>
      holders.filter((other) => other.arrived === pass && other.arrivedSha256 === knownSha256);
    const inPass = came(gone);
    const candidates = inPass.length > 0 ? inPass : came(gone + 1);
    const [next] = candidates;
    if (next === undefined) return { is: 'gone' };
    const others = holders.filter(
      (other) => other !== life && other !== next && other.arrived <= next.arrived && other.gone >= gone,
    );
    if (candidates.length === 1 && others.length === 0) return { is: 'one', life: next };
    const paths = new Set([...candidates, ...others].map(({ path }) => path as VaultPath));
    return { is: 'unclear', candidates: [...paths].sort() };
  }
}

function grouped<T>(items: readonly T[], keysOf: (item: T) => Iterable<string>): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    for (const key of keysOf(item)) {
      const group = groups.get(key);
      if (group === undefined) groups.set(key, [item]);
      else group.push(item);
    }
  }
  return groups;
}
