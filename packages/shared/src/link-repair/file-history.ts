/**
 * What the files of a vault were called at the end of earlier passes, against what they are called now. Pure but for the
 * turns it gives others. Danger: what is not known of a time is not to be guessed, so a view of before the history begins
 * says so, and nothing is judged by it.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { FileHistoryRows } from '../index-db/rows.ts';
import type { NameChange } from '../vault/note/relocation.ts';
import { gatherVaultNames, type VaultNames } from '../vault/note/vault-names.ts';
import { nameOf, pathKey, type VaultPath } from '../vault/path.ts';
import { type Fate, FileLives, type Life } from './file-lives.ts';

/** The names at the end of one pass against those of now. */
export interface PastView extends NameChange {
  /** False of a time of which it is not known which files there were. */
  readonly isKnown: boolean;
  fateOf(path: VaultPath): Fate;
}

/** What a file was called when its bytes were written, and when that was. */
export interface Origin {
  readonly path: VaultPath;
  readonly changed: number;
}

interface HistoryParts {
  readonly since: number;
  readonly lives: FileLives;
  readonly now: VaultNames;
  readonly gone: VaultNames;
  readonly lastEvents: ReadonlyMap<string, number>;
}

export class FileHistory {
  readonly #parts: HistoryParts;
  readonly #views = new Map<number, PastView>();

  private constructor(parts: HistoryParts) {
    this.#parts = parts;
  }

  /**
   * @param now every file that is there, also those that the index does not know: of them it counts that they always were
   */
  static async of(rows: FileHistoryRows, now: VaultNames): Promise<FileHistory> {
    const lives = new FileLives(rows, (path) => isIn(now, path));
    await nextTurn();
    const departed = lives.all.filter(({ gone }) => Number.isFinite(gone));
    const gone = await gatherVaultNames(departed.map(({ path }) => path as VaultPath));
    return new FileHistory({ since: rows.since, lives, now, gone, lastEvents: lastEvents(lives.all) });
  }

  /** The pass in which the last file of this name, with `.md` or without, came or went; 0 where none did. */
  lastEvent(name: string): number {
    const key = pathKey(name);
    const { lastEvents: events } = this.#parts;
    return Math.max(events.get(key) ?? 0, events.get(`${key}.md`) ?? 0);
  }

  /** Of a file that is there; undefined where the index does not know it. */
  lifeOf(path: VaultPath): Life | undefined {
    return this.#parts.lives.present(path);
  }

  /** Of a file that is there under another name than when its bytes were written; undefined of all others. */
  originOf(path: VaultPath): Origin | undefined {
    const life = this.lifeOf(path);
    if (life === undefined) return undefined;
    const origin = this.#parts.lives.originOf(life);
    return origin.path === path ? undefined : { path: origin.path as VaultPath, changed: origin.changed };
  }

  viewOf(pass: number): PastView {
    const known = this.#views.get(pass);
    if (known !== undefined) return known;
    const { since, lives, now, gone, lastEvents: events } = this.#parts;
    const wasThere = (path: VaultPath): boolean => lives.at(path, pass) !== undefined;
    const before = joined({
      ...{ now, gone },
      // What the index does not know has always been there.
      isNow: (path) => lives.present(path) === undefined || wasThere(path),
      isGone: wasThere,
    });
    const view = this.#view(before, (path) => lives.fateOf(path, pass), {
      isKnown: pass >= since,
      touches: (name) => (events.get(pathKey(name)) ?? 0) > pass,
    });
    this.#views.set(pass, view);
    return view;
  }

  /**
   * Everything that is gone counts as there too: for whole paths of which nobody knows when they were written, and which say
   * what they mean by themselves. Of a path where one file was after another, the last.
   */
  viewOfPaths(): PastView {
    const { lives, now, gone } = this.#parts;
    const lastAt = new Map<string, number>();
    for (const life of lives.all) if (Number.isFinite(life.gone)) lastAt.set(life.path, life.gone - 1);
    const before = joined({ now, gone, isNow: () => true, isGone: () => true });
    const fateOf = (path: VaultPath): Fate => lives.fateOf(path, lastAt.get(path) ?? 0);
    return this.#view(before, fateOf, { isKnown: true, touches: () => true });
  }

  #view(
    before: VaultNames,
    fateOfGone: (path: VaultPath) => Fate,
    rest: Pick<PastView, 'isKnown' | 'touches'>,
  ): PastView {
    const { now } = this.#parts;
    // Another file that took its place is what a path leads to now.
    const fateOf = (path: VaultPath): Fate => (isIn(now, path) ? { is: 'there', path } : fateOfGone(path));
    const movedTo = (path: VaultPath): VaultPath => {
      const fate = fateOf(path);
      return fate.is === 'there' ? fate.path : path;
    };
    return { ...rest, before, after: now, fateOf, movedTo };
  }
}

function isIn(names: VaultNames, path: string): boolean {
  return names.byPath(path).includes(path as VaultPath);
}

function lastEvents(lives: readonly Life[]): Map<string, number> {
  const last = new Map<string, number>();
  for (const { path, arrived, gone } of lives) {
    const key = pathKey(nameOf(path));
    const event = Number.isFinite(gone) ? gone : arrived;
    if ((last.get(key) ?? 0) < event) last.set(key, event);
  }
  return last;
}

interface Joined {
  readonly now: VaultNames;
  readonly gone: VaultNames;
  isNow(path: VaultPath): boolean;
  isGone(path: VaultPath): boolean;
}

/** Some of the names of now and some of those that are gone, each path once. */
function joined({ now, gone, isNow, isGone }: Joined): VaultNames {
  const both = (there: readonly VaultPath[], away: readonly VaultPath[]): readonly VaultPath[] => {
    if (away.length === 0) return there.every(isNow) ? there : there.filter(isNow);
    return [...new Set([...there.filter(isNow), ...away.filter(isGone)])];
  };
  return {
    paths: () => both([...now.paths()], [...gone.paths()]),
    byPath: (path) => both(now.byPath(path), gone.byPath(path)),
    bySuffix: (path) => both(now.bySuffix(path), gone.bySuffix(path)),
    byStem: (stem) => both(now.byStem(stem), gone.byStem(stem)),
  };
}
