/**
 * A vault's names before and after one file or folder is moved. Danger: everything in a moved folder goes along,
 * ignored and unknown files too, so a path is mapped by where it stands and not by whether it is a name.
 */
import { type ReadRules, readableBy } from '../access.ts';
import { nameOf, pathKey, type VaultPath } from '../path.ts';
import type { MayRead } from './unseen-targets.ts';
import { createVaultNames, type VaultNames } from './vault-names.ts';

/** What decides whether a link has to follow: the names before and after, and what became of each file. */
export interface NameChange {
  readonly before: VaultNames;
  readonly after: VaultNames;
  /** Where a path is afterwards: its own unless it moves. */
  movedTo(path: VaultPath): VaultPath;
  /** Whether a file of this name goes or comes. Where none does, every look-up of the name answers as before. */
  touches(name: string): boolean;
  /** Only where the names are those that somebody sees who sees a part of the vault. */
  readonly mayRead?: MayRead;
}

export interface Relocation extends NameChange {
  /** The file or folder that moves. */
  readonly source: VaultPath;
  /** What it becomes. */
  readonly destination: VaultPath;
  /** The names, as keys (pathKey), of which a file goes or comes. */
  readonly touchedNames: ReadonlySet<string>;
  /** Whose names they are, as it can be sent. */
  readonly readable: ReadRules | null;
}

/**
 * What moving `source` to `destination` does to the names. Both in the spelling on disk; that the destination is free
 * is the caller's to know.
 *
 * @param before the names that the mover sees
 * @param source a file, or a folder, all of which moves
 * @param readable what the mover sees; null for the whole vault
 */
export function relocate(
  before: VaultNames,
  source: VaultPath,
  destination: VaultPath,
  readable: ReadRules | null,
): Relocation {
  const folder = `${source}/`;
  const movedTo = (path: VaultPath): VaultPath => {
    if (path === source) return destination;
    return path.startsWith(folder) ? (`${destination}/${path.slice(folder.length)}` as VaultPath) : path;
  };
  const moved = new Set<VaultPath>();
  for (const path of before.paths()) if (path === source || path.startsWith(folder)) moved.add(path);
  const after = new MovedNames(before, moved, movedTo);
  const { touched: touchedNames } = after;
  const touches = (name: string) => after.touches(name);
  const whole = { before, after, source, destination, touchedNames, readable, movedTo, touches };
  return readable === null ? whole : { ...whole, mayRead: readableBy(readable) };
}

/** Names that only their difference to others is kept of, so that a move costs what it moves. */
class MovedNames implements VaultNames {
  private readonly before: VaultNames;
  private readonly gone: ReadonlySet<VaultPath>;
  private readonly come: VaultNames;
  /** The names whose look-ups changed, as keys. */
  readonly touched = new Set<string>();

  constructor(before: VaultNames, gone: ReadonlySet<VaultPath>, movedTo: (path: VaultPath) => VaultPath) {
    this.before = before;
    this.gone = gone;
    this.come = createVaultNames([...gone].map(movedTo));
    for (const path of [...gone, ...this.come.paths()]) this.touched.add(nameOf(pathKey(path)));
  }

  *paths(): Iterable<VaultPath> {
    for (const path of this.before.paths()) if (!this.gone.has(path)) yield path;
    yield* this.come.paths();
  }

  byPath(path: string): readonly VaultPath[] {
    return this.differing(path, (names) => names.byPath(path));
  }

  bySuffix(path: string): readonly VaultPath[] {
    return this.differing(path, (names) => names.bySuffix(path));
  }

  byStem(stem: string): readonly VaultPath[] {
    return this.differing(`${stem}.md`, (names) => names.byStem(stem));
  }

  touches(name: string): boolean {
    return this.touched.has(pathKey(name));
  }

  private differing(path: string, lookUp: (names: VaultNames) => readonly VaultPath[]): readonly VaultPath[] {
    const found = lookUp(this.before);
    if (!this.touches(nameOf(path))) return found;
    return [...found.filter((one) => !this.gone.has(one)), ...lookUp(this.come)];
  }
}
