/**
 * What a caller may read and write, by path. Pure: it decides by the text of a path and the rules alone, so it can be asked
 * before anything is looked at. Danger: whatever no rule states is denied; and names compare as everywhere in the vault, in
 * any case and normal form, or a rule could be walked around by spelling.
 */
import { INDEX_PAGE, isIndexPagePath } from './index-page-path.ts';
import { pathKey } from './path.ts';

/** `append`: make what is not there, and add to what is. */
export type WriteRight = false | 'append' | true;

/** What holds at a prefix and below, each right until a longer prefix states it. `''` is the root. */
export interface AccessRule {
  readonly prefix: string;
  readonly read?: boolean | undefined;
  readonly write?: WriteRight | undefined;
}

/** One place at which reading changes; plain data, for queries and threads. */
export interface ReadRule {
  /** As pathKey makes it. */
  readonly prefix: string;
  readonly read: boolean;
}

/** Longest prefix first; what none of them covers is not readable. */
export type ReadRules = readonly ReadRule[];

export interface Access {
  /** Null: the whole vault is readable. */
  readonly readRules: ReadRules | null;
  /** The same for rules that let the same be read; empty for the whole vault. */
  readonly readKey: string;
  /** The most that may be written anywhere. */
  readonly writes: WriteRight;
  mayRead(path: string): boolean;
  /** Whether a folder is readable, or on the way to what is; the root always. */
  mayEnter(folder: string): boolean;
  /** Whether a path and all below it is readable. */
  mayReadAll(path: string): boolean;
  rightAt(path: string): WriteRight;
  /**
   * The most that may be written where a right is stated: what is stated of a place holds below it.
   * @param fits which of those places count, each as a key (pathKey)
   */
  mostWritten(fits: (prefix: string) => boolean): WriteRight;
  /** Whether a path and all below it may be written in every way. */
  mayChangeAll(path: string): boolean;
}

/** For whoever no policy holds. */
export const EVERYTHING: Access = {
  readRules: null,
  readKey: '',
  writes: true,
  mayRead: () => true,
  mayEnter: () => true,
  mayReadAll: () => true,
  rightAt: () => true,
  mostWritten: () => true,
  mayChangeAll: () => true,
};

/**
 * @param rules of one agent; none denies everything. No two of the same prefix, and nothing writable that is not readable:
 * the policy's reader has seen to that
 */
export function createAccess(rules: readonly AccessRule[]): Access {
  const reads = stated(rules, ({ read }) => read);
  const writes = stated(rules, ({ write }) => write);
  const isWhole = reads.get('') === true && ![...reads.values()].includes(false);
  // It lists every note, whoever wrote it: to be read only by who may read them all.
  if (!isWhole) reads.set(INDEX_PAGE, false);
  const readRules = isWhole ? null : longestFirst(reads);
  const entered = entryTo(reads);
  const mayRead = (path: string): boolean => statedAt(reads, path) ?? false;
  const rightAt = (path: string): WriteRight =>
    isIndexPagePath(path) && !isWhole ? false : (statedAt(writes, path) ?? false);
  return {
    readRules,
    readKey: readRules === null ? '' : JSON.stringify(readRules.map(({ prefix, read }) => [prefix, read])),
    writes: mostOf(writes.values()),
    mayRead,
    mayEnter: (folder) => folder === '' || mayRead(folder) || entered.has(pathKey(folder)),
    mayReadAll: (path) => mayRead(path) && below(reads, path).every((read) => read),
    rightAt,
    mostWritten: (fits) => mostOf([...writes.keys()].filter(fits).map(rightAt)),
    mayChangeAll: (path) => rightAt(path) === true && below(writes, path).every((write) => write === true),
  };
}

/** Whether something that stands at a path is there for a caller. */
export function maySee(access: Access, path: string, isFolder: boolean): boolean {
  return isFolder ? access.mayEnter(path) : access.mayRead(path);
}

/** By rules that were sent: to a thread, or into a query's filter. */
export function readableBy(rules: ReadRules | null): (path: string) => boolean {
  if (rules === null) return () => true;
  const reads = new Map(rules.map(({ prefix, read }) => [prefix, read]));
  return (path) => statedAt(reads, path) ?? false;
}

/** By prefix, as a key. */
function stated<T>(rules: readonly AccessRule[], of: (rule: AccessRule) => T | undefined): Map<string, T> {
  return new Map(
    rules.flatMap((rule): [string, T][] => {
      const right = of(rule);
      return right === undefined ? [] : [[pathKey(rule.prefix), right]];
    }),
  );
}

/** What the longest prefix states that covers a path, in whole segments; undefined where none does. */
function statedAt<T>(rights: ReadonlyMap<string, T>, path: string): T | undefined {
  for (let key = pathKey(path); ; ) {
    const right = rights.get(key);
    if (right !== undefined || key === '') return right;
    key = key.slice(0, Math.max(0, key.lastIndexOf('/')));
  }
}

/** Whether what stands at a path is there, by rules that were sent: as maySee has it. */
export function visibleBy(rules: ReadRules | null): (path: string, isFolder: boolean) => boolean {
  if (rules === null) return () => true;
  const mayRead = readableBy(rules);
  const entered = entryTo(new Map(rules.map(({ prefix, read }) => [prefix, read])));
  return (path, isFolder) => mayRead(path) || (isFolder && (path === '' || entered.has(pathKey(path))));
}

/** What is stated anew below a path. */
function below<T>(rights: ReadonlyMap<string, T>, path: string): T[] {
  const key = pathKey(path);
  return [...rights].flatMap(([prefix, right]) =>
    prefix !== key && (key === '' || prefix.startsWith(`${key}/`)) ? [right] : [],
  );
}

/** The folders on the way to what is readable. */
function entryTo(reads: ReadonlyMap<string, boolean>): ReadonlySet<string> {
  return ancestorsOf([...reads].flatMap(([prefix, read]) => (read ? [prefix] : [])));
}

function ancestorsOf(prefixes: readonly string[]): ReadonlySet<string> {
  const ancestors = new Set<string>();
  for (const prefix of prefixes) {
    for (let slash = prefix.lastIndexOf('/'); slash > 0; slash = prefix.lastIndexOf('/', slash - 1)) {
      ancestors.add(prefix.slice(0, slash));
    }
  }
  return ancestors;
}

function longestFirst(reads: ReadonlyMap<string, boolean>): ReadRules {
  const rules = [...reads].map(([prefix, read]) => ({ prefix, read }));
  return rules.sort((a, b) => b.prefix.length - a.prefix.length || (a.prefix < b.prefix ? -1 : 1));
}

function mostOf(rights: Iterable<WriteRight>): WriteRight {
  const all = new Set(rights);
  if (all.has(true)) return true;
  return all.has('append') ? 'append' : false;
}
