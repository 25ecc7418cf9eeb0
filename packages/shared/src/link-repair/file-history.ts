/**
 * What the files of a vault were called at earlier times, and where one that is gone is now. Pure. Danger: links are
 * rewritten by what is answered here, so only what cannot be otherwise is answered; whatever else is a reason for a person.
 */
import type { DepartedFile, FileHistoryRow, FileHistoryRows } from '../index-db/rows.ts';
import type { NameChange } from '../vault/note/relocation.ts';
import { createVaultNames, type VaultNames } from '../vault/note/vault-names.ts';
import { nameOf, pathKey, type VaultPath } from '../vault/path.ts';

/** What became of a file that was there once. */
export type Fate =
  | { readonly is: 'there'; readonly path: VaultPath }
  | { readonly is: 'gone' }
  /** Several hold what it held, so that it may be each of them. */
  | { readonly is: 'unclear'; readonly candidates: readonly VaultPath[] };

/** When a file's links were written, and what it was called then. */
export interface Origin {
  readonly path: VaultPath;
  /** The pass in which its bytes last became others. */
  readonly changed: number;
}

/** The names at the end of one pass against those of now. */
export interface PastView extends NameChange {
  readonly pass: number;
  fateOf(path: VaultPath): Fate;
}

const NONE: readonly DepartedFile[] = [];

export class FileHistory {
  readonly #now: VaultNames;
  readonly #present: ReadonlyMap<string, FileHistoryRow>;
  /** By path, oldest first. */
  readonly #departed: ReadonlyMap<string, readonly DepartedFile[]>;
  readonly #departedNames: VaultNames;
  /** By what they hold. */
  readonly #holders: ReadonlyMap<string, readonly FileHistoryRow[]>;
  /** By name, as a key: the pass in which the last file of that name came or went. */
  readonly #lastEvent: ReadonlyMap<string, number>;
  readonly #origins: ReadonlyMap<string, DepartedFile>;

  /**
   * @param rows what the index knows of files that are there, and that are gone, oldest first
   * @param now every file that is there, also those that the index does not know
   */
  constructor({ files, departed }: Pick<FileHistoryRows, 'files' | 'departed'>, now: VaultNames) {
    this.#now = now;
    const present = files.filter(({ path }) => now.byPath(path).includes(path as VaultPath));
    this.#present = new Map(present.map((file) => [file.path, file]));
    this.#departed = grouped(departed, ({ path }) => path);
    this.#departedNames = createVaultNames(departed.map(({ path }) => path as VaultPath));
    this.#holders = grouped(present, ({ sha256 }) => sha256);
    this.#lastEvent = lastEvents(present, departed);
    this.#origins = this.#findOrigins(departed);
  }

  /** The pass in which the last file of this name, with `.md` or without, came or went; 0 where none did. */
  lastEvent(name: string): number {
    const key = pathKey(name);
    return Math.max(this.#lastEvent.get(key) ?? 0, this.#lastEvent.get(`${key}.md`) ?? 0);
  }

  /** Of a file that is there; undefined where the index does not know it. */
  originOf(path: VaultPath): Origin | undefined {
    const file = this.#present.get(path);
    if (file === undefined) return undefined;
    const before = this.#origins.get(path);
    return before === undefined
      ? { path, changed: file.changed }
      : { path: before.path as VaultPath, changed: before.changed };
  }

  /** Hex SHA-256 of what a file that is there held when it was last looked at. */
  sha256Of(path: VaultPath): string | undefined {
    return this.#present.get(path)?.sha256;
  }

  viewOf(pass: number): PastView {
    const fateOf = (path: VaultPath): Fate => this.#fateOf(path, pass);
    return {
      ...{ pass, fateOf },
      before: this.#namesAt(pass),
      after: this.#now,
      movedTo(path) {
        const fate = fateOf(path);
        return fate.is === 'there' ? fate.path : path;
      },
      touches: (name) => (this.#lastEvent.get(pathKey(name)) ?? 0) > pass,
    };
  }

  /** Everything that is gone counts as there too: for paths that say when they were written by nothing but what they name. */
  viewOfAll(): PastView {
    const lastOf = (path: VaultPath): number => (this.#departed.get(path)?.at(-1)?.gone ?? 1) - 1;
    const view = this.viewOf(0);
    const fateOf = (path: VaultPath): Fate => this.#fateOf(path, lastOf(path));
    return {
      ...{ ...view, fateOf },
      before: joined(
        this.#now,
        this.#departedNames,
        () => true,
        () => true,
      ),
      movedTo(path) {
        const fate = fateOf(path);
        return fate.is === 'there' ? fate.path : path;
      },
    };
  }

  #namesAt(pass: number): VaultNames {
    return joined(
      this.#now,
      this.#departedNames,
      // What the index does not know has always been there.
      (path) => (this.#present.get(path)?.arrived ?? 0) <= pass,
      (path) => this.#departedAt(path, pass) !== undefined,
    );
  }

  #departedAt(path: string, pass: number): DepartedFile | undefined {
    return (this.#departed.get(path) ?? NONE).find(({ arrived, gone }) => arrived <= pass && pass < gone);
  }

  #fateOf(path: VaultPath, pass: number): Fate {
    // Another file that took its place is what a path leads to now.
    if (this.#now.byPath(path).includes(path)) return { is: 'there', path };
    const departed = this.#departedAt(path, pass);
    return departed === undefined ? { is: 'gone' } : this.#successorOf(departed);
  }

  /** Content that is empty is everybody's; and a copy that stood beside it long before is no new name of it. */
  #successorOf({ sha256, size, gone }: DepartedFile): Fate {
    const holders = sha256 === '' || size === 0 ? [] : (this.#holders.get(sha256) ?? []);
    const [only, ...others] = holders;
    if (only === undefined) return { is: 'gone' };
    if (others.length > 0) return { is: 'unclear', candidates: holders.map(({ path }) => path as VaultPath) };
    return only.arrived >= gone - 1 ? { is: 'there', path: only.path as VaultPath } : { is: 'gone' };
  }

  /** The one departed file that each file is the new name of. */
  #findOrigins(departed: readonly DepartedFile[]): Map<string, DepartedFile> {
    const origins = new Map<string, DepartedFile>();
    const shared = new Set<string>();
    for (const file of departed) {
      if (this.#now.byPath(file.path).includes(file.path as VaultPath)) continue;
      const fate = this.#successorOf(file);
      if (fate.is !== 'there') continue;
      // Its own bytes have to be as old as those: changed since it came, its links are of later.
      const holder = this.#present.get(fate.path);
      if (holder === undefined || holder.changed !== holder.arrived) continue;
      if (origins.has(fate.path)) shared.add(fate.path);
      origins.set(fate.path, file);
    }
    for (const path of shared) origins.delete(path);
    return origins;
  }
}

function lastEvents(present: readonly FileHistoryRow[], departed: readonly DepartedFile[]): Map<string, number> {
  const last = new Map<string, number>();
  const note = (path: string, pass: number): void => {
    const key = pathKey(nameOf(path));
    if ((last.get(key) ?? 0) < pass) last.set(key, pass);
  };
  for (const { path, arrived } of present) note(path, arrived);
  for (const { path, gone } of departed) note(path, gone);
  return last;
}

/** Some of the names of now and some of those that are gone, each path once. */
function joined(
  now: VaultNames,
  departed: VaultNames,
  isNow: (path: VaultPath) => boolean,
  isDeparted: (path: VaultPath) => boolean,
): VaultNames {
  const both = (found: readonly VaultPath[], gone: readonly VaultPath[]): readonly VaultPath[] => {
    const there = found.filter(isNow);
    return [...there, ...gone.filter((path) => isDeparted(path) && !there.includes(path))];
  };
  return {
    *paths() {
      yield* both([...now.paths()], [...departed.paths()]);
    },
    byPath: (path) => both(now.byPath(path), departed.byPath(path)),
    bySuffix: (path) => both(now.bySuffix(path), departed.bySuffix(path)),
    byStem: (stem) => both(now.byStem(stem), departed.byStem(stem)),
  };
}

function grouped<T>(items: readonly T[], keyOf: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const group = groups.get(keyOf(item));
    if (group === undefined) groups.set(keyOf(item), [item]);
    else group.push(item);
  }
  return groups;
}
