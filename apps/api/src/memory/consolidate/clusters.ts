/**
 * Which notes say nearly the same, as groups that could be one note: all of a group near one another, and all in one folder,
 * its namespace. Pure. Danger: a vault made of templates holds thousands of equal notes, whose pairs nobody could list; so equal
 * ones are one point, and pairs of notes of different folders, which are only told of, are counted and not kept.
 */
import { completeLinkage, type NearPair } from './complete-linkage.ts';
import { neighbours } from './neighbours.ts';

export interface ComparedNote {
  readonly path: string;
  readonly title: string;
  /** Of the bytes that its vector was made of. */
  readonly etag: string;
  /** Of unit length. */
  readonly vector: Float32Array;
}

export type ClusterMember = Omit<ComparedNote, 'vector'>;

export interface Cluster {
  /** The folder of all of them; '' is the root. */
  readonly namespace: string;
  /** Two at least, by path. */
  readonly members: readonly ClusterMember[];
  /** The largest cosine distance between two of them. */
  readonly diameter: number;
}

/** Two notes of different folders that are near one another. */
export interface CrossPair {
  readonly a: string;
  readonly b: string;
  readonly distance: number;
}

export interface Clustering {
  /** Those of the smallest diameter first, then by path. */
  readonly clusters: readonly Cluster[];
  /** The nearest `TOLD` of them, and how many there are. */
  readonly crossNamespace: { readonly total: number; readonly first: readonly CrossPair[] };
}

/** Pairs that are kept at once, of different vectors: some 200 MB with what is made of them. */
export const MAX_PAIRS = 2_000_000;
export const TOLD = 100;

/** Notes of one vector, by folder. */
interface Point {
  readonly vector: Float32Array;
  size: number;
  readonly folders: Map<string, Item>;
  /** Those of its folder, where it has one. */
  only: Item | null;
}

/** Notes of one vector in one folder: what is clustered. */
interface Item {
  readonly id: number;
  readonly namespace: string;
  readonly members: ClusterMember[];
}

/**
 * @param ceiling cosine distance from 0 to 2, within which all of a group are
 * @param most pairs of different vectors
 * @returns null where there are more pairs than `most`
 */
export function clustersOf(
  notes: readonly ComparedNote[],
  ceiling: number,
  most: number = MAX_PAIRS,
): Clustering | null {
  const { points, items } = pointsOf([...notes].sort((x, y) => inOrder(x.path, y.path)));
  const pairs = neighbours(
    points.map(({ vector }) => vector),
    ceiling,
    most,
  );
  if (pairs === null) return null;
  const links: NearPair[] = [];
  for (const { a, b, distance } of pairs) {
    for (const [x, y] of sharedFolders(points[a] as Point, points[b] as Point)) {
      links.push({ a: Math.min(x.id, y.id), b: Math.max(x.id, y.id), distance });
    }
  }
  return { clusters: clustersFrom(items, links), crossNamespace: crossPairs(points, pairs) };
}

/** @param notes by path, which is the order that all that is made of them is in */
function pointsOf(notes: readonly ComparedNote[]): { points: Point[]; items: Item[] } {
  const points = new Map<string, Point>();
  const items: Item[] = [];
  for (const { vector, ...member } of notes) {
    const { buffer, byteOffset, byteLength } = vector;
    const key = Buffer.from(buffer, byteOffset, byteLength).toString('latin1');
    const point = points.get(key) ?? { vector, size: 0, folders: new Map(), only: null };
    points.set(key, point);
    point.size++;
    const namespace = folderOf(member.path);
    let item = point.folders.get(namespace);
    if (item === undefined) {
      item = { id: items.length, namespace, members: [] };
      items.push(item);
      point.folders.set(namespace, item);
      point.only = point.folders.size === 1 ? item : null;
    }
    item.members.push(member);
  }
  return { points: [...points.values()], items };
}

const NOTHING: readonly [Item, Item][] = [];

/** What two points have in the same folders. */
function sharedFolders(one: Point, other: Point): readonly [Item, Item][] {
  // Nearly always: of a million pairs of points, each looked up would take a second.
  const [x, y] = [one.only, other.only];
  if (x !== null && y !== null) return x.namespace === y.namespace ? [[x, y]] : NOTHING;
  const [few, many] = one.folders.size <= other.folders.size ? [one, other] : [other, one];
  const shared: [Item, Item][] = [];
  for (const [namespace, item] of few.folders) {
    const there = many.folders.get(namespace);
    if (there !== undefined) shared.push([item, there]);
  }
  return shared;
}

function clustersFrom(items: readonly Item[], links: readonly NearPair[]): Cluster[] {
  const groups = completeLinkage(links);
  const groupOf = new Map(groups.flatMap((group, at) => group.map((id) => [id, at])));
  // Equal notes are a group also where nothing else is near them.
  const alone = items.filter(({ id, members }) => members.length > 1 && !groupOf.has(id)).map(({ id }) => [id]);
  const diameters = new Map<number, number>();
  for (const { a, b, distance } of links) {
    const group = groupOf.get(a);
    if (group !== undefined && group === groupOf.get(b)) {
      diameters.set(group, Math.max(diameters.get(group) ?? 0, distance));
    }
  }
  const clusters = [...groups, ...alone].map((ids, at): Cluster => {
    const members = ids.flatMap((id) => items[id]?.members ?? []).sort((x, y) => inOrder(x.path, y.path));
    return { namespace: items[ids[0] as number]?.namespace ?? '', members, diameter: diameters.get(at) ?? 0 };
  });
  return clusters.sort((x, y) => x.diameter - y.diameter || inOrder(firstPath(x), firstPath(y)));
}

/** Of different folders: all counted, the nearest told; of those as near, the first that are met. */
function crossPairs(points: readonly Point[], pairs: readonly NearPair[]): Clustering['crossNamespace'] {
  let total = 0;
  const nearest = new Nearest();
  for (const [at, point] of points.entries()) {
    const equal = [...point.folders.values()].reduce((sum, { members }) => sum + pairsOf(members.length), 0);
    total += pairsOf(point.size) - equal;
    if (point.folders.size > 1) nearest.offer({ a: at, b: at, distance: 0 });
  }
  for (const pair of pairs) {
    const [one, other] = [points[pair.a] as Point, points[pair.b] as Point];
    const within = sharedFolders(one, other).reduce((sum, [x, y]) => sum + x.members.length * y.members.length, 0);
    const across = one.size * other.size - within;
    total += across;
    if (across > 0) nearest.offer(pair);
  }
  const first: CrossPair[] = [];
  for (const { a, b, distance } of nearest.inOrder()) {
    for (const [x, y] of notesAcross(points[a] as Point, points[b] as Point)) {
      if (first.length === TOLD) return { total, first };
      const [p, q] = x < y ? [x, y] : [y, x];
      first.push({ a: p, b: q, distance });
    }
  }
  return { total, first };
}

function* notesAcross(one: Point, other: Point): Generator<[string, string]> {
  for (const x of one.folders.values()) {
    for (const y of other.folders.values()) {
      // Of one point with itself, each two folders once.
      if (x.namespace === y.namespace || (one === other && x.id > y.id)) continue;
      for (const { path } of x.members) for (const { path: otherPath } of y.members) yield [path, otherPath];
    }
  }
}

/** The `TOLD` nearest of many pairs, without keeping them all. */
class Nearest {
  #pairs: NearPair[] = [];
  #farthest = Number.POSITIVE_INFINITY;

  offer(pair: NearPair): void {
    if (pair.distance >= this.#farthest) return;
    this.#pairs.push(pair);
    if (this.#pairs.length >= 100 * TOLD) this.inOrder();
  }

  inOrder(): readonly NearPair[] {
    this.#pairs.sort((x, y) => x.distance - y.distance || x.a - y.a || x.b - y.b);
    if (this.#pairs.length >= TOLD) {
      this.#pairs.length = TOLD;
      this.#farthest = this.#pairs[TOLD - 1]?.distance ?? this.#farthest;
    }
    return this.#pairs;
  }
}

function pairsOf(count: number): number {
  return (count * (count - 1)) / 2;
}

function folderOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}

function firstPath({ members }: Cluster): string {
  return members[0]?.path ?? '';
}

function inOrder(x: string, y: string): number {
  return x === y ? 0 : x < y ? -1 : 1;
}
