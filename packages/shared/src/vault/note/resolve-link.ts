/**
 * Which file a link means, as Obsidian reads links, with one difference: where several files would do, the link is
 * ambiguous and never guessed. Pure: it knows the names of the vault's files and nothing of their contents.
 *
 * A wikilink means the exact vault path, else the one path that ends with it, else the one note of that name; with
 * `./` or `../` in front it starts at the note's folder, with `/` at the root. A markdown link starts at the note's
 * folder, else at the root, as every program reads it; else it is looked for like a wikilink, since Obsidian does that and
 * writes such links itself. Each is tried as it is written, then with `.md`.
 */
import { parentOf, pathKey, type VaultPath } from '../path.ts';
import type { Link } from './model.ts';
import type { VaultNames } from './vault-names.ts';

/** What of a link decides where it leads: rows of the index have it too. */
export type LinkTarget = Pick<Link, 'form' | 'target'>;

/** The same for all links that are written to lead to the same. */
export function targetKey({ form, target }: { readonly form: string; readonly target: string }): string {
  return `${form}\0${target}`;
}

/**
 * How a file was found. `self`: no path at all, only a fragment. `exact`: a wikilink's whole path. `suffix`, `stem`: by the
 * end of its path. `relative`: from the note's folder. `root`: from the vault's root, by a markdown link or a leading slash.
 */
export type Via = 'self' | 'exact' | 'suffix' | 'stem' | 'relative' | 'root';

export type Resolution =
  | { readonly state: 'resolved'; readonly path: VaultPath; readonly via: Via }
  | { readonly state: 'broken' }
  | { readonly state: 'ambiguous'; readonly candidates: readonly VaultPath[] };

/** One of the readings of a link. */
export interface Attempt {
  readonly via: Via;
  /** What to look for: a whole path, the end of one, or a stem. */
  readonly name: string;
}

const BROKEN: Resolution = { state: 'broken' };

/**
 * Resolves one link.
 *
 * @param from the path of the note it stands in, which need not be among the names
 */
export function resolveLink(link: LinkTarget, from: VaultPath, names: VaultNames): Resolution {
  if (link.target === '') return { state: 'resolved', path: from, via: 'self' };
  for (const attempt of attemptsFor(link, from)) {
    const found = lookUp(attempt, names);
    const [first] = found;
    if (first === undefined) continue;
    if (found.length === 1) return { state: 'resolved', path: first, via: attempt.via };
    const spelled = wholePath(attempt.via) ? spelledExactly(found, attempt.name) : undefined;
    if (spelled !== undefined) return { state: 'resolved', path: spelled, via: attempt.via };
    return { state: 'ambiguous', candidates: found };
  }
  return BROKEN;
}

/** Whether a link means the same from wherever it stands: then resolving it once does for all notes that write it. */
export function meansTheSameAnywhere({ form, target }: LinkTarget): boolean {
  return form === 'wikilink' && parseTarget(target)?.start === 'open';
}

/**
 * Whether a link that leads to no file that is known could lead to one below a folder in which nobody could look. What is
 * looked for by a name, or by the end of a path, could stand anywhere.
 *
 * @param from the path of the note it stands in
 */
export function mayLeadBelow({ target }: LinkTarget, from: VaultPath, folder: VaultPath): boolean {
  const wanted = parseTarget(target);
  if (wanted === null) return false;
  if (wanted.start === 'open') return true;
  const path = joinPath(wanted.start === 'folder' ? parentOf(from) : '', wanted.segments);
  return path !== null && pathKey(path).startsWith(`${pathKey(folder)}/`);
}

/** The readings of a link in the order in which they are tried. */
export function attemptsFor({ form, target }: LinkTarget, from: VaultPath): Attempt[] {
  const wanted = parseTarget(target);
  if (wanted === null) return [];
  const { start, segments } = wanted;
  const fromFolder = joinPath(parentOf(from), segments);
  const fromRoot = joinPath('', segments);
  if (start === 'folder') return withSuffix('relative', fromFolder);
  if (start === 'root') return withSuffix('root', fromRoot);
  const whole: Via[] = form === 'wikilink' ? ['exact'] : ['relative', 'root'];
  const paths = whole.flatMap((via) => withSuffix(via, via === 'relative' ? fromFolder : fromRoot));
  if (fromRoot === null) return paths;
  const note: Attempt = fromRoot.includes('/')
    ? { via: 'suffix', name: `${fromRoot}.md` }
    : { via: 'stem', name: fromRoot };
  return [...paths, { via: 'suffix', name: fromRoot }, note];
}

function withSuffix(via: Via, path: string | null): Attempt[] {
  if (path === null) return [];
  return [
    { via, name: path },
    { via, name: `${path}.md` },
  ];
}

function lookUp({ via, name }: Attempt, names: VaultNames): readonly VaultPath[] {
  if (via === 'stem') return names.byStem(name);
  return via === 'suffix' ? names.bySuffix(name) : names.byPath(name);
}

function wholePath(via: Via): boolean {
  return via === 'exact' || via === 'relative' || via === 'root';
}

/** Of paths that differ in case or normal form, the one that is spelled as asked for. */
function spelledExactly(paths: readonly VaultPath[], wanted: string): VaultPath | undefined {
  const spelling = wanted.normalize('NFC');
  const exact = paths.filter((path) => path.normalize('NFC') === spelling);
  return exact.length === 1 ? exact[0] : undefined;
}

export interface TargetPath {
  /** Where the path starts: said by `./` or `../`, by `/`, or not at all. */
  readonly start: 'folder' | 'root' | 'open';
  /** Without empty ones and `.`; `..` kept. */
  readonly segments: readonly string[];
}

/** A link's target in its parts; null for one that can name no file (empty, or a folder's trailing slash). */
export function parseTarget(target: string): TargetPath | null {
  if (target.endsWith('/')) return null;
  const written = target.split('/');
  const segments = written.filter((segment) => segment !== '' && segment !== '.');
  if (segments.length === 0 || segments.at(-1) === '..') return null;
  const [first] = written;
  const start = first === '' ? 'root' : first === '.' || first === '..' ? 'folder' : 'open';
  return { start, segments };
}

/** Null when the segments lead out of the vault. */
function joinPath(folder: string, segments: readonly string[]): string | null {
  const path = folder === '' ? [] : folder.split('/');
  for (const segment of segments) {
    if (segment !== '..') path.push(segment);
    else if (path.pop() === undefined) return null;
  }
  return path.join('/');
}
