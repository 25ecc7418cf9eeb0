/**
 * The names of a vault's files, as links look them up: by whole path, by the last segments of it, by a note's stem.
 * Built once from a list of paths; each look-up costs the same however many files there are. Danger: only what stands
 * in the list can be a link's target, so the list has to hold attachments too, and nothing that is ignored.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { nameOf, pathKey, type VaultPath } from '../path.ts';

/** Names compare as vault paths do: any case, any normal form. Answers keep the spelling on disk. */
export interface VaultNames {
  paths(): Iterable<VaultPath>;
  /** The files at a path: several where the disk holds spellings that differ in case or normal form alone. */
  byPath(path: string): readonly VaultPath[];
  /** The files whose path ends with these whole segments (`b/c.md` finds `a/b/c.md` and `b/c.md`). */
  bySuffix(path: string): readonly VaultPath[];
  /** The notes of this name without its `.md`, in whatever folder. */
  byStem(stem: string): readonly VaultPath[];
}

interface Entry {
  readonly path: VaultPath;
  readonly key: string;
}

/** The files of one name. */
interface Namesakes {
  readonly entries: Entry[];
  readonly paths: VaultPath[];
  /** Endings of two segments and more to the files that have them; made when first needed. */
  endings: Map<string, VaultPath[]> | null;
}

/** Up to so many files of one name are compared one by one; daily notes and readmes come in thousands. */
const COMPARED_ONE_BY_ONE = 16;
/** Some twenty milliseconds' worth. */
const PATHS_PER_TURN = 2_000;
const NONE: readonly VaultPath[] = [];

/** Indexes the paths of all files that a link may mean: notes, documents, attachments. A path given twice counts once. */
export function createVaultNames(paths: Iterable<VaultPath>): VaultNames {
  return new ListedNames(paths);
}

/** The same, with a turn for others in between: a hundred thousand paths take most of a second. */
export async function gatherVaultNames(paths: Iterable<VaultPath>): Promise<VaultNames> {
  const names = new ListedNames([]);
  let count = 0;
  for (const path of paths) {
    names.add(path);
    if (++count % PATHS_PER_TURN === 0) await nextTurn();
  }
  return names;
}

class ListedNames implements VaultNames {
  private readonly byKey = new Map<string, VaultPath[]>();
  private readonly byName = new Map<string, Namesakes>();

  constructor(paths: Iterable<VaultPath>) {
    for (const path of paths) this.add(path);
  }

  add(path: VaultPath): void {
    const key = pathKey(path);
    const same = this.byKey.get(key);
    if (same === undefined) this.byKey.set(key, [path]);
    else if (same.includes(path)) return;
    else same.push(path);
    const name = nameOf(key);
    const namesakes = this.byName.get(name);
    if (namesakes === undefined) {
      this.byName.set(name, { entries: [{ path, key }], paths: [path], endings: null });
      return;
    }
    namesakes.entries.push({ path, key });
    namesakes.paths.push(path);
  }

  *paths(): Iterable<VaultPath> {
    for (const paths of this.byKey.values()) yield* paths;
  }

  byPath(path: string): readonly VaultPath[] {
    return this.byKey.get(pathKey(path)) ?? NONE;
  }

  bySuffix(path: string): readonly VaultPath[] {
    const key = pathKey(path);
    const name = nameOf(key);
    const namesakes = this.byName.get(name);
    if (namesakes === undefined) return NONE;
    if (name === key) return namesakes.paths;
    if (namesakes.entries.length > COMPARED_ONE_BY_ONE) {
      namesakes.endings ??= endingsOf(namesakes.entries);
      return namesakes.endings.get(key) ?? NONE;
    }
    return namesakes.entries.filter((entry) => endsWithSegments(entry.key, key)).map((entry) => entry.path);
  }

  byStem(stem: string): readonly VaultPath[] {
    return this.bySuffix(nameOf(`${stem}.md`));
  }
}

function endsWithSegments(key: string, ending: string): boolean {
  return key.endsWith(ending) && (key.length === ending.length || key[key.length - ending.length - 1] === '/');
}

function endingsOf(entries: readonly Entry[]): Map<string, VaultPath[]> {
  const endings = new Map<string, VaultPath[]>();
  for (const { path, key } of entries) {
    for (let slash = key.lastIndexOf('/'); slash !== -1; ) {
      slash = key.lastIndexOf('/', slash - 1);
      const ending = key.slice(slash + 1);
      const paths = endings.get(ending);
      if (paths === undefined) endings.set(ending, [path]);
      else paths.push(path);
    }
  }
  return endings;
}
