/**
 * Notes that say nearly the same: pairs whose vectors point nearly the same way, kept from one question to the next, so
 * that only what changed is compared anew. Pure but for what it remembers. Danger: comparing all with all grows with the
 * square of the notes, so it stops at a number, and each comparison ends as soon as two notes are seen to be apart.
 */
import type { ChunkVector, NoteVectorState, NoteVectors, VectorVisitor } from '@vault-mcp/shared/index-db/note-vectors';

/** Cosine of the angle between two notes from which on they are near duplicates. */
export const NEAR = 0.97;
/** Shorter notes say too little to be told apart: stubs and templates are all alike. In bytes of UTF-8. */
export const MIN_BYTES = 200;
/** Some seconds' worth when all are new. */
export const MAX_NOTES = 20_000;
/** Numbers compared before it is looked whether two notes are apart already. */
const STEP = 8;

export interface NearPair {
  readonly a: string;
  readonly b: string;
  /** Cosine, from `NEAR` to 1. */
  readonly similarity: number;
}

export interface NearDuplicatesAnswer {
  /** The most alike first. */
  readonly pairs: readonly NearPair[];
  /** Why nothing was compared, as a clause; null when something was. */
  readonly problem: string | null;
  /** Notes that have no vector yet. */
  readonly pending: number;
}

interface Known {
  readonly path: string;
  readonly version: string;
  readonly vector: Float32Array;
  /** The paths near it that stand behind it in the order of paths, with how alike they are. */
  readonly near: Map<string, number>;
}

export class NearDuplicates implements VectorVisitor {
  #space: string | null = null;
  readonly #known = new Map<string, Known>();
  /** Those just read, which are still to be compared. */
  readonly #fresh = new Map<string, Known>();

  wants({ path, version, bytes }: NoteVectorState, space: string): boolean {
    if (space !== this.#space) this.#forgetAll(space);
    return bytes >= MIN_BYTES && this.#known.get(path)?.version !== version;
  }

  onNote({ path, version }: NoteVectorState, chunks: readonly ChunkVector[]): void {
    const vector = noteVector(chunks);
    if (vector !== null) this.#fresh.set(path, { path, version, vector, near: new Map() });
  }

  /** Compares what was read with everything, and tells all pairs. */
  compare({ space, notes }: NoteVectors): NearDuplicatesAnswer {
    const read = [...this.#fresh.values()];
    this.#fresh.clear();
    const long = notes.filter(({ bytes }) => bytes >= MIN_BYTES);
    const pending = long.filter(({ whole }) => !whole).length;
    const problem = problemOf(space, long.length, pending);
    if (problem !== null) {
      this.#forgetAll(null);
      return { pairs: [], problem, pending };
    }
    const now = new Map(long.filter(({ whole }) => whole).map(({ path, version }) => [path, version]));
    for (const { path, version } of this.#known.values()) if (now.get(path) !== version) this.#forget(path);
    const others = [...this.#known.values()];
    // What an attempt that failed had read may be another version by now.
    for (const one of read.filter(({ path, version }) => now.get(path) === version)) {
      compareWithAll(one, others);
      others.push(one);
      this.#known.set(one.path, one);
    }
    return { pairs: this.#pairs(), problem: null, pending };
  }

  #forget(path: string): void {
    this.#known.delete(path);
    for (const { near } of this.#known.values()) near.delete(path);
  }

  #forgetAll(space: string | null): void {
    this.#space = space;
    this.#known.clear();
    this.#fresh.clear();
  }

  #pairs(): NearPair[] {
    const pairs = [...this.#known.values()].flatMap(({ path, near }) =>
      [...near].map(([other, similarity]) => ({ a: path, b: other, similarity })),
    );
    return pairs.sort((x, y) => y.similarity - x.similarity || (x.a + x.b < y.a + y.b ? -1 : 1));
  }
}

/** Over a list, not a map: twenty million steps among 6 000 notes. */
function compareWithAll(one: Known, others: readonly Known[]): void {
  for (const other of others) {
    const similarity = similarityAbove(NEAR, one.vector, other.vector);
    if (similarity === null) continue;
    const [first, second] = one.path < other.path ? [one, other] : [other, one];
    first.near.set(second.path, similarity);
  }
}

function problemOf(space: string | null, notes: number, pending: number): string | null {
  if (space === null) return 'the index has no vectors: search goes by words alone (embedding.provider)';
  if (notes > MAX_NOTES) return `there are ${notes} notes, and no more than ${MAX_NOTES} are compared`;
  if (notes > 0 && pending === notes) return 'no note has its vectors yet: GET /readyz shows the progress';
  return null;
}

/** The mean of a note's chunks by their length, made unit length; null where they cancel out. */
export function noteVector(chunks: readonly ChunkVector[]): Float32Array | null {
  const [first] = chunks;
  if (first === undefined) return null;
  const sum = new Float32Array(first.vector.length);
  for (const { length, vector } of chunks) {
    for (let i = 0; i < sum.length; i++) sum[i] = (sum[i] ?? 0) + length * (vector[i] ?? 0);
  }
  const norm = Math.hypot(...sum);
  return norm > 0 ? sum.map((value) => value / norm) : null;
}

/** The cosine of two unit vectors, or null as soon as it is certain to be less. */
export function similarityAbove(least: number, a: Float32Array, b: Float32Array): number | null {
  // Of unit vectors |a - b|² = 2 - 2 cos, and it only grows.
  const farthest = 2 - 2 * least;
  let distance = 0;
  for (let from = 0; from < a.length; from += STEP) {
    const to = Math.min(from + STEP, a.length);
    for (let i = from; i < to; i++) {
      const difference = (a[i] as number) - (b[i] as number);
      distance += difference * difference;
    }
    if (distance > farthest) return null;
  }
  return 1 - distance / 2;
}
