/**
 * Which of the vault's files somebody may have meant by a name that is none of theirs: the same name elsewhere, or one that
 * differs in a few letters. In memory. Danger: a guess that is far off misleads, so it is withheld; and it is asked for many
 * links at once, so that most names have to be passed over without comparing letters.
 */
import { posix } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type LinkTarget, parseTarget } from '@vault-mcp/shared/vault/note/resolve-link';
import { nameOf, parentOf, pathKey, type VaultPath, withoutOuterSlashes } from '@vault-mcp/shared/vault/path';
import { distance } from 'fastest-levenshtein';
import { firstFew } from './first-few.ts';

interface Name {
  readonly path: VaultPath;
  /** The path as it is compared, a slash in front. */
  readonly key: string;
  /** The file's name as it is compared, the `.md` of a note left out. */
  readonly name: string;
  /** One bit for each kind of letter in it. */
  readonly letters: number;
}

interface Near {
  readonly file: Name;
  /** Slips between the names. */
  readonly far: number;
}

/** Longer names are compared as they are, and no slip in them is looked for: the comparison is quadratic. */
const MAX_COMPARED = 120;
/** Of one name. */
const MAX_SLIPS = 3;
/** Letters of a name to each slip in it. */
const LETTERS_PER_SLIP = 4;
/** The last folders of a target, which tell files of one name apart. */
const MAX_FOLDERS = 5;
/** Names that it is remembered of what is like them. */
const MAX_REMEMBERED = 10_000;
/** Some ten milliseconds' worth. */
const NAMES_PER_TURN = 2_000;

export class NearNames {
  readonly #names: readonly Name[];
  readonly #byName = new Map<string, Name[]>();
  readonly #folders: ReadonlySet<string>;
  readonly #similar = new Map<string, readonly Near[]>();

  private constructor(names: readonly Name[], folders: ReadonlySet<string>) {
    this.#names = names;
    this.#folders = folders;
    for (const file of names) {
      const { name, path } = file;
      this.#add(name, file);
      // Other files are linked to with their suffix, which somebody may have left out.
      const suffix = path.toLowerCase().endsWith('.md') ? -1 : name.lastIndexOf('.');
      if (suffix > 0) this.#add(name.slice(0, suffix), file);
    }
  }

  #add(name: string, file: Name): void {
    const same = this.#byName.get(name);
    if (same === undefined) this.#byName.set(name, [file]);
    else same.push(file);
  }

  /** With a turn for others in between. */
  static async gather(paths: Iterable<VaultPath>): Promise<NearNames> {
    const names: Name[] = [];
    const folders = new Set<string>();
    for (const path of paths) {
      const name = comparedName(nameOf(path));
      names.push({ path, key: `/${pathKey(path)}`, name, letters: lettersOf(name) });
      for (let folder = parentOf(path); folder !== '' && !folders.has(pathKey(folder)); folder = parentOf(folder)) {
        folders.add(pathKey(folder));
      }
      if (names.length % NAMES_PER_TURN === 0) await nextTurn();
    }
    return new NearNames(names, folders);
  }

  /** The files but the linking one that have the name which a target ends with: the likeliest, at most so many. */
  namesakes(target: string, from: VaultPath, count: number): VaultPath[] {
    const [own = [], decodedToo = []] = namesIn(target).map((name) => this.#byName.get(name) ?? []);
    const all = decodedToo.length === 0 ? own : [...new Set([...own, ...decodedToo])];
    return firstFew(but(all, from), count, likeliest(target, from)).map(({ path }) => path);
  }

  /** The files but the linking one whose name differs from it in a few letters: the nearest, at most so many. */
  similar(target: string, from: VaultPath, count: number): VaultPath[] {
    const [name = ''] = namesIn(target).slice(-1);
    const byPlace = likeliest(target, from);
    const near = this.#near(name).filter(({ file }) => file.path !== from);
    return firstFew(near, count, (a, b) => a.far - b.far || byPlace(a.file, b.file)).map(({ file }) => file.path);
  }

  /** What is missing is missed in many places, so it is looked for once. */
  #near(name: string): readonly Near[] {
    const known = this.#similar.get(name);
    if (known !== undefined) return known;
    const near = this.#lookFor(name);
    if (this.#similar.size >= MAX_REMEMBERED) this.#similar.clear();
    this.#similar.set(name, near);
    return near;
  }

  #lookFor(name: string): Near[] {
    const slips = Math.min(MAX_SLIPS, Math.floor(name.length / LETTERS_PER_SLIP));
    if (slips === 0 || name.length > MAX_COMPARED) return [];
    const letters = lettersOf(name);
    const digits = digitsOf(name);
    const near: Near[] = [];
    for (const other of this.#names) {
      if (Math.abs(other.name.length - name.length) > slips) continue;
      // A slip takes one kind of letter away and brings another at the most.
      if (bitsOf(other.letters ^ letters) > 2 * slips) continue;
      // Another day or version is another thing, however near it is written.
      if (digitsOf(other.name) !== digits) continue;
      const far = distance(other.name, name);
      if (far <= slips) near.push({ file: other, far });
    }
    return near;
  }

  /** Whether a folder of this path, from the root or from the linking file, is there. */
  isFolder({ target }: LinkTarget, from: VaultPath): boolean {
    const path = withoutOuterSlashes(target);
    return ['', parentOf(from)].some((start) => this.#folders.has(pathKey(posix.join(start, path))));
  }
}

/** A name as it is compared: in any case and normal form, words parted by whatever parts them. */
export function comparedName(name: string): string {
  return pathKey(withoutNoteSuffix(name))
    .replace(/[\s\-_+]+/g, ' ')
    .trim();
}

/** The names that a target may end with: as it is written, and decoded where somebody encoded what need not be. */
function namesIn(target: string): string[] {
  const written = parseTarget(withoutOuterSlashes(target))?.segments.at(-1) ?? '';
  const all = [written, decoded(written)].filter((name) => name !== '').map(comparedName);
  return [...new Set(all)];
}

function* but(files: readonly Name[], from: VaultPath): Generator<Name> {
  for (const file of files) if (file.path !== from) yield file;
}

/** In the folders that the target names, then beside the linking file, then the shortest path. */
function likeliest(target: string, from: VaultPath): (a: Name, b: Name) => number {
  const folders = (parseTarget(target)?.segments ?? [])
    .slice(-1 - MAX_FOLDERS, -1)
    .map((folder) => `/${pathKey(folder)}/`);
  const shared = ({ key }: Name) => folders.reduce((count, folder) => count + Number(key.includes(folder)), 0);
  const isBeside = ({ path }: Name) => Number(parentOf(path) === parentOf(from));
  return (a, b) => shared(b) - shared(a) || isBeside(b) - isBeside(a) || byLength(a.path, b.path);
}

function byLength(a: VaultPath, b: VaultPath): number {
  return a.length - b.length || (a < b ? -1 : a > b ? 1 : 0);
}

function withoutNoteSuffix(name: string): string {
  return name.length > '.md'.length ? name.replace(/\.md$/i, '') : name;
}

function digitsOf(name: string): string {
  return name.replace(/\P{Nd}+/gu, ' ').trim();
}

function lettersOf(name: string): number {
  let letters = 0;
  for (let at = 0; at < name.length; at++) letters |= 1 << (name.charCodeAt(at) & 31);
  return letters;
}

function bitsOf(number: number): number {
  let count = 0;
  for (let rest = number; rest !== 0; rest &= rest - 1) count++;
  return count;
}

function decoded(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}
